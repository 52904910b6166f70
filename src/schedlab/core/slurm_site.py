"""A site's Slurm: its machine, priorities, limits, accounts and schedulers' parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NamedTuple

from schedlab.core.machine import Machine

#: shares of a user that counts as its account ("Fairshare=parent")
OF_PARENT = -1
ROOT = "root"
MINUTE, DAY = 60, 86_400
#: releases whose differences are modeled, oldest first
VERSIONS = ("22.05", "24.11", "25.11")


@dataclass(frozen=True)
class Limits:
    """Limits of a QOS or an association; None: no limit. Times in seconds, memory in MB.

    `grp_` limits count all jobs of the QOS or association together; `_pu` and `_pa` per user and
    account (QOS only); `_pj` per job, `_pn` per node of a job. TRES limits are by name.
    """

    grp_tres: Mapping[str, int] = field(default_factory=dict)
    grp_tres_mins: Mapping[str, int] = field(default_factory=dict)
    grp_tres_run_mins: Mapping[str, int] = field(default_factory=dict)
    grp_jobs: int | None = None
    grp_submit: int | None = None
    grp_wall: int | None = None
    max_tres_pj: Mapping[str, int] = field(default_factory=dict)
    max_tres_pn: Mapping[str, int] = field(default_factory=dict)
    max_tres_pu: Mapping[str, int] = field(default_factory=dict)
    max_tres_pa: Mapping[str, int] = field(default_factory=dict)
    max_tres_mins_pj: Mapping[str, int] = field(default_factory=dict)
    min_tres_pj: Mapping[str, int] = field(default_factory=dict)
    max_jobs: int | None = None
    max_jobs_pu: int | None = None
    max_jobs_pa: int | None = None
    max_submit: int | None = None
    max_submit_pu: int | None = None
    max_submit_pa: int | None = None
    max_jobs_accrue: int | None = None
    max_wall: int | None = None


@dataclass(frozen=True)
class Qos:
    """A quality of service; `preempts` are names of QOS, `preempt` is PreemptMode."""

    name: str
    priority: int = 0
    limits: Limits = field(default_factory=Limits)
    preempts: frozenset[str] = frozenset()
    preempt: str = ""
    flags: frozenset[str] = frozenset()
    usage_factor: float = 1.0
    grace: int = 0


@dataclass(frozen=True)
class Association:
    """A user in an account, or an account (no user), below its parent.

    `parent` is a place in `Site.associations`, -1 for the root. `shares` may be `OF_PARENT`.
    `qos` are allowed names, None: those of the parent. `partition` restricts it, if given.
    """

    account: str
    user: str = ""
    parent: int = -1
    shares: int = 1
    partition: str = ""
    limits: Limits = field(default_factory=Limits)
    qos: frozenset[str] | None = None
    default_qos: str = ""
    priority: int = 0


@dataclass(frozen=True)
class Priorities:
    """Weights and periods of the multifactor priority, by Slurm's names without their prefix.

    Times in seconds; `half_life` 0: usage does not decay.
    """

    multifactor: bool = True
    age: int = 0
    assoc: int = 0
    fairshare: int = 0
    jobsize: int = 0
    partition: int = 0
    qos: int = 0
    tres: Mapping[str, float] = field(default_factory=dict)
    max_age: int = 7 * DAY
    calc_period: int = 5 * MINUTE
    half_life: int = 7 * DAY
    usage_reset: str = "NONE"
    favor_small: bool = False
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Scheduling:
    """Parameters of both schedulers (SchedulerParameters), by Slurm's names; times in seconds.

    `bf_node_space_size` 0: as `bf_max_job_test`; 0 for other numbers: no limit. `bf_interval` 0:
    no backfilling.
    """

    default_queue_depth: int = 100
    partition_job_depth: int = 0
    sched_interval: int = 60
    sched_min_interval: float = 2e-6
    batch_sched_delay: int = 3
    defer: bool = False
    assoc_limit_stop: bool = False
    bf_interval: int = 30
    bf_window: int = DAY
    bf_resolution: int = MINUTE
    bf_max_job_test: int = 500
    bf_max_job_user: int = 0
    bf_max_job_part: int = 0
    bf_max_job_assoc: int = 0
    bf_max_job_user_part: int = 0
    bf_max_job_start: int = 0
    bf_max_job_array_resv: int = 20
    bf_node_space_size: int = 0
    bf_window_linear: int = 0
    bf_min_age_reserve: int = 0
    bf_min_prio_reserve: int = 0
    bf_job_part_count_reserve: int = 0
    bf_one_resv_per_job: bool = False
    bf_running_job_reserve: bool = False


#: longest value that a phrase has, in characters
SHORT = 24


class NotModeled(NamedTuple):
    """A setting that the simulation leaves out, and a note on what it does in its place."""

    file: str
    line: int
    key: str
    value: str
    note: str = ""

    @property
    def phrase(self) -> str:
        """The setting with its file and the note, for a sentence, without lists and long values.

        >>> NotModeled("etc/topology.conf", 1, "Nodes", "n1,n2", "no such nodes").phrase
        'Nodes in topology.conf (no such nodes)'
        >>> NotModeled("slurm.conf", 7, "PreemptMode", "WITHIN", "preemption within a QOS").phrase
        'PreemptMode=WITHIN in slurm.conf (preemption within a QOS)'
        """
        setting = f"{self.key}={self.value}" if self._is_short else self.key
        note = f" ({self.note})" if self.note else ""
        return f"{setting} in {PurePath(self.file).name}{note}"

    @property
    def _is_short(self) -> bool:
        return 0 < len(self.value) <= SHORT and "," not in self.value


@dataclass(frozen=True, eq=False)
class Site:
    """A site's Slurm as its files describe it.

    `switches` are the leaf switches of topology/tree as places of nodes, in the file's order;
    without a topology they are empty. `usage` is the usage of associations at the beginning, by
    (account, user), in seconds of billing. `default_accounts` has each user's account for jobs that
    name none. `memory_counts` and `whole_cores` follow SelectTypeParameters. `default_memory_…` are
    those of the cluster, in MB. `not_modeled` lists every setting that is read and has no effect
    here although it may have one in Slurm.
    """

    machine: Machine
    priorities: Priorities = field(default_factory=Priorities)
    scheduling: Scheduling = field(default_factory=Scheduling)
    qos: tuple[Qos, ...] = ()
    associations: tuple[Association, ...] = (Association(ROOT),)
    version: str = VERSIONS[0]
    enforce: frozenset[str] = frozenset()
    memory_counts: bool = True
    whole_cores: bool = True
    default_memory_per_cpu: int | None = None
    default_memory_per_node: int | None = None
    kill_wait: int = 30
    over_time_limit: int = 0
    enforce_part_limits: str = "NO"
    requeue: bool = True
    preempt_type: str = ""
    preempt_mode: str = "OFF"
    preempt_exempt: int = 0
    switches: tuple[tuple[int, ...], ...] = ()
    usage: Mapping[tuple[str, str], float] = field(default_factory=dict)
    default_accounts: Mapping[str, str] = field(default_factory=dict)
    not_modeled: tuple[NotModeled, ...] = ()
