"""The size of a machine from its partitions and from the use by its jobs, by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.traces.machine_size import (
    MachineSize,
    add_up,
    expand_nodes,
    in_use,
    overuse,
    read_machine_size,
    usual_use,
)
from schedlab.traces.slurm.sacct_limits import read_partitions

OVERLAPPING = """PartitionName=short
   Nodes=n[01-04]
   State=UP TotalCPUs=32 TotalNodes=4
PartitionName=long
   Nodes=n[01-04],big[1-2]
   State=UP TotalCPUs=288 TotalNodes=6
PartitionName=all
   Nodes=n[01-04],big[1-2],gpu1
   State=UP TotalCPUs=336 TotalNodes=7
PartitionName=closed Nodes=(null) TotalCPUs=0 TotalNodes=0
"""


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("n1", ["n1"]),
        ("n[1-3]", ["n1", "n2", "n3"]),
        ("n[08-10,12],gpu1", ["n08", "n09", "n10", "n12", "gpu1"]),
        ("r[1-2]n[1,3]", ["r1n1", "r1n3", "r2n1", "r2n3"]),
        ("a-b[7]-x,c", ["a-b7-x", "c"]),
    ],
)
def test_lists_of_nodes_are_expanded(text, nodes):
    assert list(expand_nodes(text)) == nodes


@pytest.mark.parametrize(
    "text", ["n[3-1]", "n[1-]", "n[]", "n[1", "n1]", ",n1", "n1,,n2", "n[a-b]"]
)
def test_invalid_node_list_is_rejected(text):
    with pytest.raises(ValueError, match="is not a list of nodes like"):
        list(expand_nodes(text))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        # 32 on four nodes, 256 more on two, 48 more on one: 336, not 656
        (OVERLAPPING, MachineSize(336, 7)),
        (OVERLAPPING.split("PartitionName=all")[0], MachineSize(288, 6)),
        (
            "PartitionName=a MaxTime=1-0 Nodes=n[1-2] TotalCPUs=16\n"
            "PartitionName=b MaxTime=1-0 Nodes=m[1-2] TotalCPUs=8\n",
            MachineSize(24, 4),
        ),
        ("partition\tmax_time\nmain\t12:00:00\n", None),
        ("PartitionName=a Nodes=ALL MaxTime=1-0\n", None),
        ("PartitionName=a Nodes=n[1-2] MaxTime=1-0\n", None),
        ("PartitionName=a Nodes=(null) TotalCPUs=0\n", None),
    ],
)
def test_a_node_of_several_partitions_counts_once(tmp_path, root, text, size):
    """Of a real Slurm, two partitions have the same nodes with 16, one has others with 4,104."""
    path = tmp_path / "partitions.txt"
    path.write_text(text)
    assert read_machine_size(path) == size
    real = read_machine_size(root / "tests/unit/traces/slurm-22.05/partitions.txt")
    assert real == MachineSize(4120, 4)


def test_sinfo_has_the_processors_of_each_node(tmp_path):
    path = tmp_path / "sinfo.txt"
    path.write_text(
        "NODELIST|PARTITION|STATE|CPUS(A/I/O/T)\n"
        "n1|short|idle|0/8/0/8\nn1|long|idle|0/8/0/8\nn2|long|down|0/0/64/64\n"
    )
    assert read_machine_size(path) == MachineSize(72, 2)
    limits = read_partitions(path)
    assert list(limits) == ["short", "long"]
    assert limits["long"].default is limits["long"].longest is None


def test_unreadable_value_is_named_with_file_line_and_field(tmp_path):
    path = tmp_path / "partitions.txt"
    path.write_text("PartitionName=a\n  Nodes=n[1\n  TotalCPUs=4\n")
    with pytest.raises(ValueError, match=r"partitions.txt: line 2: Nodes 'n\[1' is not a list"):
        read_machine_size(path)
    path.write_text("PartitionName=a\n  Nodes=n1\n  TotalCPUs=4k\n")
    with pytest.raises(ValueError, match=r"partitions.txt: line 3: TotalCPUs '4k' is not a number"):
        read_machine_size(path)


def nodes(*numbers):
    return frozenset(f"n{number}" for number in numbers)


@pytest.mark.parametrize(
    ("partitions", "size"),
    [
        # sixteen a node everywhere
        ([(nodes(1, 2, 3), 48), (nodes(3, 4), 32)], MachineSize(64, 4)),
        # how many n3 has is not known: 12 is the mean of the smaller partition, 36 are left
        ([(nodes(1, 2, 3), 48), (nodes(3, 4), 24)], MachineSize(60, 4, estimated=True)),
        # the same partition twice, and a part of it with smaller nodes
        ([(nodes(1, 2), 20), (nodes(1, 2), 20), (nodes(1), 4)], MachineSize(20, 2)),
        # numbers that contradict each other leave a processor a node at least
        ([(nodes(1, 2), 20), (nodes(1, 2, 3), 20)], MachineSize(27, 3, estimated=True)),
    ],
)
def test_partitions_that_overlap_in_part(partitions, size):
    assert add_up(partitions) == size
    assert add_up(partitions[::-1]) == size


def spike(seconds):
    """Ten processors for 10,000 s, six more for a while in the middle."""
    return pd.DataFrame(
        {"submit": [0, 4000], "wait": [0, 1000], "runtime": [10_000, seconds], "procs": [10, 6]}
    )


@pytest.mark.parametrize(("seconds", "size"), [(88, 10), (100, 10), (101, 16), (5000, 16)])
def test_a_spike_counts_from_a_hundredth_of_the_time_on(seconds, size):
    assert usual_use(spike(seconds)) == size
    assert usual_use(spike(88).assign(procs=[10, 40])) == 40  # the widest job fits


def test_use_is_weighted_by_time_not_by_events():
    """A thousand jobs of a second each, one after the other, next to a long one."""
    short = {"submit": np.arange(0, 2000, 2), "wait": 0, "runtime": 1, "procs": 7}
    jobs = pd.concat(
        [
            pd.DataFrame({"submit": [0], "wait": [-1], "runtime": [200_000], "procs": [10]}),
            pd.DataFrame(short),
        ]
    )
    used, seconds = in_use(jobs)
    assert (used == 17).sum() == 1000
    assert seconds[used == 17].sum() == 1000
    assert seconds.sum() == 200_000
    assert usual_use(jobs) == 10
    assert usual_use(jobs, share=0.9951) == 17
    assert usual_use(jobs, share=0.995) == 10


@pytest.mark.parametrize(("second", "most"), [(99, 7), (100, 4)])
def test_a_job_that_ends_makes_room_for_one_that_starts(second, most):
    jobs = pd.DataFrame(
        {"submit": [0, 0], "wait": [0, second], "runtime": [100, 5], "procs": [3, 4]}
    )
    assert in_use(jobs)[0].max() == most
    assert usual_use(jobs.assign(runtime=0)) == 4
    assert usual_use(jobs.head(0)) == 1


@given(
    st.lists(
        st.tuples(st.integers(0, 90), st.integers(0, 9), st.integers(0, 40), st.integers(1, 9)),
        min_size=1,
    ),
    st.integers(1, 30),
)
def test_overuse_is_that_of_each_second(jobs, processors):
    frame = pd.DataFrame(jobs, columns=["submit", "wait", "runtime", "procs"])
    used = np.zeros(200)
    for submit, wait, runtime, procs in jobs:
        used[submit + wait : submit + wait + runtime] += procs
    share = (used > processors).sum() / max((used > 0).sum(), 1)
    assert overuse(frame, processors) == (share, used.max())


def test_overuse_of_a_long_log_is_of_spans():
    """A span of ten million seconds has a mean, and a job of one second hardly changes it."""
    frame = pd.DataFrame(
        {"submit": [0, 5], "wait": [0, 0], "runtime": [10**13, 1], "procs": [4, 400]}
    )
    assert overuse(frame, 4) == (1 / 10**6, 4)
