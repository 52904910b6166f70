"""Dependencies of queued jobs, in Slurm's notation.

References
----------
Slurm, sbatch(1), --dependency; squeue(1), %E.
"""

import re
from collections.abc import Mapping, Sequence

#: kinds that need the end of other jobs (aftercorr, which is per task, counts as for all tasks)
OVER = frozenset({"afterok", "afterany", "aftercorr", "afterburstbuffer"})
_ONE = re.compile(r"(\w+):(\d+(?:_(?:\*|\d+))?)(?:\+\d+)?(?:\((\w+)\))?")


def depends_on(text: str, places: Mapping[str, Sequence[int]]) -> tuple[list[int], str]:
    """Return the places of the jobs that must end first, or why they are unknown.

    `places` are by id of a job, of a task (``13_2``) and of an array (``13``). The second value is
    empty if the places are known.

    >>> depends_on("afterok:12(unfulfilled)", {"12": [4]})
    ([4], '')
    >>> depends_on("singleton(unfulfilled)", {})[1]
    "waits for 'singleton(unfulfilled)', which is more than the end of jobs"
    """
    blockers: list[int] = []
    if "?" in text:
        return [], f"waits for any of '{text}'"
    for part in filter(None, text.split(",")):
        match = _ONE.fullmatch(part)
        if not match or match[1] not in OVER:
            return [], f"waits for '{part}', which is more than the end of jobs"
        if (match[3] or "").startswith("failed"):
            return [], f"waits for job {match[2]}, which has failed"
        members = places.get(match[2].removesuffix("_*"))
        if not members:
            return [], f"waits for job {match[2]}, which is not in the queue that was read"
        blockers += members
    return blockers, ""
