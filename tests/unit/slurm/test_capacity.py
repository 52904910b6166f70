"""Stages that are wider than their partition are refused before anything is submitted."""

import pytest

from schedlab.files.config import ConfigError
from schedlab.slurm.capacity import Partition, check_capacity
from schedlab.slurm.plan import plan_run
from schedlab.slurm.run import prepare_run
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.learner import Learner
from slurm_case import Slurm

WORKFLOW = """\
name: flow
stages:
  - {name: split, cores: 1, seconds: 30, command: "true"}
  - name: left
    cores: 24
    seconds: 40
    after: [split]
    command: "true"
  - name: many
    cores: 12
    seconds: 10
    after: [split]
    tasks:
      - {name: small, command: "true"}
      - {name: wide, cores: 12, command: "true"}
"""


@pytest.fixture
def described(tmp_path):
    (tmp_path / "flow.yaml").write_text(WORKFLOW)
    return WorkflowFile.read(tmp_path / "flow.yaml")


def test_partitions_are_read_from_the_lines_of_sinfo():
    lines = ["main*|4|8|1-infinite", "main*|1|64|1-infinite", "few|4|8|1-2", "few|1|16|1-2", "odd"]
    assert Partition.read(lines) == [
        Partition("main", 96, 64),
        Partition("few", 24, 16),  # the two largest nodes
    ]
    assert Partition.read(["empty|0|8|1-infinite"]) == []


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["main*|2|12|1-infinite"], None),
        (
            ["main*|1|12|1-infinite", "main*|1|11|1-infinite"],
            ":5: stage 'left': key 'cores': is 24, a job in partition main has at most 23",
        ),
        (["main*|9|12|1-2"], None),
        (
            ["main*|9|12|1-1"],
            ":5: stage 'left': key 'cores': is 24, a job in partition main has at most 12",
        ),
        (["small|1|1|1-infinite", "large|2|12|1-infinite"], None),  # Slurm takes one that suits
        (
            ["main*|3|11|1-infinite"],
            ":15: stage 'many': task 'wide': key 'cores': is 12, a node has at most 11",
        ),
        ([], None),
        (["what is this"], None),
    ],
)
def test_stage_or_task_that_never_fits_is_an_error_with_its_line(described, lines, words):
    if words is None:
        check_capacity(described, "Pool", Partition.read(lines))
        return
    with pytest.raises(ConfigError) as error:
        check_capacity(described, "Pool", Partition.read(lines))
    assert str(error.value) == f"{described.source}{words}"


@pytest.mark.parametrize(("cores", "fits"), [(36, True), (35, False)])
def test_one_job_has_the_cores_of_all_stages_at_a_time(described, cores, fits):
    """Left and many may run at the same time."""
    found = Partition.read([f"main*|1|{cores}|1-infinite"])
    if fits:
        check_capacity(described, "Big Job", found)
    else:
        with pytest.raises(ConfigError, match=r"all stages as one job: key 'cores': 36 at a time"):
            check_capacity(described, "Big Job", found)


def test_nothing_is_made_nor_submitted(tmp_path, described):
    slurm = Slurm()
    slurm.nodes = ["main*|1|23|1-infinite"]
    for begin in (
        lambda: prepare_run(described, "Pool", tmp_path / "run", slurm=slurm),
        lambda: plan_run(described, "Pool", Learner(), slurm),
    ):
        with pytest.raises(ConfigError, match=r"flow\.yaml:5: stage 'left'"):
            begin()
    assert slurm.by_number == {}
    assert not (tmp_path / "run").exists()
