"""Job ids and states of an `sacct` dump: which lines are jobs, and how they ended.

References
----------
Slurm, sacct(1), fields JobID and State ("JOB STATE CODES"); job_array and heterogeneous_jobs of its
documentation.
"""

import re
from dataclasses import dataclass

import numpy as np

from schedlab.traces.slurm.sacct_lines import Check, Column, Dump

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

_ID = re.compile(r"([0-9]{1,17})(?:_([0-9]+|\[[^\]|]*\]))?(?:\+([0-9]{1,9}))?")
_RAW = re.compile(r"([0-9]{1,17})(?:\+[0-9]+)?")
CHECKS = tuple(
    Check(
        field,
        lambda text, form=form: form.fullmatch(text) is not None,
        "is not a job id",
        "ids are like 123, 123_4, 123_[5-9%2] or 123+0; take the line out",
    )
    for field, form in (("JobID", _ID), ("JobIDRaw", _RAW))
)


def is_id(text: str) -> bool:
    """Return whether a text is an id of a job."""
    return _ID.fullmatch(text) is not None


def steps(dump: Dump) -> np.ndarray:
    """Return which lines are steps of jobs (``123.batch``, ``123_4.0``): bool by row."""
    found = np.zeros(len(dump), dtype=bool)
    for field in ("JobIDRaw", "JobID"):
        if field in dump.columns:
            found |= dump.columns[field].rows_with(lambda text: "." in text)
    return found


@dataclass(frozen=True, eq=False)
class Ids:
    """Ids of jobs; arrays are int64 by row, dictionaries by row."""

    number: np.ndarray  # JobIDRaw or plain JobID; -1 for a task or component without its raw id
    plain: np.ndarray  # 123 of a JobID ``123`` or ``123_4``, else -1
    task: np.ndarray  # 4 of ``123_4``, else -1
    texts: dict[str, dict[int, str]]  # by field and row, ids that are other texts
    unstarted: dict[int, str]  # the list of tasks, if a line represents several tasks of an array
    parts: dict[int, tuple[int, int]]  # the id of the whole heterogeneous job, and the place in it


def read_ids(dump: Dump) -> Ids:
    """Read the ids of jobs."""
    field = "JobID" if "JobID" in dump.columns else "JobIDRaw"
    column, raw = dump.columns[field], dump.columns.get("JobIDRaw")
    if raw is None:
        number = np.where((dump.tasks < 0) & (column.values >= 0), column.values, -1)
    else:
        number = raw.numbers(lambda text: int(match[1]) if (match := _RAW.fullmatch(text)) else -1)
    texts = {
        name: {
            row: dump.columns[name].texts[-1 - dump.columns[name].values[row]]
            for row in np.flatnonzero(dump.columns[name].values < 0).tolist()
        }
        for name in ("JobID", "JobIDRaw")
        if name in dump.columns
    }
    unstarted, parts = {}, {}
    for row, text in texts[field].items():
        match = _ID.fullmatch(text)
        assert match is not None
        if raw is None and match[2] is None and match[3] is None:
            number[row] = int(match[1])
        if (match[2] or "").startswith("["):
            unstarted[row] = match[2]
        if match[3] is not None:
            parts[row] = int(match[1]), int(match[3])
    plain = np.where(column.values < 0, -1, column.values)
    return Ids(number, plain, dump.tasks, texts, unstarted, parts)


def id_text(plain: int, task: int, number: int) -> str:
    """Return an id as in the dump, from the attributes of `Ids`; `plain` is -1 if it is `number`.

    Examples
    --------
    >>> id_text(-1, -1, 7), id_text(123, 4, 130)
    ('7', '123_4')
    """
    whole = number if plain < 0 else plain
    return f"{whole}_{task}" if task >= 0 else str(whole)


def read_states(dump: Dump) -> Column:
    """Return the states of jobs without additions (``CANCELLED by 1000``)."""
    states = dump.first_of("State")
    return Column(
        states.values, [re.match(r"\w*", text)[0].upper() or text for text in states.texts]
    )
