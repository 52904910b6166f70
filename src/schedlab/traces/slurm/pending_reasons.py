"""Slurm's reasons of waiting: those that do not end by waiting, limits, and all others.

References
----------
Slurm, squeue(1), "JOB REASON CODES", and its page "Job Reason Codes".
"""

import re
from functools import cache
from typing import Literal

#: whole reasons, or patterns of families, that only an intervention ends, with words for them
NEVER = {
    "JobHeldUser": "held by its user",
    "JobHeldAdmin": "held by an administrator",
    "JobHoldMaxRequeue": "held after too many requeues",
    "job requeued in held state": "held since its requeue",
    r"[\w ]+ failed requeued held": "held after a failure, {reason}",
    "BurstBufferOperation": "its burst buffer operation failed",
    "DependencyNeverSatisfied": "depends on what never comes",
    "ReservationDeleted": "its reservation was deleted",
    "PartitionDown": "its partition is down",
    "PartitionInactive": "its partition is inactive",
    "PartitionConfig": "its partition does not allow it",
    "PartitionTimeLimit": "its limit is above its partition's",
    "PartitionNodeLimit": "more nodes than its partition allows",
    "BadConstraints": "no nodes are as it wants them",
    "NodeDown": "a node that it needs is down",
    "FrontEndDown": "its front end is down",
    "DeadLine": "its deadline cannot be met",
    "InvalidAccount": "its account is not valid",
    "InvalidQOS": "its quality of service is not valid",
    "MaxMemPerLimit": "more memory than is allowed",
    r"\w+Per(?:Job|Node)(?:Limit)?": "above a limit on each job, {reason}",
    r"(?:QOS|Assoc)Min\w+": "below a minimum for each job, {reason}",
    r"\w+NotAllowed": "not allowed in its partition, {reason}",
}
#: limits of users, accounts, QOS and arrays, and other resources than processors
_LIMITS = (
    r"(?:QOS|Assoc|Max|BurstBuffer|Power)\w+|AccountingPolicy|JobArrayTaskLimit|Licenses|"
    r"Reservation|ReqNodeNotAvail.*|MpiPortsBusy|FedJobLock|Nodes required for job are DOWN"
)
_ABLE = (
    r"|None|NoReason|\(null\)|Priority|Resources|Dependency|BeginTime|Cleaning|Prolog|SchedDefer"
)


@cache
def classify_reason(text: str) -> tuple[Literal["able", "limit", "never", "unknown"], str]:
    """Return what a reason means for the start of a job, and the reason or words for it.

    Words after a comma, and underscores for blanks, are ignored. An unknown reason is of a job that
    may start for all that is known.

    Examples
    --------
    >>> classify_reason("ReqNodeNotAvail, UnavailableNodes:n1")
    ('limit', 'ReqNodeNotAvail')
    >>> classify_reason("QOSMaxWallDurationPerJobLimit")
    ('never', 'above a limit on each job, QOSMaxWallDurationPerJobLimit')
    >>> classify_reason("Priority")[0], classify_reason("NewInSlurm99")[0]
    ('able', 'unknown')
    """
    reason = text.partition(",")[0].replace("_", " ").strip()
    for pattern, words in NEVER.items():
        if re.fullmatch(pattern, reason, re.IGNORECASE):
            return "never", words.format(reason=reason)
    if re.fullmatch(_LIMITS, reason, re.IGNORECASE):
        return "limit", reason
    is_able = re.fullmatch(_ABLE, reason, re.IGNORECASE)
    return "able" if is_able else "unknown", reason
