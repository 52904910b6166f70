"""A small site's Slurm, and event files for it."""

from __future__ import annotations

from pathlib import Path

CONF = """\
ClusterName=small
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
PriorityWeightQOS=1000
AccountingStorageEnforce=associations,limits,qos
SchedulerParameters=bf_interval=30
MessageTimeout=60
Licenses=matlab:2
NodeName=DEFAULT Sockets=1 ThreadsPerCore=1
NodeName=c[1-2] CoresPerSocket=4 RealMemory=1000
NodeName=g1 CoresPerSocket=8 RealMemory=2000 Gres=gpu:v100:2
PartitionName=main Nodes=c[1-2],g1 Default=YES MaxTime=60 DefaultTime=30 DefMemPerCPU=100
PartitionName=gpu Nodes=g1 MaxTime=120
"""
ACCOUNTS = """\
create qos Name=normal Priority=1
create qos Name=high Priority=10 MaxTRESPerUser=cpu=6
add account physics Cluster=small
add account biology Cluster=small
add user ada Account=physics DefaultAccount=physics QOS=normal,high DefaultQOS=normal
add user bob Account=biology DefaultAccount=biology QOS=normal,high DefaultQOS=normal
"""
EVENTS = """\
-dt 0 -e submit_batch_job | -sim-walltime 600 --uid=ada -n 16 -t 15 -q normal a.job
-dt 5 -e submit_batch_job | -sim-walltime 300 --uid=bob -N 1 -n 1 -t 10 --gres=gpu:1 --mem=500 b.job
-dt 6 -e submit_batch_job | -sim-walltime 300 --uid=bob -n 4 -q high c.job
-dt 7 -e submit_batch_job | -sim-walltime 60 --uid=ada -n 1 -t 90 d.job
-dt 8 -e submit_batch_job | -sim-walltime 60 --uid=ada -N 1 -n 1 -t 5 -p gpu --gres=gpu:1 e.job
"""


def write_site(folder: Path, events: str = EVENTS) -> list[str]:
    """Write the site's files; return the arguments of `schedlab simulate`."""
    texts = {"slurm.conf": CONF, "accounts.txt": ACCOUNTS, "week.events": events}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    paths = {name: str(folder / name) for name in texts}
    return [
        paths["week.events"],
        *("--slurm-conf", paths["slurm.conf"], "--accounts", paths["accounts.txt"]),
    ]
