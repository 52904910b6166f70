"""Nodes that take jobs, those that leave with their jobs, and the sizes of partitions."""

import pytest

from queue_case import LINES, RUNS, WAITS, jsons, start_of_the_first, texts
from schedlab.traces.slurm.queue_entries import QueueError
from schedlab.workbench.queue_state import load_queue


@pytest.mark.parametrize(
    ("nodes", "processors", "note"),
    [
        ("a|main|mixed|2/2/0/4", 4, None),
        ("a|main|mixed|2/2/0/4\na|wide|mixed|2/2/0/4", 4, "one pool"),
        ("a|main|mixed|2/2/0/4\nb|main|drained|0/0/4/4", 4, "1 of 2 take no jobs (b: "),
        ("a|main|draining|2/0/2/4\nb|main|idle|0/4/0/4", 4, "2 processors in use on them leave"),
        ("a|main|mixed|3/2/0/5", 4, "processors: 1 are in use by jobs that are not in the queue"),
        ("a|main|mixed|1/3/0/4", 4, None),
        ("a|main|mixed|2/2/0/4\nb|main|idle~|0/4/0/4", 8, None),
        ("a|main|mixed|2/2/0/4\nb|main|idle#|0/4/0/4", 8, None),
        (
            "a|main|mixed|2/2/0/4\nb|main|powering_down|0/4/0/4",
            4,
            "1 of 2 take no jobs (b: ",
        ),
        ("a|main|mixed|2/2/0/4\nb|main|idle%|0/4/0/4", 4, "1 of 2 take no jobs (b: "),
        ("a|main|mixed|2/2/0/4\nb|main|idle!|0/4/0/4", 4, "1 of 2 take no jobs (b: "),
        ("a|main|mixed|2/2/0/4\nb|main|idle$|0/4/0/4", 4, "1 of 2 take no jobs (b: "),
        ("a|main|mixed|2/2/0/4\nb|main|down~|0/4/0/4", 4, "1 of 2 take no jobs (b: "),
    ],
)
def test_usable_processors_exclude_unavailable_nodes(nodes, processors, note, tmp_path):
    present = load_queue(*texts(tmp_path, nodes=nodes))
    assert present.standing.processors == processors
    assert (note is None) == (present.notes == ())
    assert note is None or any(note in one for one in present.notes)


@pytest.mark.parametrize(
    ("state", "processors"),
    [
        (["IDLE", "PLANNED"], 8),
        (["IDLE", "DYNAMIC_FUTURE", "CLOUD"], 8),
        (["IDLE", "NOT_RESPONDING"], 4),
        (["IDLE", "RESERVED"], 4),
        (["IDLE", "INVALID_REG"], 4),
        (["IDLE", "POWERED_DOWN", "NOT_RESPONDING"], 4),
        (["IDLE", "NEW_IN_SLURM_99"], 4),
        ("IDLE+DRAIN", 4),
        ("IDLE*", 4),
        ([], 4),
        (["IDLE", "POWERED_DOWN"], 8),
        (["IDLE", "POWERING_UP"], 8),
        (["IDLE", "POWERING_DOWN"], 4),
        (["IDLE", "POWER_DOWN"], 4),
        (["DOWN", "POWERED_DOWN"], 4),
    ],
)
def test_nodes_that_save_power_are_woken(state, processors, tmp_path):
    present = load_queue(*jsons(tmp_path, [RUNS, WAITS], state=state))
    assert present.standing.processors == processors


@pytest.mark.parametrize(
    ("nodes", "running", "note"),
    [
        # the list of jobs has nodes
        (("a", "b"), {"1": 2, "9": 0}, "2 processors in use on them leave when jobs 9 end"),
        (("b", "a"), {"1": 0, "9": 2}, "leave when jobs 1 end"),
        # a job on both nodes loses its share
        (("a,b", "a"), {"1": 0, "9": 2}, "leave when jobs 1 end"),
        (("[a-", ""), None, "job 1: nodes '\\[a-' is not a list of nodes"),
        # unknown: the one that ends first
        (("", "(null)"), {"1": 0, "9": 2}, "leave when jobs 1 end (assumed by size and end"),
    ],
)
def test_draining_node_leaves_with_its_jobs(nodes, running, note, tmp_path):
    """Node b has two processors in use, on which job 1 or 9 runs, and takes no more jobs."""
    first, second, *_ = LINES.splitlines()
    other = first.replace("1|", "9|", 1).replace("|10:00|", "|20:00|")
    waits = second.replace("|3|", "|4|").replace("(null)", "afterok:1(unfulfilled)")
    lines = [f"{line}|{names}" for line, names in zip((first, other), nodes, strict=True)]
    paths = texts(
        tmp_path,
        "\n".join([*lines, f"{waits}|"]),
        "a|main|mixed|2/2/0/4\nb|main|draining|2/0/2/4",
    )
    if running is None:
        with pytest.raises(QueueError, match=note):
            load_queue(*paths)
        return
    present = load_queue(*paths)
    assert present.standing.processors == 4
    assert present.standing.running.procs.tolist() == [2]
    assert any(note in each for each in present.notes)
    # job 2 comes when job 1 ends, 510 s from now, and needs a whole node: job 9 ends at 1,110 s
    assert start_of_the_first(present) == (510 if running["1"] else 1110)


