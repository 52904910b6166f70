"""Dumps of a running Slurm."""

import pytest

from schedlab.traces.slurm.scontrol_text import is_scontrol, read_scontrol

CONFIG = """\
Configuration data as of 2026-11-28T10:00:00
AccountingStorageTRES   = cpu,mem,energy,node,billing,fs/disk,vmem,pages,gres/gpu
SlurmctldHost[0]        = head(127.0.0.1)
KillWait                = 30 sec
Licenses                = (null)
SchedulerParameters     = bf_interval=60,defer

Cgroup Support Configuration:
KillWait                = 99

Slurmctld(primary) at head is UP
"""
NODES = """\
NodeName=n1 Arch=x86_64 CoresPerSocket=4 
   CPUAlloc=0 CPUEfctv=8 CPUTot=8 CPULoad=0.01
   AvailableFeatures=ib ActiveFeatures=ib
   Gres=gpu:v100:2(S:0-1)
   OS=Linux 6.1.0-9-amd64 #1 SMP Debian 6.1.27-1 
   RealMemory=16000 AllocMem=0 FreeMem=1000 Sockets=1 Boards=1
   State=IDLE+DRAIN ThreadsPerCore=2 TmpDisk=0 Weight=7 Owner=N/A MCS_label=N/A
   Partitions=main 
   CfgTRES=cpu=8,mem=16000M,billing=8,gres/gpu=2
   AllocTRES=
   Reason=fan = broken State=DOWN [root@2026-11-01T10:00:00]

NodeName=n2 CPUAlloc=0 CPUTot=4 State=IDLE

"""


def read(folder, text):
    (folder / "dump.txt").write_text(text)
    return read_scontrol(folder / "dump.txt")


def test_configuration_ends_before_other_sections(tmp_path):
    records = read(tmp_path, CONFIG + NODES)
    config = [each.name for each in records if each.kind == "conf"]
    assert [(each.line, each.key, each.value) for each in config[1:]] == [
        (3, "SlurmctldHost", "head(127.0.0.1)"),
        (4, "KillWait", "30 sec"),
        (5, "Licenses", "(null)"),
        (6, "SchedulerParameters", "bf_interval=60,defer"),
    ]
    assert [each.name.value for each in records if each.kind == "node"] == ["n1", "n2"]


@pytest.mark.parametrize("one_line", [False, True])
def test_nodes(tmp_path, one_line):
    text = NODES.replace("\n   ", " ") if one_line else NODES
    first, second = read(tmp_path, text)
    values = {key: each.value for key, each in first.settings.items()}
    expected = {"cputot": "8", "gres": "gpu:v100:2(S:0-1)", "state": "IDLE+DRAIN", "weight": "7"}
    expected |= {"alloctres": "", "cfgtres": "cpu=8,mem=16000M,billing=8,gres/gpu=2"}
    assert {key: values[key] for key in expected} == expected
    assert values["os"].startswith("Linux 6.1.0")
    assert "reason" not in values
    assert first.settings["weight"].line == (1 if one_line else 7)
    assert second.settings["cputot"].value == "4"


@pytest.mark.parametrize(
    ("text", "is_dump"),
    [
        (CONFIG, True),
        (NODES, True),
        ("PartitionName=a\n   AllowGroups=ALL\n   AllocNodes=ALL\n", True),
        ("ReservationName=a StartTime=x\n   Nodes=n1 NodeCnt=1\n", True),
        ("NodeName=n1 CPUs=4\nPartitionName=a Nodes=n1\n", False),
        ("# Configuration data as of today\nKillWait=30\n", False),
    ],
)
def test_which_files_are_dumps(text, is_dump):
    assert is_scontrol(text) is is_dump
