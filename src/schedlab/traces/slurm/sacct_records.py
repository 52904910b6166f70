"""From the lines of an `sacct` dump to the records of a log, with a ledger of changes."""

import numpy as np
import pandas as pd

from schedlab.traces.slurm.sacct_ids import ALIVE, STATUS, UNFINISHED, run_again, steps
from schedlab.traces.slurm.sacct_ledger import Book
from schedlab.traces.slurm.sacct_limits import TimeLimits
from schedlab.traces.slurm.sacct_lines import Dump
from schedlab.traces.slurm.sacct_names import number_names
from schedlab.traces.slurm.sacct_times import TIMES, Times, duration, read_each

_SECONDS = (
    "is not a run time",
    "run times are like 1-02:03:04, and whole seconds in ElapsedRaw; export the field again",
)


def jobs_lines(dump: Dump, book: Book) -> pd.Index:
    """Return the lines that are jobs, or parts of them, without duplicates."""
    if len(dump.breaks):
        book.write("name_break", "JobName", dump.breaks)
    ids = dump.cells["JobID" if "JobID" in dump.cells else "JobIDRaw"]
    step = steps(dump)
    book.write("step", ids.name, ids[step])
    job_cells = dump.cells[~step]
    again = job_cells.duplicated()
    book.write("line_repeated", ids.name, ids.loc[job_cells.index[again]])
    return job_cells.index[~again]


def drop_unfinished(
    dump: Dump, book: Book, ids: pd.DataFrame, state: pd.Series, times: Times
) -> None:
    """Drop lines that are not the end of a job, and lines without a submit time."""
    states = dump.cells.get("State", state)
    endless = (times.taken["End"] < 0) & ("End" in dump.cells) & ~state.isin(STATUS)
    alive = state.isin(ALIVE) | (endless & ~state.isin(UNFINISHED))
    book.write("not_ended", "State", states[state.index][alive])
    for name, rule in UNFINISHED.items():
        book.write(rule, "State", states[state.index][state == name])
    again = run_again(ids["key"], state, times.taken)
    book.write("run_again", "State", states[state.index][again])
    book.write("array_unstarted", "JobID", ids.loc[ids["tasks"] != "", "tasks"])
    unknown = times.taken["Submit"] < 0
    book.write("submit_unknown", "Submit", dump.cells["Submit"][state.index][unknown])


def read_elapsed(dump: Dump, lines: pd.Index) -> pd.Series:
    """Return the run times of jobs in seconds; int64 by line, -1 if the dump lacks them.

    Raises `SacctError` if a value is not a run time.
    """
    raw = read_each(
        dump, "ElapsedRaw", lambda text: int(text) if text.isdigit() else None, *_SECONDS, lines
    )
    return raw.where(raw >= 0, read_each(dump, "Elapsed", duration, *_SECONDS, lines))


def runtimes(dump: Dump, book: Book, elapsed: pd.Series, times: Times) -> pd.Series:
    """Return the run times: from the dump, else the time between start and end, else -1.

    A job that ended without a start never ran: 0.
    """
    start, end = times.taken["Start"], times.taken["End"]
    between = (end - start).where((start >= 0) & (end >= start), -1)
    between = between.mask((start < 0) & (end >= 0), 0)
    recorded = next((name for name in ("ElapsedRaw", "Elapsed") if name in dump.cells), None)
    missing = elapsed < 0
    if recorded:
        cells = dump.cells.loc[elapsed.index, recorded]
        book.write("runtime_between", recorded, cells[missing & (between >= 0)], between)
    field = recorded or "End"
    unknown = missing & (between < 0)
    book.write("runtime_unknown", field, dump.cells.loc[elapsed.index, field][unknown], between)
    return elapsed.where(~missing, between)


def processors_of(book: Book, runtime: pd.Series, counts: pd.DataFrame) -> pd.Series:
    """Return the processors of jobs; the requested ones if a job ran and none are recorded."""
    had, requested = counts["procs"], counts["requested"]
    unrecorded = (runtime > 0) & (had <= 0) & (requested > 0)
    book.write("procs_requested", "NCPUS", had[unrecorded], requested)
    return had.where(~unrecorded, requested)


def statuses(book: Book, state: pd.Series) -> pd.Series:
    """Return the format's status; -1 if the dump lacks it, or if the state is unknown."""
    status = state.map(STATUS).fillna(-1).astype("int64")
    known = state.isin({"", *STATUS, *ALIVE, *UNFINISHED})
    book.write("state_unknown", "State", state[~known], status)
    return status


def note_times(dump: Dump, book: Book, times: Times) -> None:
    """Record local times that are ambiguous or do not exist."""
    for field in TIMES:
        for rule, which in (
            ("time_ambiguous", times.ambiguous[field]),
            ("time_nonexistent", times.nonexistent[field]),
        ):
            if which.any():
                lines = which.index[which]
                book.write(rule, field, dump.cells.loc[lines, field], times.taken[field])


