"""Nodes that a site's log shows to be missing for a time.

A pool is nodes that partitions share. Nodes were missing while the jobs of a pool never used more
than a part of it, although jobs waited that would have filled half of the rest. That also happens
for hours with all nodes: nodes are kept for a large job, or a limit stops a user. So the simulation
of the site's own settings, in which no node is missing, is searched in the same way: a time counts
if it is longer than all that the simulation has of this size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.studies.site.pools import Pool, pools_of
from schedlab.studies.site.record import record_of
from schedlab.traces.slurm.hostlist import folded
from schedlab.traces.slurm.node_changes import ALL, COLUMNS

if TYPE_CHECKING:
    from schedlab.core.machine import Machine
    from schedlab.studies.site.record import Record
    from schedlab.traces.slurm.node_changes import Clock
    from schedlab.workbench.log import Log
    from schedlab.workbench.site_results import SiteResult

MINUTE, HOUR = 60, 3600
#: seconds of a bin of time, and the most bins of a log
BIN, MOST_BINS = 10 * MINUTE, 60_000
#: so long a job waits before its wait is evidence, in seconds and in backfill passes
GRACE, PASSES = 10 * MINUTE, 5
#: jobs of so many users wait: backfilling looks at few jobs of each (bf_max_job_user)
FEWEST_USERS = 2
#: evidence that is needed, in seconds with waiting jobs: of a whole pool, and of a part, where
#: a smaller part needs more (by the root of the part)
WHOLE, PART = 2 * HOUR, 12 * HOUR
#: evidence in parts of the longest in the simulation, and of the row's time
TIMES, SHARE = 2.0, 0.15
#: share of the other nodes that is in use, in the median of the evidence
FULL = 0.9
#: so near in time, the simulation uses the nodes that are unused in the log
NEAR = 12 * HOUR
#: a row is extended to the last other use by so much
REACH = 6 * HOUR
#: more lost core-hours or unknown waits than this, and use is not known well enough
MOST_LOST = 0.05
#: where the names of nodes come from
RECORDED, CHOSEN = "; jobs used these nodes least", "; which nodes of a kind is a choice"
#: levels that are searched, in nodes
LEVELS = 64
#: upper ends of the classes of jobs, in nodes
CLASSES = 2.0 ** np.arange(-2, 16)


@dataclass(frozen=True)
class Found:
    """Nodes of a pool that were missing from `begin` to `end`, in seconds.

    `hours` are those with waiting jobs, `number` is a job that waited. `known` is when a
    maintenance began to keep jobs from starting; -1: it did not.
    """

    pool: Pool
    nodes: int
    begin: int
    end: int
    hours: float
    number: int
    known: int = -1


def find_outages(log: Log, plain: SiteResult, clock: Clock) -> pd.DataFrame:
    """Return what happened to nodes, by the recorded use of them.

    Parameters
    ----------
    log : Log
        With recorded waits.
    plain : SiteResult
        The log under the site's own settings, with all nodes.
    clock : Clock
        The log's.

    Returns
    -------
    pandas.DataFrame
        The columns `schedlab.traces.slurm.node_changes.COLUMNS`, in order of time. Nodes are those
        that jobs used least, if the log has the nodes of nearly all jobs. If not, they are the last
        ones of the kind with most nodes in the pool, because equal nodes do not differ. There is no
        row if more than 5 % of core-hours were dropped or of waits are unknown.
    """
    unknown = float((log.frame["wait"] < 0).mean())
    if max(float(log.lost["hours_share"].sum()), unknown) > MOST_LOST:
        return pd.DataFrame(columns=list(COLUMNS))
    grace = max(GRACE, PASSES * plain.site.scheduling.bf_interval)
    pools = list(pools_of(plain))
    whole = search(Pool.of_site(pools), grace, ()) if pools else []
    parts = [row for pool in pools for row in search(pool, grace, whole)]
    rows = sorted([*whole, *parts], key=lambda row: row.begin)
    record = record_of(log, plain.site.machine)
    if record is not None and record.share < 1 - MOST_LOST:
        record = None
    return _table(rows, plain.site.machine, clock, record)


@dataclass(eq=False)
class Use:
    """Use of a pool over time under a schedule, in nodes.

    `most` is the most in each bin, `times` and `levels` every change of it. `waiting` has the nodes
    that waiting jobs of each class ask for, of shape (classes, bins); jobs wait through the bin.
    """

    pool: Pool
    start: np.ndarray
    other: np.ndarray
    width: int
    bins: int
    grace: int
    times: np.ndarray = field(init=False)
    levels: np.ndarray = field(init=False)
    most: np.ndarray = field(init=False)
    waiting: np.ndarray = field(init=False)
    users: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        size, end = self.pool.size, self.start + self.pool.runtime
        times, steps = np.concatenate([end, self.start]), np.concatenate([-size, size])
        order = np.argsort(times, kind="stable")  # ends are before starts
        self.times, self.levels = times[order], np.cumsum(steps[order])
        place = np.minimum(self.times // self.width, self.bins - 1)
        self.most = np.zeros(self.bins)
        np.maximum.at(self.most, place, self.levels)
        last = np.searchsorted(self.times, np.arange(self.bins) * self.width)
        before = np.where(last > 0, self.levels[last - 1], 0.0)
        self.most = np.maximum(self.most, before)
        self.wait(())

    def wait(self, closed: Sequence[Found]) -> None:
        """Count waiting jobs; not those that would have run into a maintenance."""
        pool = self.pool
        earlier = paired(pool.user, self.start, self.other)
        job, end = np.arange(len(self.start)), self.start
        begin = np.maximum(pool.submit + self.grace, earlier)
        for row in closed:
            before = np.minimum(end, row.begin - pool.limit[job])
            pieces = [(job, begin, before), (job, np.maximum(begin, row.end), end)]
            job, begin, end = map(np.concatenate, zip(*pieces, strict=True))
            # a row leaves most jobs in one piece: without empty ones, rows add few
            some = end > begin
            job, begin, end = job[some], begin[some], end[some]
        kind = np.searchsorted(CLASSES, pool.size)
        users = np.zeros(self.bins + 1)
        steps = np.zeros((len(CLASSES) + 1, self.bins + 1))
        first = np.clip(-(-begin // self.width), 0, self.bins)
        last = np.clip(end // self.width, 0, self.bins)
        waits = last > first
        job, first, last = job[waits], first[waits], last[waits]
        np.add.at(steps, (kind[job], first), pool.size[job])
        np.add.at(steps, (kind[job], last), -pool.size[job])
        for place, step in zip(_union(pool.user[job], first, last), (1, -1), strict=True):
            np.add.at(users, place, step)
        self.users = np.cumsum(users)[:-1]
        self.waiting = np.cumsum(np.cumsum(steps, axis=1)[:, :-1], axis=0)

    def pressed(self, nodes: int) -> np.ndarray:
        """Return in which bins jobs wait that would have filled half of so many nodes.

        If all nodes are unused, jobs that would have filled a node suffice.
        """
        is_whole = nodes == self.pool.nodes
        most, least = (nodes, min(1.0, nodes / 2)) if is_whole else (max(nodes / 2, 1), nodes / 2)
        kind = int(np.searchsorted(CLASSES, most, side="right")) - 1
        pressed: np.ndarray = (self.waiting[kind] >= least) & (self.users >= FEWEST_USERS)
        return pressed

    def top(self, nodes: int) -> float:
        """Return the most in use while so many nodes are unused."""
        return self.pool.nodes - nodes + (0.5 if nodes < self.pool.nodes else 1e-6)

    def busiest(self) -> np.ndarray:
        """Return the most in use in the hours around each bin."""
        reach = 2 * (NEAR // self.width) + 1
        return pd.Series(self.most).rolling(reach, center=True, min_periods=1).max().to_numpy()

    def runs(
        self, nodes: int, out: np.ndarray, other: np.ndarray, spent: np.ndarray | bool = False
    ) -> Iterator[tuple[int, int, int]]:
        """Yield times with so many unused nodes: first bin, bin after the last, bins with evidence.

        They begin and end with evidence: jobs wait, and the other schedule has nodes in use that
        are unused here (`other`, see `busiest`). `out` are the missing nodes that rows explain
        already, `spent` are bins whose evidence does not count.
        """
        top = self.top(nodes)
        low = self.most + out <= top
        evidence = low & (other > top) & self.pressed(nodes) & ~np.bool_(spent)
        edges = np.flatnonzero(np.diff(low.astype(np.int8), prepend=0, append=0))
        seen = np.concatenate([[0], np.cumsum(evidence)])
        for first, last in edges.reshape(-1, 2).tolist():
            if count := int(seen[last] - seen[first]):
                places = np.flatnonzero(evidence[first:last]) + first
                used = float(np.median((self.most + out)[places]))
                if used < FULL * (self.pool.nodes - nodes):
                    continue
                yield int(places[0]), int(places[-1]) + 1, count


def paired(user: np.ndarray, start: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the starts of another schedule, in the order of a user's starts in this one.

    Which of a user's jobs starts first differs between two schedules, and is no evidence.

    >>> paired(np.array([1, 2, 1]), np.array([50, 7, 20]), np.array([10, 8, 40])).tolist()
    [40, 8, 10]
    """
    paired = np.empty_like(other)
    paired[np.lexsort((start, user))] = other[np.lexsort((other, user))]
    return paired


