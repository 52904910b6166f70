"""Files of whole sites: those of recordings, and of a folder of SCHEDLAB_ARCHIVE."""

import pytest

from recording_case import FOLDER
from schedlab.traces.archive import archive_folders
from schedlab.traces.slurm.site_events import read_events
from schedlab.traces.slurm.site_files import read_site


def folder_of(path):
    """Return a folder in one of the archive, or skip the test."""
    for folder in archive_folders():
        if (folder / path).is_dir():
            return folder / path
    pytest.skip(f"{path} is in no folder of SCHEDLAB_ARCHIVE")


@pytest.mark.parametrize(
    ("name", "nodes", "processors", "partitions", "qos", "associations"),
    [
        ("partitions", 8, 32, 3, 1, 7),
        ("qos-limits", 6, 24, 1, 3, 8),
        ("fair-share", 6, 24, 1, 1, 13),
        ("memory-gpu", 8, 40, 1, 1, 7),
        ("preempt-qos", 6, 24, 1, 3, 7),
        ("preempt-tier", 6, 24, 3, 1, 7),
        ("reservations", 6, 24, 1, 1, 8),
        ("mixed", 10, 45, 2, 6, 14),
    ],
)
def test_recorded_site(name, nodes, processors, partitions, qos, associations):
    folder = FOLDER / name
    site = read_site(folder / "slurm.conf", folder / "sacctmgr.txt")
    assert (len(site.machine), site.machine.processors) == (nodes, processors)
    assert (len(site.machine.partitions), len(site.qos)) == (partitions, qos)
    assert len(site.associations) == associations
    assert site.not_modeled == ()


@pytest.mark.logs
def test_whole_site():
    folder = folder_of("ub-medium")
    site = read_site(folder / "slurm.conf", folder / "sacctmgr.script")
    assert (len(site.machine), site.machine.processors) == (217, 7968)
    assert [len(each.nodes) for each in site.machine.partitions] == [215, 2]
    assert [len(switch) for switch in site.switches] == [89, 96, 32]
    assert (len(site.associations), len(site.qos)) == (169, 5)
    assert [each.key for each in site.not_modeled] == ["Nodes", "Nodes"]


@pytest.mark.logs
def test_submissions_of_a_whole_site():
    jobs, ledger = read_events(folder_of("ub-medium") / "workload_week.events.gz")
    assert (len(jobs), len(ledger)) == (19_579, 0)
    assert jobs["qos"].value_counts().to_dict() == {
        "priority": 13_143,
        "general-compute": 4832,
        "supporters": 1111,
        "priority-supporters": 424,
        "debug": 69,
    }
    # 73 lines ask twice, the last request counts
    assert jobs["gres"].value_counts().to_dict() == {"": 19_506, "gpu:2": 44, "gpu:1": 29}
    assert jobs["submit"].is_monotonic_increasing
