"""Job ids and states of an `sacct` dump: which lines are jobs, and how they ended.

References
----------
Slurm, sacct(1), fields JobID and State ("JOB STATE CODES"); job_array and heterogeneous_jobs of its
documentation.
"""

import pandas as pd

from schedlab.traces.slurm.sacct_lines import Dump

#: Status in the format (field 11) of jobs by end state: 1 completed, 0 failed, 5 cancelled by a
#: person or because of another job.
STATUS = {
    "COMPLETED": 1,
    **dict.fromkeys(("FAILED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL", "BOOT_FAIL"), 0),
    "DEADLINE": 0,
    **dict.fromkeys(("CANCELLED", "PREEMPTED"), 5),
}
#: states of waiting or running jobs
ALIVE = frozenset(
    {"PENDING", "RUNNING", "SUSPENDED", "STOPPED", "CONFIGURING", "COMPLETING", "SIGNALING"}
    | {"STAGE_OUT", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"}
)
#: states that are not the end of a job, and the ledger's rule for each
UNFINISHED = {"REQUEUED": "requeued", "RESIZING": "resized", "REVOKED": "revoked"}
#: states after which Slurm may requeue a job with its old id
AGAIN = frozenset({"NODE_FAIL", "BOOT_FAIL", "PREEMPTED"})

_ID = r"(\d{1,17})(?:_(\d+|\[[^\]|]*\]))?(?:\+(\d{1,9}))?"
_RAW = r"(\d{1,17})(?:\+\d+)?"


def steps(dump: Dump) -> pd.Series:
    """Return which lines are steps of jobs (``123.batch``, ``123_4.0``): bool by line."""
    cells = dump.cells[[field for field in ("JobIDRaw", "JobID") if field in dump.cells]]
    return cells.apply(lambda column: column.str.contains(".", regex=False)).any(axis=1)


def read_ids(dump: Dump, lines: pd.Index) -> pd.DataFrame:
    """Read the ids of jobs, by line; raise `SacctError` if a value is not a job id.

    The columns are:

    - number: int64, of JobIDRaw, or of a plain JobID; -1 for a task of an array or a component
      without its raw id.
    - key: equal for all runs of one job.
    - tasks: for a line that represents several tasks of an array, their list, else empty.
    - whole, part: for a component of a heterogeneous job, the id of the whole, and its place in
      it, else -1; int64.
    """
    field = "JobID" if "JobID" in dump.cells else "JobIDRaw"
    texts = dump.cells.loc[lines, field]
    parts = texts.str.extract(rf"^{_ID}$")
    raw = dump.cells.loc[lines, "JobIDRaw"] if "JobIDRaw" in dump.cells else texts
    number = raw.str.extract(rf"^{_RAW if raw is not texts else _ID}$")[0]
    for name, column in ((field, parts[0]), ("JobIDRaw", number)):
        if column.isna().any():
            raise dump.fault(
                int(lines[column.isna()][0]),
                name,
                "is not a job id",
                "ids are like 123, 123_4, 123_[5-9%2] or 123+0; take the line out",
            )
    derived = (raw is texts) & (parts[1].notna() | parts[2].notna())
    tasks = parts[1].where(parts[1].str.startswith("[").fillna(False).astype(bool), "").fillna("")
    component = parts[2].notna()
    return pd.DataFrame(
        {
            "number": number.astype("int64").mask(derived, -1),
            "key": texts + "|" + raw,
            "tasks": tasks.astype("str"),
            "whole": parts[0].astype("int64").where(component, -1),
            "part": parts[2].fillna("-1").astype("int64"),
        },
        index=lines,
    )


def read_states(dump: Dump, lines: pd.Index) -> pd.Series:
    """Return the states of jobs without additions (``CANCELLED by 1000``); text by line.

    Empty if the dump has no states.
    """
    if "State" not in dump.cells:
        return pd.Series("", lines, dtype="str")
    return dump.cells.loc[lines, "State"].str.extract(r"^(\w*)")[0].fillna("").str.upper()


def run_again(key: pd.Series, state: pd.Series, times: pd.DataFrame) -> pd.Series:
    """Return which lines are runs that Slurm aborted and that another line of the job follows.

    `key` and `state` are from `read_ids` and `read_states`. Columns of `times`: Submit and Start,
    in seconds, -1 if unknown. The result is bool, by line.
    """
    order = times[["Submit", "Start"]].assign(key=key)
    # runs that have not started come last
    order["Start"] = order["Start"].where(order["Start"] >= 0, 2**62)
    ordered = order.sort_values(["Submit", "Start"])  # and by line
    followed = ordered["key"].duplicated(keep="last").reindex(key.index)
    return followed & state.isin(AGAIN)