def _union(user: np.ndarray, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return first bins, and bins after the last, of the times in which a user has waiting jobs."""
    order = np.lexsort((first, user))
    user, first, last = user[order], first[order], last[order]
    # users are far from each other on one axis
    shift = user * (int(last.max(initial=0)) + 1)
    until = np.maximum.accumulate(last + shift)
    begins = np.ones(len(user), dtype=bool)
    begins[1:] = first[1:] + shift[1:] > until[:-1]
    ends = np.append(begins[1:], True)[: len(user)]
    return first[begins], (until - shift)[ends]


def search(pool: Pool, grace: int, closed: Sequence[Found]) -> list[Found]:
    """Return rows: those of all nodes of a site, or of a pool, those with most node-hours first.

    `closed` are rows of all nodes, which a pool gets as they are.
    """
    span = int(max((pool.start + pool.runtime).max(), (pool.simulated + pool.runtime).max()))
    width = max(BIN, -(-span // MOST_BINS))
    both, bins = (pool.start, pool.simulated), span // width + 1
    real, null = (Use(pool, *starts, width, bins, grace) for starts in (both, both[::-1]))
    levels = np.unique(np.geomspace(1, pool.nodes, LEVELS).round().astype(int)).tolist()
    none, out = np.zeros((2, bins))
    spent = np.zeros(bins, dtype=bool)
    busy, busy_null = null.busiest(), real.busiest()
    least = {
        nodes: max(
            _least(nodes / pool.nodes) / width,
            TIMES * max((count for *_, count in null.runs(nodes, none, busy_null)), default=0),
        )
        for nodes in levels
    }
    rows: list[Found] = []
    # all nodes first: before a maintenance, jobs wait that would run into it
    sought = levels[-1:]
    while True:
        for row in [*closed, *rows]:
            part = slice(row.begin // width, -(-row.end // width))
            out[part] = np.minimum(out[part] + min(row.nodes, pool.nodes), pool.nodes)
        real.wait([row for row in (*closed, *rows) if row.known >= 0])
        best = max(
            (
                (nodes * count, nodes, first, last, count)
                for nodes in sought
                for first, last, count in real.runs(nodes, out, busy, spent)
                if count >= max(least[nodes], SHARE * (last - first))
            ),
            default=None,
        )
        if best is not None:
            first, last = best[2:4]
            row = _row(real, out, *best[1:])
            if row.begin // width < last and -(-row.end // width) > first:
                rows.append(row)
            else:  # a maintenance that begins after its evidence would be found without end
                spent[first:last] = True
        elif sought == levels or pool.is_site:
            return rows
        else:
            sought = levels
        out[:] = 0


def _least(part: float) -> float:
    """Return the seconds of evidence that a part of a pool needs."""
    return WHOLE if part == 1 else PART / part**0.5


def _row(use: Use, out: np.ndarray, nodes: int, first: int, last: int, count: int) -> Found:
    """Return a row with exact times and the number of nodes that nothing used."""
    pool, width = use.pool, use.width
    unused = pool.nodes - (use.most + out)[first:last].max()
    nodes = max(nodes, int(unused + 1e-6))
    top = use.top(nodes) - out[first:last].max()
    # from the last use above to the next one
    above = use.times[use.levels > top]
    begin, end = first * width, last * width
    before = np.searchsorted(above, begin, side="right") - 1
    after = np.searchsorted(above, end - width)
    change = np.searchsorted(use.times, above[before], side="right") if before >= 0 else 0
    earliest = int(use.times[min(change, len(use.times) - 1)]) if before >= 0 else 0
    latest = int(above[after]) if after < len(above) else end
    begin = earliest if begin - earliest <= REACH else begin
    end = latest if latest - end <= REACH else end
    waited = (pool.submit + use.grace <= begin + width) & (use.start >= end)
    waited = waited if waited.any() else (pool.submit < end) & (use.start > begin)
    job = int(np.flatnonzero(waited)[0]) if waited.any() else 0
    row = Found(pool, nodes, begin, end, count * width / HOUR, int(pool.number[job]))
    return _as_maintenance(row) if nodes == pool.nodes else row


def _as_maintenance(row: Found) -> Found:
    """Return a row of a whole pool; since `known`, no job started that could run into it.

    Then it does not begin before the limit of the last such job.
    """
    pool = row.pool
    # jobs that started earlier could not run into it
    last = max(row.begin - int(pool.limit.max()), 0)
    into = (pool.start < row.begin) & (pool.start + pool.limit > row.end)
    last = max(last, int(pool.start[into].max(initial=-1)) + 1)
    if row.begin - last < HOUR:
        return replace(row, known=-1)
    after = (pool.start >= last) & (pool.start < row.begin)
    until = (pool.start + pool.limit)[after]
    begin = max(row.begin, int(until[until < row.end].max(initial=0)))
    return replace(row, begin=begin, known=last)


def _table(
    rows: Sequence[Found], machine: Machine, clock: Clock, record: Record | None
) -> pd.DataFrame:
    """Return rows as a table, with names of nodes that are not out at the same time."""
    taken: list[tuple[int, int, frozenset[int]]] = []
    cells = []
    for row in rows:
        busy = frozenset().union(*(n for a, b, n in taken if a < row.end and row.begin < b))
        free = [node for node in row.pool.by_kind if node not in busy]
        if record is not None:
            used = record.used(row.begin, row.end)
            free.sort(key=lambda node, used=used: used[node])
        is_all = row.pool.is_site
        chosen = frozenset(range(len(machine)) if is_all else free[: row.nodes])
        if not chosen:
            continue
        taken.append((row.begin, row.end, chosen))
        names = folded(machine.names[node] for node in sorted(chosen))
        where = "all partitions" if is_all else "partition " + ", ".join(row.pool.partitions)
        cells.append(
            {
                "from": clock.text(row.begin),
                "until": clock.text(row.end),
                "nodes": ALL if is_all else names,
                "processors": int(machine.cpus[sorted(chosen)].sum()),
                "effect": "drain" if row.known < 0 else "reservation",
                "known": "" if row.known < 0 else clock.text(row.known),
                "why": (
                    f"{where}: at least {row.nodes} of {row.pool.nodes} nodes unused, "
                    f"{row.hours:.0f} h with waiting jobs that fit, such as job {row.number}"
                    + ("" if is_all else CHOSEN if record is None else RECORDED)
                ),
            }
        )
    return pd.DataFrame(cells, columns=list(COLUMNS))
