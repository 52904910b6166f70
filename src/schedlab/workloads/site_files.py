"""Files of a synthetic site's Slurm: slurm.conf and a script of sacctmgr.

The site is a model: 72 nodes of four kinds, three partitions, four QOS, and users in accounts with
shares. Its jobs are of `schedlab.workloads.site_jobs`.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of nodes: prefix of their names, how many, processors, MB and GPUs of each."""

    prefix: str
    nodes: int
    cpus: int
    memory: int
    gpus: int = 0

    @property
    def names(self) -> str:
        """Names of all nodes, as in slurm.conf."""
        return f"{self.prefix}[01-{self.nodes:02d}]"


#: kinds of nodes, by what they are for
KINDS = {
    "thin": Kind("t", 48, 16, 64_000),
    "fat": Kind("f", 8, 16, 512_000),
    "gpu": Kind("g", 8, 32, 256_000, 4),
    "small": Kind("s", 8, 8, 32_000),
}
PROCESSORS = sum(kind.nodes * kind.cpus for kind in KINDS.values())
#: accounts with their shares, and accounts below them with share and number of users
ACCOUNTS = {
    "science": (60, {"physics": (30, 14), "chemistry": (20, 10), "biology": (10, 12)}),
    "engineering": (30, {"fluids": (20, 8), "materials": (10, 6)}),
    "medicine": (10, {"imaging": (5, 6), "genomics": (5, 4)}),
}
#: QOS with its settings in a script of sacctmgr
QOS = {
    "normal": "Priority=10 MaxTRESPerUser=cpu=384",
    "high": "Priority=100 GrpTRES=cpu=384 MaxTRESPerUser=cpu=256 MaxJobsPerUser=8",
    "debug": "Priority=200 MaxWall=01:00:00 MaxJobsPerUser=2 MaxTRESPerUser=cpu=64",
    "idle": "Priority=0 MaxTRESPerUser=cpu=512",
}

_CONF = """\
# A synthetic site, written by schedlab: no real machine.
ClusterName=example
SlurmctldHost=head
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=60,bf_window=4320,bf_resolution=300,bf_max_job_test=300,bf_max_job_user=20,default_queue_depth=200
PriorityType=priority/multifactor
PriorityWeightAge=2000
PriorityWeightFairshare=10000
PriorityWeightJobSize=1000
PriorityWeightPartition=2000
PriorityWeightQOS=5000
PriorityDecayHalfLife=7-0
PriorityMaxAge=7-0
PriorityCalcPeriod=00:05:00
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
JobRequeue=0
KillWait=30
"""
_PARTITIONS = """\
PartitionName=DEFAULT State=UP DefMemPerCPU=3500 PriorityJobFactor=10
PartitionName=batch Nodes={thin},{fat} Default=YES MaxTime=2-00:00:00 DefaultTime=04:00:00
PartitionName=gpu Nodes={gpu} MaxTime=1-00:00:00 DefaultTime=02:00:00
PartitionName=short Nodes={small} MaxTime=06:00:00 DefaultTime=01:00:00 PriorityJobFactor=20
"""


def users_of() -> dict[str, str]:
    """Return the account of each user.

    >>> len(users_of()), users_of()["physics01"]
    (60, 'physics')
    """
    return {
        f"{account}{number:02d}": account
        for _, accounts in ACCOUNTS.values()
        for account, (_, users) in accounts.items()
        for number in range(1, users + 1)
    }


def slurm_conf() -> str:
    """Return the site's slurm.conf."""
    lines = ["NodeName=DEFAULT Sockets=2 ThreadsPerCore=1 State=UNKNOWN"]
    for weight, kind in enumerate(sorted(KINDS.values(), key=lambda kind: kind.memory), start=1):
        gres = f" Gres=gpu:{kind.gpus}" if kind.gpus else ""
        lines.append(
            f"NodeName={kind.names} CoresPerSocket={kind.cpus // 2} RealMemory={kind.memory}"
            f"{gres} Weight={weight}"
        )
    names = {name: kind.names for name, kind in KINDS.items()}
    return "\n".join([_CONF + "\n".join(lines), _PARTITIONS.format(**names)])


def accounts_script() -> str:
    """Return the site's QOS, accounts and users as a script of sacctmgr."""
    lines = ["# QOS, accounts and users of a synthetic site, written by schedlab."]
    for name, settings in QOS.items():
        command = f"modify qos {name} set" if name == "normal" else f"create qos Name={name}"
        lines.append(f"{command} {settings}")
    for parent, (share, accounts) in ACCOUNTS.items():
        lines.append(f"add account {parent} Cluster=example Fairshare={share}")
        for account, (part, _) in accounts.items():
            lines.append(f"add account {account} Cluster=example Parent={parent} Fairshare={part}")
    allowed = ",".join(QOS)
    for user, account in users_of().items():
        lines.append(
            f"add user {user} Account={account} DefaultAccount={account} Fairshare=1 "
            f"QOS={allowed} DefaultQOS=normal"
        )
    return "\n".join([*lines, ""])
