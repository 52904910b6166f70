"""Settings of a Slurm that is started here, and its nodes."""

import contextlib
import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

# Slurm's default folder, because Snakemake's executor does not pass on SLURM_CONF
SETTINGS = Path("/etc/slurm")
#: backfilling passes every half minute, which is Slurm's default
BACKFILL = "SchedulerParameters=bf_interval=30"
SLURM_CONF = """\
ClusterName=schedlab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
# what a container without systemd and cgroups can do
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
# no database: one line a finished job
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/completed.txt
# processors and memory are shared out, soon after a submission
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1
PriorityType=priority/multifactor
ReturnToService=2
# a node that is silent for so many seconds is down, and its jobs restart elsewhere
SlurmdTimeout=30
# jobs are as nice as what submits them
PropagatePrioProcess=1
# nodes are invented: larger than this machine, all of them on it
SlurmdParameters=config_overrides
{nodes}
"""


@dataclass(frozen=True)
class SlurmNodes:
    """Virtual nodes of one kind, all on this machine; processors and memory (MB) are per node."""

    nodes: int = 4
    cpus: int = 8
    memory: int = 32000

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes."""
        return tuple(f"n{i}" for i in range(1, self.nodes + 1))

    @property
    def lines(self) -> str:
        """Lines of slurm.conf: one per node, and one partition of all."""
        of_each = f"CPUs={self.cpus} RealMemory={self.memory}"
        nodes = [f"NodeName={name} {place} {of_each}" for name, place in places_of(self.names)]
        partition = f"PartitionName=main Nodes=n[1-{self.nodes}]"
        return "\n".join([*nodes, f"{partition} Default=YES MaxTime=INFINITE State=UP"])


@dataclass(frozen=True)
class SiteNodes:
    """Nodes of a site, all on this machine: names, lines of slurm.conf with its partitions."""

    names: tuple[str, ...]
    lines: str

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.names)


def places_of(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return each node with the settings that place it on this machine."""
    place = f"NodeHostname={hostname()} NodeAddr=127.0.0.1"
    return [(name, f"{place} Port={17000 + k}") for k, name in enumerate(names, 1)]


SMALL = SlurmNodes()


@contextlib.contextmanager
def settings_in_place(
    folder: Path,
    machine: SlurmNodes | SiteNodes,
    lines: Iterable[str] = (),
    files: Mapping[str, str] | None = None,
) -> Iterator[None]:
    """Put the settings where Slurm looks for them, and restore the previous ones in the end."""
    settings = SLURM_CONF.format(host=hostname(), folder=folder, nodes=machine.lines)
    lines = list(lines)
    keys = {line.split("=")[0] for line in lines}
    base_lines = [line for line in settings.splitlines() if line.split("=")[0] not in keys]
    texts = {
        "slurm.conf": "\n".join([*base_lines, *lines, ""]),
        "cgroup.conf": "CgroupPlugin=cgroup/v1\n",
        **(files or {}),
    }
    before = {name: (SETTINGS / name).read_bytes() for name in texts if (SETTINGS / name).exists()}
    SETTINGS.mkdir(exist_ok=True)
    try:
        for name, text in texts.items():
            (SETTINGS / name).write_text(text)
        yield
    finally:
        for name in texts:
            if name in before:
                (SETTINGS / name).write_bytes(before[name])
            else:
                (SETTINGS / name).unlink(missing_ok=True)


def of_another() -> bool:
    """Return whether the present settings belong to a Slurm that was not started here."""
    if not (place := SETTINGS / "slurm.conf").exists():
        return False
    lines = place.read_text(errors="replace").splitlines()
    # keys may have any case; included settings are not from here either
    return "clustername=schedlab" not in ("".join(line.split()).lower() for line in lines)


def hostname() -> str:
    """Return the short name of this machine."""
    return socket.gethostname().split(".")[0]