def note_limits(dump: Dump, book: Book, limits: TimeLimits) -> None:
    """Record limits that jobs did not request."""
    field = "TimelimitRaw" if "TimelimitRaw" in dump.cells else "Timelimit"
    for rule in ("limit_partition", "limit_default", "limit_unknown"):
        book.write(rule, field, limits.texts[limits.rule == rule], limits.seconds)


def arrivals(book: Book, jobs: pd.DataFrame, times: Times) -> pd.DataFrame:
    """Return jobs with their arrival time, in column submit, and their wait from then on.

    A job arrives when it is eligible, but not after its start. A job that never started waits
    until it leaves the queue.
    """
    entered, eligible, start, end = (times.taken[field] for field in TIMES)
    started = start >= 0
    early = started & (start < entered)
    late = ~early & started & (eligible > start)
    delayed = ~early & ~late & (eligible > entered)
    book.write("start_early", "Submit", entered[early], start)
    book.write("eligible_late", "Eligible", eligible[late], entered)
    book.write("eligible", "Submit", entered[delayed], eligible)
    submit = entered.mask(early, start).mask(delayed, eligible)
    leaves = start.where(started, end)
    wait = (leaves - submit).clip(lower=0).where(leaves >= 0, -1)
    return jobs.assign(submit=submit, entered=entered, wait=wait)


def merge_components(book: Book, jobs: pd.DataFrame, ids: pd.DataFrame) -> pd.DataFrame:
    """Merge the components of a heterogeneous job, which start together, into one job.

    It has the processors of all of them, the longest run time and the longest limit, and the other
    fields of the first component.
    """
    live = jobs[~jobs.index.isin(book.dropped())]
    parts = ids.loc[live.index]
    parts = parts[parts["part"] >= 0].sort_values(["whole", "part"])
    if parts.empty:
        return jobs
    rows = jobs.loc[parts.index]
    groups = [parts["whole"], rows["entered"]]
    size = rows["procs"].groupby(groups).transform("size")
    first = ~pd.concat(groups, axis=1).duplicated()
    book.write("het_component", "JobID", ids.loc[parts.index[~first], "key"].str.split("|").str[0])
    jobs = jobs.copy()
    sums = {"procs": "NCPUS", "requested_procs": "ReqCPUS", "nodes": "NNodes"}
    longest = {"runtime": "Elapsed", "requested_time": "Timelimit"}
    for name, field in (sums | longest).items():
        all_known = rows[name].groupby(groups).transform("min") >= 0
        value = rows[name].groupby(groups).transform("sum" if name in sums else "max")
        value = value.where(all_known | (name == "runtime"), -1)
        leads = first & (size > 1) & (value != rows[name])
        book.write("het_whole", field, rows.loc[leads, name], value)
        jobs.loc[parts.index[first], name] = value[first]
    return jobs


def renumber_jobs(dump: Dump, book: Book, jobs: pd.DataFrame) -> pd.DataFrame:
    """Give each job without a number, or with the number of an earlier job, a new number."""
    order = jobs.sort_values("entered", kind="stable")
    again = order["number"].duplicated() | (order["number"] < 0)
    lines = order.index[again]
    first = max(int(jobs["number"].max()), 0) + 1 if len(jobs) else 1
    new_numbers = pd.Series(np.arange(first, first + len(lines)), index=lines, dtype="int64")
    field = "JobIDRaw" if "JobIDRaw" in dump.cells else "JobID"
    book.write("number_given", field, dump.cells.loc[lines, field], new_numbers)
    number = jobs["number"].copy()
    number.loc[lines] = new_numbers
    return jobs.assign(number=number)


def number_owners(
    dump: Dump, jobs: pd.DataFrame, salt: str | None
) -> tuple[pd.DataFrame, list[str]]:
    """Return jobs with users, groups, accounts, partitions and qualities of service as numbers.

    Also return the partitions' names in order of their numbers, which is alphabetical.
    """
    people = {"user": ("User", "UID"), "group": ("Group", "GID"), "account": ("Account",)}
    columns = {}
    for name, fields in people.items():
        columns[name] = number_names(_text(dump, jobs.index, *fields), name, salt)
    places = _text(dump, jobs.index, "Partition")
    for name, texts in (("queue", places), ("qos", _text(dump, jobs.index, "QOS"))):
        columns[name] = number_names(texts.sort_values(), name, None).reindex(jobs.index)
    columns["partition"] = columns["queue"]
    return jobs.assign(**columns), sorted(set(places) - {""})


def _text(dump: Dump, lines: pd.Index, *fields: str) -> pd.Series:
    """Return the first of the fields that the dump has; empty texts if it has none."""
    for field in fields:
        if field in dump.cells:
            return dump.cells.loc[lines, field]
    return pd.Series("", lines, dtype="str")
