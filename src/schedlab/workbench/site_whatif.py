"""When the waiting jobs of a queue start on a site's own Slurm with other settings or nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import pandas as pd

from schedlab.core.machine import Change
from schedlab.core.slurm_site import Site
from schedlab.policies import Policy
from schedlab.queue.dialects import Dialect
from schedlab.queue.simulation import check_settings
from schedlab.queue.site_dialect import SiteSlurm
from schedlab.traces.slurm.hostlist import expand
from schedlab.workbench.site_forecast import MIDDLE, MOST_DAYS, Future, Given, forecast
from schedlab.workbench.site_queue import SiteQueue
from schedlab.workbench.whatif import HOUR

#: name of the site as it is
AS_IT_IS = "as it is"
#: what a prediction on a site's own Slurm does not simulate
LEFT_OUT = (
    "licenses and burst buffers",
    "limits of arrays and of submissions",
    "what the site's files have that is not modeled",
)
#: seconds by which a start must differ to count as another
OTHER = 60


@dataclass(frozen=True, eq=False)
class SiteWhatIf:
    """Starts of waiting jobs under changes of a site's Slurm; made by `what_if_site`.

    Parameters
    ----------
    queue : SiteQueue
        The queue.
    starts : pandas.DataFrame, shape (w, changes)
        Median start of each waiting job on the queue's clock, -1 if it does not start in the
        simulated time; index id, a column per change.
    table : pandas.DataFrame
        A row per change: mean_wait, median_wait and p95_wait in seconds since submission of the
        jobs that start under all changes, the number that start within the hours (started), and
        of those that start earlier and later than without the change.
    hours : float
        Hours in which starts are counted.
    """

    queue: SiteQueue
    starts: pd.DataFrame
    table: pd.DataFrame
    hours: float


def what_if_site(
    queue: SiteQueue,
    sites: Mapping[str, Site],
    ways: Sequence[Future],
    hours: float = 24,
    days: int = MOST_DAYS,
    threads: int = 1,
    policies: Mapping[str, Policy] = MappingProxyType({}),
    points: int | None = None,
) -> SiteWhatIf:
    """Simulate the same futures of a queue on its site, on changed ones, and under policies.

    A policy adds points to the priorities of its site, see `schedlab.queue.site_dialect`; `points`
    are those of the first waiting job, by default the usual ones. Waiting jobs have them at once.

    Raises ValueError if no job waits that can start, the hours are less than a second, or the
    site takes no points of a policy.
    """
    waits = np.flatnonzero(~queue.runs)
    if not len(waits):
        raise ValueError(f"{queue.source.path}: no job waits that can start as things are")
    if not 1 <= hours * HOUR < np.inf:
        raise ValueError(f"hours is {hours:g}, must be at least a second (1/{HOUR}), and finite")
    slurm = SiteSlurm(queue.site, most=points)
    for policy in policies.values():
        dialect = Dialect(policy.label, site=slurm)
        check_settings(policy=policy, dialect=dialect, reservations="every")
    cases: dict[str, tuple[Site, Given | None]] = {AS_IT_IS: (queue.site, None)}
    cases |= {name: (site, None) for name, site in sites.items()}
    cases |= {name: (queue.site, Given(one, slurm.points)) for name, one in policies.items()}
    starts = {}
    for name, (site, given) in cases.items():
        changed = queue.changed(site=site)
        made = forecast(changed, ways, days, threads=threads, given=given).starts[:, waits]
        made = np.where(made < 0, np.inf, made)
        middle = np.quantile(made, MIDDLE, axis=0, method="inverted_cdf")
        starts[name] = np.where(middle == np.inf, -1, middle)
    frame = pd.DataFrame(starts, index=queue.entries["id"].iloc[waits]).astype("int64")
    every = (frame >= 0).all(axis=1).to_numpy()
    submit, first = queue.jobs.submit[waits][every], frame[AS_IT_IS]
    rows = {}
    for name, column in frame.items():
        wait = column.to_numpy()[every] - submit
        numbers = (wait.mean(), *np.quantile(wait, [0.5, 0.95])) if len(wait) else (np.nan,) * 3
        shift = column.to_numpy()[every] - first.to_numpy()[every]
        rows[name] = dict(
            zip(("mean_wait", "median_wait", "p95_wait"), map(float, numbers), strict=True),
            started=int(((column >= 0) & (column < queue.now + hours * HOUR)).sum()),
            earlier=int((shift < -OTHER).sum()),
            later=int((shift > OTHER).sum()),
        )
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("change")
    return SiteWhatIf(queue, frame.where(frame < 0, frame + queue.origin), table, hours)


def with_nodes(site: Site, text: str) -> Site:
    """Return a site with more nodes: ``4``, or ``4:g1`` for nodes like another one.

    They are in the partitions of the other one, by default the first of the default partition.
    Raises ValueError for another text, or an unknown node.
    """
    match = re.fullmatch(r"(\d{1,6})(?::(.+))?", text)
    if not match or not int(match[1]):
        raise ValueError(f"--add-nodes {text}: must be a number of nodes, or like 4:NODE")
    machine, count = site.machine, int(match[1])
    default = next((each for each in machine.partitions if each.default), machine.partitions[0])
    like = places_of(site, match[2], "--add-nodes")[0] if match[2] else default.nodes[0]
    first = len(machine)
    new = tuple(range(first, first + count))
    partitions = tuple(
        replace(each, nodes=each.nodes + new) if like in each.nodes else each
        for each in machine.partitions
    )
    names = tuple(f"new{k}" for k in range(1, count + 1)) if machine.names else ()
    kind = np.append(machine.kind, np.full(count, machine.kind[like], dtype=np.int32))
    return replace(
        site,
        machine=replace(machine, kind=kind, names=machine.names + names, partitions=partitions),
    )


def without_nodes(site: Site, text: str, now: int) -> Site:
    """Return a site whose nodes of a list take no more jobs from a time on."""
    drain = Change(now, "drain", tuple(places_of(site, text, "--drain")))
    changes = sorted((*site.machine.changes, drain), key=lambda change: change.time)
    return replace(site, machine=replace(site.machine, changes=tuple(changes)))


def places_of(site: Site, text: str, option: str) -> list[int]:
    """Return the places of the nodes of a list; ValueError if there is one that is unknown."""
    place = {name: k for k, name in enumerate(site.machine.names)}
    try:
        names = expand(text)
    except ValueError as problem:
        raise ValueError(f"{option} {text}: {problem}") from None
    if lost := [name for name in names if name not in place]:
        raise ValueError(f"{option} {text}: {lost[0]} is no node of the site's files")
    return [place[name] for name in names]
