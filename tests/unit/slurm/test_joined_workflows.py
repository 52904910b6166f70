"""Several workflow files as one: names of stages, and what must agree."""

import json

import pytest
import yaml

from docs_case import blocks, calls_of
from schedlab.files.config import ConfigError
from schedlab.slurm.capacity import Partition, check_capacity
from schedlab.slurm.client import SlurmError
from schedlab.slurm.joined_workflows import join_workflows
from schedlab.slurm.run import prepare_run
from schedlab.slurm.strategies import STRATEGIES
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.workflows import Stage
from slurm_case import Fate, Slurm

TASKS = [{"name": "a", "command": "true"}, {"name": "b", "cores": 2, "command": "true"}]


def content(name, stages=("make", "check"), **sbatch):
    """A workflow whose first stage has tasks, and whose second one has a command."""
    first, second = stages
    return {
        "name": name,
        "sbatch": {"account": "physics", "exclude": "n1", "spread-job": True} | sbatch,
        "stages": [
            {"name": first, "cores": 4, "seconds": 60, "limit": "5m", "tasks": TASKS},
            {"name": second, "cores": 1, "seconds": 9, "after": [first], "command": "true"}
            | {"tolerance": "90s"},
        ],
    }


def joined(folder, *contents):
    """Write workflows to a.yaml, b.yaml and so on, and join them."""
    files = []
    for letter, one in zip("abc", contents, strict=False):
        path = folder / f"{letter}.yaml"
        path.write_text(yaml.safe_dump(one, sort_keys=False))
        files.append(WorkflowFile.read(path))
    return join_workflows(files)


def test_stages_have_the_names_of_their_workflows(tmp_path):
    found = joined(tmp_path, content("x"), content("y"))
    assert found.workflow.name == "x+y"
    assert found.workflow.stages == (
        Stage("x.make", 4, 60),
        Stage("x.check", 1, 9, ("x.make",)),
        Stage("y.make", 4, 60),
        Stage("y.check", 1, 9, ("y.make",)),
    )
    assert found.limits == {"x.make": 300, "x.check": 9, "y.make": 300, "y.check": 9}
    assert found.commands == {"x.check": "true", "y.check": "true"}
    assert [found.tolerance(name) for name in ("x.make", "y.check")] == [600, 90]
    assert [task.name for task in found.tasks["y.make"]] == ["a", "b"]
    assert found.options == ("--account=physics", "--exclude=n1", "--spread-job")
    assert found.title("y.make") == "workflow y: stage 'make'"
    assert found.member("y.make").source == str(tmp_path / "b.yaml")
    assert found.width(found.workflow.stages[2]) == 2
    assert found.minutes(found.workflow.stages[2]) == 6
    other = content("y") | {"sbatch": {"spread-job": True, "exclude": "n1", "hint": False}}
    other["sbatch"]["account"] = "physics"
    assert joined(tmp_path, content("x"), other).options == found.options
    both = (content(name, partition="long") for name in "xy")
    assert joined(tmp_path, *both).partition == "long"


def test_joined_workflow_is_the_same_after_json(tmp_path):
    found = joined(tmp_path, content("x"), content("y"), content("z"))
    assert WorkflowFile.from_dict(json.loads(json.dumps(found.as_dict()))) == found
    assert [member.name for member in found.members] == ["x", "y", "z"]
    with pytest.raises(ConfigError, match=r"c\.yaml:1: key 'name': is 'y', as in .*b\.yaml"):
        joined(tmp_path, content("x"), content("y"), content("y"))
    with pytest.raises(ConfigError, match=r"c\.yaml:3: key 'sbatch\.account'"):
        joined(tmp_path, content("x"), content("y"), content("z", account="biology"))


