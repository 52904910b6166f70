"""From the lines of a part of an `sacct` dump to the records of a log, and a book of changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import numpy as np

from schedlab.core.requests import PREFIX
from schedlab.kernels.traces.sacct_scan import LOCAL
from schedlab.traces.slurm import sacct_ids, sacct_limits, sacct_requests, sacct_times
from schedlab.traces.slurm.job_requests import read_requests
from schedlab.traces.slurm.sacct_ids import (
    AGAIN,
    ALIVE,
    STATUS,
    UNFINISHED,
    Ids,
    is_id,
    read_ids,
    read_states,
    steps,
)
from schedlab.traces.slurm.sacct_ledger import Book, among
from schedlab.traces.slurm.sacct_limits import PartitionLimits, TimeLimits, read_limits
from schedlab.traces.slurm.sacct_lines import (
    NO_NUMBER,
    SPANS,
    TIMES,
    Column,
    Dump,
    SacctError,
    has_names,
    other_names,
)
from schedlab.traces.slurm.sacct_requests import has_gpus, read_counts, read_memory
from schedlab.traces.slurm.sacct_times import (
    Times,
    check_each,
    duration,
    plausible,
    read_each,
    read_times,
)

#: a run time below 0, which a clock that was put back gives
NEGATIVE = -2


def _seconds(text: str) -> int | None:
    return plausible(int(text)) if text.isascii() and text.isdigit() else None


#: fields of run times, from the best one, and how they are read
_ELAPSED = {"ElapsedRaw": _seconds, "Elapsed": duration}
_CHECKS = (
    *sacct_ids.CHECKS,
    *sacct_times.CHECKS,
    *sacct_requests.CHECKS,
    *sacct_limits.CHECKS,
    *(
        check_each(
            field,
            lambda text, read=read: read(text.removeprefix("-")),
            "is not a run time",
            "run times are like 1-02:03:04, and whole seconds in ElapsedRaw; export it again",
        )
        for field, read in _ELAPSED.items()
    ),
)


@dataclass(frozen=True, eq=False)
class Options:
    """Options of an import; see `schedlab.traces.slurm.sacct.read_sacct`."""

    zone: ZoneInfo | None
    partitions: Mapping[str, PartitionLimits]
    default_limit: int | None


@dataclass(frozen=True, eq=False)
class Part:
    """Records of a part of a dump, as far as they do not depend on other lines."""

    lines: np.ndarray  # all lines, in order, the rests of job names too
    #: of jobs or parts of jobs: the log's fields without owners, and those that merging needs
    records: dict[str, np.ndarray]
    #: user, group, account, partition and quality of service of the same lines
    owners: dict[str, Column]
    #: requests of the same lines that are texts, by name of `schedlab.core.requests`
    texts: dict[str, Column]
    states: Column
    ids: Ids
    book: Book
    unreadable: int  # number of lines that cannot be read
    fault: SacctError | None  # the first of these lines


def read_part(dump: Dump, options: Options) -> Part:
    """Read the records of a part of a dump."""
    book = Book()
    lines = dump.lines
    for rule, name, others in (
        ("name_break", "JobName", dump.breaks),
        # not the line, which may contain names of users
        (
            "line_unreadable",
            "cells",
            {line: str(dump.cells(text)) for line, text in dump.cut.items()},
        ),
        *((rule, "record", texts) for rule, texts in dump.others.items()),
    ):
        if others:
            numbers = np.array(list(others), dtype=np.int64)
            book.write(rule, name, numbers, np.array(list(others.values()), dtype=object))
            lines = np.sort(np.concatenate([lines, numbers]))
    field = "JobID" if "JobID" in dump.columns else "JobIDRaw"

    def leave_out(jobs: Dump, rule: str, which: np.ndarray) -> Dump:
        rows = np.flatnonzero(which)
        book.write(rule, field, jobs.lines[rows], jobs.texts(field, rows))
        return jobs.at(~which) if len(rows) else jobs

    jobs = leave_out(dump, "names_repeated", _repeat_names(dump, field))
    jobs = leave_out(jobs, "step", steps(jobs))
    jobs, unreadable, fault = _readable(jobs, book)
    unreadable += len(dump.cut) + len(dump.others.get("line_unreadable", ()))
    fault = dump.fault_of_others or fault
    elapsed = read_elapsed(jobs)
    times = read_times(jobs, elapsed, options.zone)
    derive_starts(jobs, book, times, elapsed)
    counts = read_counts(jobs)
    ids = read_ids(jobs)
    state = read_states(jobs)
    limits = read_limits(jobs, options.partitions, options.default_limit)
    drop_unfinished(jobs, book, ids, state, times)
    note_times(jobs, book, times)
    note_limits(jobs, book, limits)
    runtime = runtimes(jobs, book, elapsed, times)
    records = {
        "line": jobs.lines,
        "number": ids.number,
        "runtime": runtime,
        "procs": processors_of(jobs, book, runtime, counts),
        "requested_procs": counts["requested"],
        "requested_time": limits.seconds,
        "requested_memory": read_memory(jobs, counts),
        "status": statuses(jobs, book, state),
        "nodes": counts["nodes"],
        "started": times.taken["Start"],
        "ids": jobs.hashes[:, 0],
        "content": jobs.hashes[:, 1],
        "plain": np.where((ids.plain == ids.number) & (ids.task < 0), -1, ids.plain),
        "task": ids.task,
        "again": state.rows_with(AGAIN.__contains__),
        "gpus": has_gpus(jobs),
    }
    records |= arrivals(jobs, book, times)
    asked, texts = read_requests(jobs, book, counts, records["submit"] > records["entered"])
    records |= {PREFIX + name: values for name, values in asked.items()}
    records["gone"] = among(jobs.lines, book.dropped()[0])
    owners = {
        "user": jobs.first_of("User", "UID"),
        "group": jobs.first_of("Group", "GID"),
        "account": jobs.first_of("Account"),
        "queue": jobs.first_of("Partition"),
        "qos": jobs.first_of("QOS"),
    }
    states = jobs.first_of("State")
    return Part(lines, records, owners, texts, states, ids, book, unreadable, fault)


def _repeat_names(dump: Dump, field: str) -> np.ndarray:
    """Return which rows repeat the line of names; bool by row. `field` has the ids."""
    others = dump.columns[field].rows_with(lambda text: not is_id(text))
    repeats = np.zeros(len(dump), dtype=bool)
    for column in dump.columns.values() if others.any() else ():
        repeats |= column.rows_with(lambda text: has_names([text]))
    repeats &= others
    for row in np.flatnonzero(repeats).tolist():
        for name in dump.columns:
            if dump.texts(name, np.array([row]))[0].strip(" \ufeff").casefold() != name.casefold():
                raise other_names(dump.path, int(dump.lines[row]))
    return repeats


def _readable(dump: Dump, book: Book) -> tuple[Dump, int, SacctError | None]:
    """Return the rows of readable values, the number of others, and the first fault of any line."""
    is_bad = np.zeros(len(dump), dtype=bool)
    faults: dict[int, SacctError] = {}
    for line, text in dump.cut.items():
        wrong = f"{dump.cells(text)} cells, but {len(dump.names)} fields"
        remedy = (
            "the line is cut, or a name holds '|' or a line break; leave such names (JobName, "
            "Comment) out of sacct -o, or name JobName last, or take the line out"
        )
        if dump.closing and not text.endswith("|"):
            wrong = "does not end with '|', as the first line does"
            remedy = "the line is cut, or of another export; export all lines with one command"
        faults[line] = dump.unreadable(line, wrong, remedy)
        break
    for check in _CHECKS:
        column = dump.columns.get(check.field)
        if column is None:
            continue
        bad = np.zeros(len(dump), dtype=bool)
        if check.field in (*TIMES, *SPANS, *_ELAPSED):
            # seconds of a local clock are counted from LOCAL
            bad |= (
                np.where(column.values < LOCAL, column.values, column.values - LOCAL) >= NO_NUMBER
            )
        if not all(map(check.can_read, column.texts)):
            bad |= column.rows_with(lambda text, check=check: not check.can_read(text))
        bad &= ~is_bad
        rows = np.flatnonzero(bad)
        book.write("line_unreadable", check.field, dump.lines[rows], dump.texts(check.field, rows))
        for row in rows[:1].tolist():
            wrong = f"{dump.value(row, check.field)} {check.wrong}"
            line = int(dump.lines[row])
            faults[line] = dump.unreadable(line, wrong, check.remedy)
        is_bad |= bad
    first = faults[min(faults)] if faults else None
    return (dump.at(~is_bad) if is_bad.any() else dump), int(is_bad.sum()), first


def drop_unfinished(dump: Dump, book: Book, ids: Ids, state: Column, times: Times) -> None:
    """Drop lines that are not the end of a job, and lines without a submit time."""
    texts = dump.first_of("State")
    alive = state.rows_with(ALIVE.__contains__)
    if "End" in dump.columns:
        ends = state.rows_with(lambda name: name in STATUS or name in UNFINISHED)
        alive |= (times.taken["End"] < 0) & ~ends

    def drop(rule: str, field: str, which: np.ndarray, column: Column) -> None:
        rows = np.flatnonzero(which)
        book.write(rule, field, dump.lines[rows], column.at(rows).as_texts())

    drop("not_ended", "State", alive, texts)
    for name, rule in UNFINISHED.items():
        drop(rule, "State", state.rows_with(name.__eq__), texts)
    rows = np.array(list(ids.unstarted), dtype=np.int64)
    tasks = np.array(list(ids.unstarted.values()), dtype=object)
    book.write("array_unstarted", "JobID", dump.lines[rows], tasks)
    rows = np.flatnonzero(times.taken["Submit"] < 0)
    book.write("submit_unknown", "Submit", dump.lines[rows], dump.texts("Submit", rows))


def read_elapsed(dump: Dump) -> np.ndarray:
    """Return the run times of jobs in seconds; int64 by row, -1 if the dump lacks them.

    Values below 0 are `NEGATIVE`.
    """
    elapsed = np.full(len(dump), -1)
    for field, read in _ELAPSED.items():
        values = read_each(
            dump, field, lambda text, read=read: NEGATIVE if text[0] == "-" else read(text)
        )
        elapsed = np.where(elapsed >= 0, elapsed, np.where(values == -1, elapsed, values))
    return elapsed


def derive_starts(dump: Dump, book: Book, times: Times, elapsed: np.ndarray) -> None:
    """Set the unknown start of a job that ran: its run time before its end."""
    start, end = times.taken["Start"], times.taken["End"]
    rows = np.flatnonzero((start < 0) & (end >= 0) & (elapsed > 0))
    start[rows] = end[rows] - elapsed[rows]
    if "Start" in dump.columns:
        before = dump.texts("Start", rows)
        book.write("start_derived", "Start", dump.lines[rows], before, start[rows])


def runtimes(dump: Dump, book: Book, elapsed: np.ndarray, times: Times) -> np.ndarray:
    """Return the run times: from the dump, else the time between start and end, else -1.

    A job that ended without a start never ran: 0.
    """
    start, end = times.taken["Start"], times.taken["End"]
    between = np.where((start >= 0) & (end >= start), end - start, -1)
    between[(start < 0) & (end >= 0)] = 0
    recorded = next((name for name in ("ElapsedRaw", "Elapsed") if name in dump.columns), None)
    missing = elapsed < 0
    field = recorded or "End"
    rows = np.flatnonzero(elapsed == NEGATIVE)
    book.write("runtime_negative", field, dump.lines[rows], dump.texts(field, rows), between[rows])
    if recorded:
        rows = np.flatnonzero((elapsed == -1) & (between >= 0))
        book.write(
            "runtime_between", field, dump.lines[rows], dump.texts(field, rows), between[rows]
        )
    rows = np.flatnonzero((elapsed == -1) & (between < 0))
    book.write("runtime_unknown", field, dump.lines[rows], dump.texts(field, rows), between[rows])
    return np.where(missing, between, elapsed)


def processors_of(
    dump: Dump, book: Book, runtime: np.ndarray, counts: Mapping[str, np.ndarray]
) -> np.ndarray:
    """Return the processors of jobs; the requested ones if a job ran and none are recorded."""
    had, requested = counts["procs"], counts["requested"]
    unrecorded = (runtime > 0) & (had <= 0) & (requested > 0)
    rows = np.flatnonzero(unrecorded)
    book.write("procs_requested", "NCPUS", dump.lines[rows], had[rows], requested[rows])
    rows = np.flatnonzero((runtime > 0) & (had <= 0) & ~unrecorded)
    book.write("procs_unknown", "NCPUS", dump.lines[rows], dump.texts("NCPUS", rows), had[rows])
    return np.where(unrecorded, requested, had)


def statuses(dump: Dump, book: Book, state: Column) -> np.ndarray:
    """Return the format's status; -1 if the dump lacks it, or if the state is unknown."""
    status = state.map(lambda name: STATUS.get(name, -1))
    known = {"", *STATUS, *ALIVE, *UNFINISHED}
    rows = np.flatnonzero(state.rows_with(lambda name: name not in known))
    book.write("state_unknown", "State", dump.lines[rows], dump.texts("State", rows), status[rows])
    return status