def test_draining_node_prefers_a_job_of_its_size(tmp_path):
    first = LINES.splitlines()[0]
    other = first.replace("1|", "9|", 1).replace("G|2|10", "G|3|20")
    paths = texts(tmp_path, f"{first}\n{other}\n", "a|main|mixed|2/2/0/4\nb|main|drng|3/0/1/4")
    present = load_queue(*paths)
    assert present.standing.running.procs.tolist() == [2]
    assert "leave when jobs 9 end" in present.notes[0]


def test_job_on_the_draining_node_alone_leaves_before_a_wider_one(tmp_path):
    first = LINES.splitlines()[0].replace("G|2|", "G|3|")
    other = first.replace("1|", "9|", 1).replace("G|3|", "G|2|")
    lines = f"{first}|a,b\n{other}|b\n"
    paths = texts(tmp_path, lines, "a|main|mixed|2/2/0/4\nb|main|drain|3/0/1/4")
    present = load_queue(*paths)
    assert present.standing.processors == 4
    assert "leave when jobs 1, 9 end" in present.notes[0]


def test_job_of_another_partition_is_not_on_a_draining_node(tmp_path):
    """Of two jobs of its size without nodes, not the one that ends first."""
    first = LINES.splitlines()[0].replace("|main|", "|wide|")
    other = first.replace("1|", "9|", 1).replace("|10:00|", "|20:00|").replace("|wide|", "|x,main|")
    paths = texts(tmp_path, f"{first}\n{other}\n", "a|wide|mixed|2/2/0/4\nb|main|drain|2/0/2/4")
    assert "leave when jobs 9 end" in load_queue(*paths).notes[0]


def test_job_of_unknown_nodes_comes_last(tmp_path):
    first = LINES.splitlines()[0]
    other = first.replace("1|", "9|", 1).replace("G|2|", "G|1|")
    paths = texts(tmp_path, f"{first}|\n{other}|b\n", "a|main|mixed|2/2/0/4\nb|main|drain|2/0/2/4")
    assert "leave when jobs 1, 9 end" in load_queue(*paths).notes[0]


def test_job_waits_for_one_that_leaves_with_its_node(tmp_path):
    first, second, *_ = LINES.splitlines()
    waits = second.replace("(null)", "afterok:1(unfulfilled)")
    paths = texts(tmp_path, f"{first}\n{waits}", "a|main|idle|0/4/0/4\nb|main|drng|2/0/2/4")
    assert start_of_the_first(load_queue(*paths)) == 510


@pytest.mark.parametrize("nodes", ["b", {"count": 1, "list": "b"}])
def test_draining_node_in_json(nodes, tmp_path):
    """The node with the job leaves with it; the other one has two processors in use by others."""
    paths = jsons(
        tmp_path, [RUNS | {"nodes": nodes}, WAITS], state=["MIXED", "DRAIN"], alloc_cpus=2
    )
    present = load_queue(*paths)
    assert (present.standing.processors, len(present.standing.running)) == (2, 0)
    assert present.notes[0] == (
        "nodes: 1 of 2 take no jobs (b: mixed+drain); 2 processors in use on them leave when jobs "
        "1 end"
    )
    assert present.stuck["why"].tolist() == ["needs 4 processors, there are 2"]


def test_job_is_never_wider_than_its_partition(tmp_path):
    """Nor than the largest of its partitions; closed nodes do not count."""
    change = ("2|PENDING|3", "2|PENDING|6"), ("3|PENDING|1", "3|PENDING|6")
    lines = LINES
    for pair in change:
        lines = lines.replace(*pair)
    nodes = "a|main|mixed|2/2/0/4\nb|wide|idle|0/8/0/8"
    present = load_queue(*texts(tmp_path, lines, nodes))
    assert present.stuck.to_dict("records") == [
        {"id": "2", "why": "needs 6 processors, its partition has 4"},
        {"id": "4", "why": "waits for job 2, which cannot start"},
    ]
    present = load_queue(*texts(tmp_path, lines, f"{nodes}\nc|main|drained|0/4/0/4"))
    assert present.stuck["id"].tolist() == ["2", "4"]
    present = load_queue(*texts(tmp_path, lines, f"{nodes}\nc|main|idle|0/4/0/4"))
    assert present.stuck["id"].tolist() == []
    narrow = load_queue(*texts(tmp_path, lines, "a|main|mixed|2/2/0/4\nb|wide|idle|0/5/0/5"))
    assert narrow.stuck["id"].tolist() == ["2", "3", "4"]
    # a given size of the machine leaves those of its partitions as they are
    given = load_queue(*texts(tmp_path, lines, nodes), processors=128)
    assert given.stuck["id"].tolist() == ["2", "4"]
