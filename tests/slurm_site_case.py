"""A small site's Slurm, and event files for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.traces.site_rules import partition_limit
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.log import load_log
from schedlab.workbench.site_results import RULES, SiteResult, simulate_site

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
NodeName=c[1-2] CoresPerSocket=4 RealMemory=1000 Feature=ib
NodeName=g1 CoresPerSocket=8 RealMemory=2000 Gres=gpu:v100:2 Feature=ib
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

YAML = """\
nodes:
  thin: {count: 2, cpus: 4}
  wide: {count: 1, cpus: 8}
partitions:
  short: {nodes: [thin], max_time: 1h}
  "2": {default_time: 10m, qos: few}
qos:
  few: {limits: {user: {cpus: 6}}}
"""
#: the third job waits for the second of the same user, in the queue with the limit; the last has
#: another user
SWF = """\
; Queue: 1 short
1 0 -1 600 8 -1 -1 8 900 -1 1 1 1 -1 1 -1 -1 -1
2 5 -1 300 6 -1 -1 6 600 -1 1 2 1 -1 2 -1 -1 -1
3 6 -1 300 1 -1 -1 1 -1 -1 1 2 1 -1 2 -1 -1 -1
4 8 -1 60 1 -1 -1 1 5400 -1 1 1 1 -1 1 -1 -1 -1
5 9 -1 60 1 -1 -1 1 600 -1 1 3 1 -1 -1 -1 -1 -1
6 10 -1 60 1 -1 -1 1 300 -1 1 3 1 -1 2 -1 -1 -1
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


def write_days(folder: Path, days: int = 6) -> Path:
    """Write a log of some days for the site, with too many jobs in the mornings."""
    generator = np.random.default_rng(1)
    count = 40 * days
    submit = np.sort(
        86_400 * generator.integers(0, days, count) + generator.integers(0, 900, count)
    )
    minutes = generator.integers(1, 61, count)
    zero = pd.Timestamp("2026-03-01T08:00:00")
    table = pd.DataFrame({
        "submit": zero + pd.to_timedelta(submit, unit="s"),
        "runtime": minutes * 40,
        "requested_time": minutes * 60,
        "procs": generator.choice([1, 2, 4], count),
        "user": generator.choice(["ada", "bob"], count),
        "partition": "main",
    })  # fmt: skip
    table.to_parquet(folder / "days.parquet")
    return folder / "days.parquet"


def result_of(folder: Path, events: str = EVENTS) -> SiteResult:
    """Return what the small site does with events."""
    write_site(folder, events)
    site = read_site(folder / "slurm.conf", folder / "accounts.txt")
    rule = partition_limit(site.machine.partitions)
    path = folder / "week.events"
    log = load_log(path, RULES, site.machine.processors, rule, drop_wide=True)
    return simulate_site(log, site)
