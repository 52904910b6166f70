"""Starts of waiting jobs on a site's own Slurm with other settings or nodes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from schedlab.cli.output import number_or_missing, print_text, show_json, show_table, warn
from schedlab.cli.slurm import SITE, SlurmOptions
from schedlab.core.slurm_site import Site
from schedlab.files.progress import busy
from schedlab.policies import Policy
from schedlab.workbench.log import load_log
from schedlab.workbench.results import policy_of
from schedlab.workbench.site_forecast import MOST_DAYS, RUNS, futures, past_of
from schedlab.workbench.site_queue import SiteQueue, load_site_queue
from schedlab.workbench.site_results import RULES
from schedlab.workbench.site_whatif import (
    LEFT_OUT,
    SiteWhatIf,
    what_if_site,
    with_nodes,
    without_nodes,
)
from schedlab.workbench.why import assumption_of

#: how many of the jobs that cannot start, or that a limit holds, are listed
NAMED = 10


@dataclass(frozen=True)
class Changes:
    """Changes of a site, each of which is tried alone."""

    slurm: SlurmOptions
    add_nodes: Sequence[str]
    drain: Sequence[str]
    policies: Sequence[str] = ()

    def site(self, origin: int, *changed: str) -> Site:
        """Return the site without or with a setting."""
        return replace(self.slurm, slurm_set=None).read(origin=origin, changed=changed)

    def orders(self) -> dict[str, Policy]:
        """Return the policies that add points; the site's own order is a row in any case."""
        return {f"points by {text}": policy_of(text) for text in self.policies if text != SITE}

    def sites(self, queue: SiteQueue) -> Iterator[tuple[str, Site]]:
        """Yield each change as typed, and the changed site."""
        for text in self.slurm.slurm_set or ():
            yield text, self.site(queue.origin, text)
        for text in self.add_nodes:
            yield f"--add-nodes {text}", with_nodes(queue.site, text)
        for text in self.drain:
            yield f"--drain {text}", without_nodes(queue.site, text, queue.now)


def show_site(
    path: Path,
    changes: Changes,
    log: Path | None,
    at: str | None,
    hours: float,
    jobs: bool,
    threads: int,
    json: bool,
) -> None:
    """Print when waiting jobs start on a site's own Slurm, as it is and with each change."""
    with busy("the queue"):
        queue = load_site_queue(path, changes.site, at)
        past = past_of(load_log(log, RULES, drop_wide=True)) if log else None
        ways = futures(queue, past, RUNS, 0, MOST_DAYS)
        result = what_if_site(
            *(queue, dict(changes.sites(queue)), ways, hours),
            threads=threads,
            policies=changes.orders(),
            points=changes.slurm.slurm_points,
        )
    assumption = assumption_of(past)
    if json:
        show_json(_as_json(result, assumption))
        return
    print_text(f"The prediction leaves out: {'; '.join(LEFT_OUT)}.")
    _show(result, assumption)
    if jobs:
        stamp, users = queue.source.stamp, queue.entries.set_index("id")["user"]
        rows = [
            (name, users[name], *("–" if start < 0 else stamp(start) for start in row))
            for name, *row in result.starts.itertuples()
        ]
        show_table("starts", ("job", "user", *result.starts.columns), rows, words=2)
    show_rest(queue.stuck, len(result.starts), queue.notes)


def _show(result: SiteWhatIf, assumption: str) -> None:
    """Print the table of changes."""
    queue = result.queue
    rows = [
        (
            name,
            *(
                number_or_missing(row[wait], ",.0f")
                for wait in ("mean_wait", "median_wait", "p95_wait")
            ),
            *(f"{row[count]:,.0f}" for count in ("started", "earlier", "later")),
        )
        for name, row in result.table.iterrows()
    ]
    waits = ("mean wait, s", "median wait, s", "95 % wait, s")
    columns = ("change", *waits, f"start in {result.hours:g} h", "earlier", "later")
    title = (
        f"{len(result.starts):,} jobs wait, {int(queue.runs.sum()):,} run on "
        f"{len(queue.site.machine):,} nodes, {queue.source.stamp(queue.now + queue.origin)}"
    )
    show_table(title, columns, rows)
    print_text(
        f"starts are medians of {RUNS} simulations ({assumption}); earlier and later count jobs"
    )


def show_reasons(jobs: pd.DataFrame, heading: str) -> None:
    """Print jobs with their reasons below a heading; nothing if there are none."""
    if not len(jobs):
        return
    print_text(heading)
    for job, why in jobs.head(NAMED).itertuples(index=False):
        print_text(f"  {job}: {why}")
    if len(jobs) > NAMED:
        print_text(f"  and {len(jobs) - NAMED:,} more (--json lists all)")


def show_rest(stuck: pd.DataFrame, counted: int, notes: Sequence[str]) -> None:
    """Print the waiting jobs that cannot start, next to those that are counted, and notes."""
    show_reasons(
        stuck,
        f"{len(stuck):,} of {len(stuck) + counted:,} waiting jobs cannot start at present and are "
        "not counted above:",
    )
    for note in notes:
        warn(note)


def _as_json(result: SiteWhatIf, assumption: str) -> dict:
    """Return the results as one JSON object."""
    queue, starts = result.queue, result.starts
    return {
        "left_out": LEFT_OUT,
        "assumption": assumption,
        "queue": queue.source.path,
        "now": queue.now + queue.origin,
        "clock": queue.source.clock,
        "running": int(queue.runs.sum()),
        "hours": result.hours,
        "results": result.table.reset_index().to_dict("records"),
        "jobs": [
            {"id": name, "start": row}
            for name, row in zip(starts.index, starts.to_dict("records"), strict=True)
        ],
        "cannot_start": queue.stuck.to_dict("records"),
        "not_modeled": [each._asdict() for each in queue.problem.not_modeled],
        "notes": queue.notes,
    }