def test_one_file_stays_as_it_is(tmp_path):
    found = joined(tmp_path, content("x"))
    assert found == WorkflowFile.read(tmp_path / "a.yaml")
    assert "members" not in found.as_dict()
    assert found.member("make") is None
    assert found.title("make") == "workflow x: stage 'make'"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (
            content("x"),
            content("x"),
            "{b}:1: key 'name': is 'x', as in {a}; workflows of one run need different names",
        ),
        (
            content("x"),
            content("y", account="biology"),
            "{b}:3: key 'sbatch.account': is 'biology', in {a} it is 'physics'; one allocation "
            "serves all workflows of a run",
        ),
        (
            content("x"),
            content("y", partition="long"),
            "{b}:6: key 'sbatch.partition': is 'long', in {a} it is missing; one allocation "
            "serves all workflows of a run",
        ),
        (
            content("x", partition="long"),
            content("y"),
            "{b}: key 'sbatch.partition': is missing, in {a} it is 'long'; one allocation "
            "serves all workflows of a run",
        ),
        (
            content("x.y", ("z", "last")),
            content("x", ("y.z", "end")),
            "{b}:7: stage 'y.z': key 'name': is 'x.y.z' in the run, as stage 'z' of {a}; rename "
            "one of them",
        ),
    ],
    ids=["names", "options", "first has none", "second has none", "stages"],
)
def test_what_does_not_agree_is_an_error_with_files_line_and_key(tmp_path, first, second, message):
    with pytest.raises(ConfigError) as error:
        joined(tmp_path, first, second)
    assert str(error.value) == message.format(a=tmp_path / "a.yaml", b=tmp_path / "b.yaml")


def test_name_that_is_too_long_in_the_run_is_an_error_of_its_file(tmp_path):
    stage = {"cores": 1, "seconds": 1, "command": "a"}
    files = []
    for name, length in (("a", 198), ("bb", 198)):
        content = {"name": name, "stages": [{"name": "s" * length} | stage]}
        path = tmp_path / f"{name}.yaml"
        path.write_text(yaml.safe_dump(content))
        files.append(WorkflowFile.read(path))
    with pytest.raises(ConfigError, match=r"bb.yaml:\d+: stage 's+': key 'name': has 201 char"):
        join_workflows(files)


@pytest.mark.parametrize(
    ("cores", "node", "words"),
    [
        (4, 2, None),
        (3, 2, "b.yaml:8: stage 'wide': key 'cores': is 4, a job in partition p has at most 3"),
        (4, 1, "b.yaml:15: stage 'wide': task 'b': key 'cores': is 2, a node has at most 1"),
    ],
)
def test_stage_wider_than_its_partition_names_its_own_file(tmp_path, cores, node, words):
    second = content("y", ("wide", "last"))
    first = content("x")
    first["stages"][0] |= {"cores": 2, "tasks": TASKS[:1]}
    found = joined(tmp_path, first, second)
    partitions = [Partition("p", cores, node)]
    if words is None:
        check_capacity(found, "Pool", partitions)
        return
    with pytest.raises(ConfigError) as error:
        check_capacity(found, "Pool", partitions)
    assert str(error.value) == f"{tmp_path}/{words}"


def test_the_example_of_the_page_is_one_run(tmp_path, root):
    page = root / "docs/howto/workflow.md"
    texts = {block.file: block.text for block in blocks(page) if block.file}
    (call,) = [words for words in calls_of(page, "schedlab") if "digits.yaml" in words]
    assert call == ["asa", "run", "pool.yaml", "digits.yaml", "--strategy", "pool"]
    found = joined(tmp_path, *(yaml.safe_load(texts[name]) for name in call[2:4]))
    assert found.workflow.name == "letters+digits"
    assert [*found.tasks] == ["letters.count", "letters.check", "digits.write"]
    assert f"named `{found.workflow.name}`" in page.read_text()


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "Pool"])
def test_other_strategies_refuse_several_workflows(tmp_path, strategy):
    found = joined(tmp_path, content("x"), content("y"))
    with pytest.raises(SlurmError) as error:
        prepare_run(found, strategy, tmp_path / "run", slurm=Slurm([Fate()]))
    assert str(error.value) == ("workflows x, y: one run of several needs a pool: --strategy pool")
    assert not (tmp_path / "run").exists()