def note_times(dump: Dump, book: Book, times: Times) -> None:
    """Record local times that are ambiguous or do not exist."""
    for field in TIMES:
        for rule, which in (
            ("time_ambiguous", times.ambiguous[field]),
            ("time_nonexistent", times.nonexistent[field]),
        ):
            if which.any():
                rows = np.flatnonzero(which)
                after = times.taken[field][rows]
                book.write(rule, field, dump.lines[rows], dump.texts(field, rows), after)


def note_limits(dump: Dump, book: Book, limits: TimeLimits) -> None:
    """Record limits that jobs did not request."""
    for rule in ("limit_partition", "limit_default", "limit_unknown"):
        rows = np.flatnonzero(limits.rule == rule)
        before, after = dump.texts(limits.field, rows), limits.seconds[rows]
        book.write(rule, limits.field, dump.lines[rows], before, after)


def arrivals(dump: Dump, book: Book, times: Times) -> dict[str, np.ndarray]:
    """Return when jobs arrived (submit) and were submitted (entered), and how long they waited.

    A job arrives when it is eligible, but not after its start. A job that never started waits
    until it leaves the queue.
    """
    entered, eligible, start, end = (times.taken[field] for field in TIMES)
    started = start >= 0
    early = started & (start < entered)
    late = ~early & started & (eligible > start)
    delayed = ~early & ~late & (eligible > entered)
    for rule, field, which, before, after in (
        ("start_early", "Submit", early, entered, start),
        ("eligible_late", "Eligible", late, eligible, entered),
        ("eligible", "Submit", delayed, entered, eligible),
    ):
        rows = np.flatnonzero(which)
        book.write(rule, field, dump.lines[rows], before[rows], after[rows])
    submit = np.where(delayed, eligible, np.where(early, start, entered))
    leaves = np.where(started, start, end)
    wait = np.where(leaves >= 0, np.maximum(leaves - submit, 0), -1)
    return {"submit": submit, "entered": entered, "wait": wait}
