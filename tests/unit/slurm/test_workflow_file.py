"""Workflow files: valid ones, and errors that name stage and field."""

import json
import re
import subprocess

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from docs_case import blocks
from schedlab.files.config import ConfigError
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.tasks import TaskMark, TaskMarks
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.learner import Geometry
from schedlab.waits.workflows import Stage, Workflow

GOOD = {
    "name": "demo",
    "sbatch": {"account": "physics", "mem-per-cpu": 10, "oversubscribe": True, "spread-job": False},
    "stages": [
        {"name": "split", "cores": 1, "seconds": 30, "command": "true"},
        {"name": "join", "cores": 4, "seconds": 61, "after": ["split"], "command": "a\nb\n"},
    ],
}


def changed(place, value):
    """The good file with another value at a place; None takes it out."""
    content = yaml.safe_load(yaml.safe_dump(GOOD))
    *path, last = place
    part = content
    for step in path:
        part = part[step]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return content


def read(tmp_path, content):
    path = tmp_path / "flow.yaml"
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return WorkflowFile.read(path)


def test_workflow_file_is_read_completely(tmp_path):
    found = read(tmp_path, GOOD)
    assert found.workflow.name == "demo"
    assert found.workflow.stages == (Stage("split", 1, 30), Stage("join", 4, 61, ("split",)))
    assert found.commands == {"split": "true", "join": "a\nb\n"}
    assert found.options == ("--account=physics", "--mem-per-cpu=10", "--oversubscribe")
    assert found.partition is None
    assert read(tmp_path, changed(["sbatch"], {"partition": "long"})).partition == "long"
    one = read(tmp_path, changed(["stages"], GOOD["stages"][:1]))
    assert [stage.name for stage in one.workflow.stages] == ["split"]
    with pytest.raises(ConfigError, match=r"other\.yaml: no such file"):
        WorkflowFile.read(tmp_path / "other.yaml")


def test_tolerance_is_that_of_the_stage_or_ten_minutes(tmp_path):
    found = read(tmp_path, changed(["stages", 1, "tolerance"], "90s"))
    assert [found.tolerance(name) for name in ("split", "join")] == [600, 90]
    for wrong in ("0s", "90", "1.5s"):
        with pytest.raises(ConfigError, match="stage 'join': key 'tolerance'"):
            read(tmp_path, changed(["stages", 1, "tolerance"], wrong))


@pytest.mark.parametrize(
    ("options", "qos", "system"),
    [
        ({}, None, "c/p"),
        ({}, "long", "c/p/qos=long"),
        ({"qos": "short"}, "long", "c/p/qos=short"),
        ({"gres": "gpu:a100:2", "qos": "x", "account": "y"}, None, "c/p/qos=x/gres=gpu:a100:2"),
        ({"gpus-per-node": 4}, None, "c/p/gpus-per-node=4"),
    ],
)
def test_waits_are_learned_by_qos_and_gpus(tmp_path, options, qos, system):
    assert read(tmp_path, changed(["sbatch"], options)).system("c/p", qos) == system


def test_workflow_is_the_same_after_json(tmp_path):
    found = read(tmp_path, changed(["stages", 1, "tolerance"], "90s"))
    assert WorkflowFile.from_dict(json.loads(json.dumps(found.as_dict()))) == found


@pytest.mark.parametrize(
    ("limit", "minutes"), [(None, 2), (61, 2), (120, 2), (121, 3), (3600, 60)], ids=str
)
def test_limits_are_whole_minutes_upwards(tmp_path, limit, minutes):
    found = read(tmp_path, changed(["stages", 1, "limit"], f"{limit}s") if limit else GOOD)
    assert found.minutes(found.workflow.stages[1]) == minutes
    assert found.minutes(found.workflow.stages[0]) == 1


def test_all_as_one_may_run_as_long_as_one_after_the_other(tmp_path):
    found = read(tmp_path, changed(["stages", 1, "limit"], "90s"))
    assert found.minutes(*found.workflow.merged().stages) == 2  # 30 + 90 s
    found = read(tmp_path, changed(["stages", 1, "limit"], "91s"))
    assert found.minutes(*found.workflow.merged().stages) == 3


def limited(*stages):
    """Stages with a limit each, the last of the cells."""
    workflow = Workflow("flow", tuple(Stage(*cells[:4]) for cells in stages))
    names = [cells[0] for cells in stages]
    return WorkflowFile(
        workflow, {cells[0]: cells[4] for cells in stages}, dict.fromkeys(names, "a")
    )


def test_all_as_one_may_run_as_long_as_stages_wait_for_cores_of_others():
    """A and C begin; C uses its 120 s, and B has to wait for it: 180 s. At most 60 + 60 + 120."""
    found = limited(("a", 1, 60, (), 60), ("b", 4, 60, ("a",), 60), ("c", 4, 60, (), 120))
    (whole,) = found.workflow.merged().stages
    assert whole.cores == 5
    assert found.minutes(whole) == 4


def test_where_one_after_the_other_takes_longer_it_is_bounded_by_the_work():
    """Nine cores, and ten wanted while w0 runs on: 60 + 120 s, and 1260 core-seconds on nine."""
    wide = [(f"w{k}", 1, 60, ("a",) if k else (), 120) for k in range(10)]
    found = limited(("a", 1, 60, (), 60), *wide)
    (whole,) = found.workflow.merged().stages
    assert whole.cores == 9
    assert found.minutes(whole) == 6  # 320 s; 1260 s one after the other


def test_where_no_stage_can_wait_for_cores_the_critical_path_is_enough():
    """All of them side by side have the cores that they need: 30 + 600 s."""
    wide = [(f"w{k}", 2, 60, ("a",), 600) for k in range(5)]
    found = limited(("a", 1, 30, (), 30), *wide)
    assert found.minutes(*found.workflow.merged().stages) == 11  # 10.5


@pytest.mark.parametrize(("cores", "minutes"), [(20, 10), (19, 22)])
def test_merged_limit_includes_waits_if_one_core_is_missing(cores, minutes):
    """Of two cores each: 600 s on 20; on 19, with 18 busy at least, 600 + 12000 / 18 s."""
    found = limited(*[(f"w{k}", 2, 60, (), 600) for k in range(10)])
    assert found.minutes(Stage("all", cores, 60)) == minutes


def script_makespan(stages, order, cores, seconds):
    """When the last stage ends: in their order, each when those before it and cores are there."""
    running, ended, begun, free, now = [], set(), set(), cores, 0
    while len(ended) < len(stages):
        for one in (stages[number] for number in order):
            if one.name not in begun and one.cores <= free and ended.issuperset(one.after):
                begun.add(one.name)
                free -= one.cores
                running.append((now + seconds[one.name], one))
        now, one = min(running, key=lambda each: each[0])
        running.remove((now, one))
        ended.add(one.name)
        free += one.cores
    return now


@pytest.mark.slow
@given(st.data())
def test_stages_that_keep_their_limits_keep_that_of_all(data):
    rows, takes = [], {}
    for number in range(data.draw(st.integers(1, 7))):
        after = data.draw(st.sets(st.integers(0, number - 1), max_size=2)) if number else set()
        expected = data.draw(st.integers(1, 8)) * 60
        limit = expected + data.draw(st.integers(0, 8)) * 60
        takes[str(number)] = data.draw(st.integers(1, limit))
        names = tuple(map(str, sorted(after)))
        rows.append((str(number), data.draw(st.integers(1, 6)), expected, names, limit))
    found = limited(*rows)
    (whole,) = found.workflow.merged().stages
    workflow = found.workflow
    took = script_makespan(workflow.stages, workflow.order, whole.cores, takes)
    assert took <= 60 * found.minutes(whole)
    took = script_makespan(workflow.stages, workflow.order, whole.cores, found.limits)
    assert took <= 60 * found.minutes(whole)


BAD = {
    "a cycle": (
        ["stages", 0, "after"],
        ["join"],
        "workflow demo: stages in a circle: 'split' after",
    ),
    "an unknown stage": (
        ["stages", 1, "after"],
        ["spilt"],
        "workflow demo: stage 'join' comes after 'spilt', which is none of its stages",
    ),
    "two of a name": (["stages", 1, "name"], "split", "more than one stage is named 'split'"),
    "no command": (["stages", 1, "command"], None, "stage 'join': missing key 'command'"),
    "an empty command": (["stages", 1, "command"], " ", "stage 'join': key 'command': "),
    "no cores": (["stages", 1, "cores"], None, "stage 'join': missing key 'cores'"),
    "too few cores": (["stages", 1, "cores"], 0, "stage 'join': key 'cores': 0 is less than"),
    "a part of a core": (["stages", 1, "cores"], 1.5, "stage 'join': key 'cores': 1.5 is not"),
    "no time": (["stages", 0, "seconds"], 0, "stage 'split': key 'seconds': 0 is less than"),
    "a time in words": (["stages", 0, "seconds"], "1h", "stage 'split': key 'seconds': '1h' is"),
    "too short a limit": (
        ["stages", 0, "limit"],
        "29s",
        "stage 'split': key 'limit': is 29s, less than the 30 seconds that it is expected to run",
    ),
    "an unknown field": (
        ["stages", 0, "commands"],
        "true",
        "stage 'split': unknown key 'commands'; did you mean 'command'?",
    ),
    "a stage without a name": (["stages", 0, "name"], None, "key 'stages[0]': missing key 'name'"),
    "a name that is no file's": (["stages", 0, "name"], "a/b", "stage 'a/b': key 'name': 'a/b'"),
    "no stages": (["stages"], [], "key 'stages': "),
    "no name": (["name"], None, "missing key 'name'"),
    "an unknown key": (["stage"], [], "unknown key 'stage'; did you mean 'stages'?"),
    "an option that is taken": (
        ["sbatch"],
        {"dependency": "singleton"},
        "key 'sbatch.dependency': is no option of all stages",
    ),
    "a short option": (["sbatch"], {"p": "main"}, "key 'sbatch': "),
    "an option of many values": (["sbatch"], {"partition": ["a"]}, "key 'sbatch.partition': "),
}


@pytest.mark.parametrize("what", BAD)
def test_file_stage_and_field_are_named(tmp_path, what):
    place, value, words = BAD[what]
    with pytest.raises(ConfigError) as error:
        read(tmp_path, changed(place, value))
    assert re.match(rf"{tmp_path}/flow.yaml(:\d+)?: ", str(error.value))
    assert words in str(error.value)


LINES = """\
name: demo
sbatch:
  account: physics
  qos: long
stages:
  - name: split
    cores: 1
    seconds: 30
    command: "true"
  - {name: join, cores: 2, seconds: 5, command: "true"}
"""


@pytest.mark.parametrize(
    ("old", "new", "begins"),
    [
        ("cores: 1", "cores: 0", ":7: stage 'split': key 'cores': "),
        ("cores: 1", "core: 1", ":6: stage 'split': missing key 'cores'"),
        ("cores: 1", "core: 1", ":7: stage 'split': unknown key 'core'"),
        (
            'command: "true"\n',
            'command: "true"\n    limit: 29s\n',
            ":10: stage 'split': key 'limit'",
        ),
        ("{name: join", "{name: split", ":10: workflow demo: more than one stage is named 'split'"),
        ("{name: join", "{name: join, after: [spilt]", ":10: workflow demo: stage 'join' comes"),
        ("{name: join", "{name: join, after: [join]", ":10: workflow demo: stages in a circle: "),
        ("{name: join, ", "{", ":10: key 'stages[1]': missing key 'name'"),
        ("account: physics", "dependency: 7", ":3: key 'sbatch.dependency': "),
        ("name: demo", "name: a/b", ":1: key 'name': "),
        ("name: demo", "names: demo", ":1: unknown key 'names'"),
        ("name: demo\n", "", ": missing key 'name'"),
    ],
)
def test_line_of_an_error_is_named(tmp_path, old, new, begins):
    with pytest.raises(ConfigError) as error:
        read(tmp_path, LINES.replace(old, new, 1))
    lines = str(error.value).splitlines()
    assert any(line.startswith(f"{tmp_path}/flow.yaml{begins}") for line in lines), lines


TAKES = ["clusters", "cluster", "tasks-per-node", "ntasks-per-node", "dep", "clus", "workdir"]


@pytest.mark.parametrize("option", TAKES)
def test_options_of_the_strategies_are_refused_by_all_their_names(tmp_path, option):
    with pytest.raises(ConfigError, match=rf"key 'sbatch\.{option}': is no option of all stages"):
        read(tmp_path, changed(["sbatch"], {option: "1"}))
    for other in ("cluster-constraint", "exclude", "wait-all-nodes", "nodelist"):
        assert read(tmp_path, changed(["sbatch"], {other: "1"})).options == (f"--{other}=1",)


def with_tasks(**cells):
    """The good file with one task, which has these cells."""
    return changed(
        ["stages", 0],
        {
            "name": "split",
            "cores": 1,
            "seconds": 3,
            "tasks": [{"name": "t", "command": "a"} | cells],
        },
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (changed(["name"], "demo\n"), r"1: key 'name': 'demo\\n' does not match"),
        (changed(["stages", 0, "name"], "split\n"), r"key 'name': 'split\\n' does not match"),
        (with_tasks(name="t\n"), r"key 'tasks\[0\].name': 't\\n' does not match"),
        (changed(["sbatch"], {"account\n": "a"}), r"'account\\n' does not match"),
        (changed(["stages", 0, "cores"], 1.0), r"key 'cores': 1.0 is not of type 'integer'"),
        (changed(["stages", 0, "seconds"], 30.0), r"key 'seconds': 30.0 is not of type 'integer'"),
        (changed(["stages", 0, "cores"], True), r"key 'cores': True is not of type 'integer'"),
        (with_tasks(memory=1.0), r"key 'tasks\[0\].memory': 1.0 is not of type 'integer'"),
        (changed(["name"], "n" * 240), r"key 'name': has 240 characters, at most 200 are possible"),
        (changed(["stages", 1, "name"], "n" * 201), r"stage 'n+': key 'name': has 201 characters"),
        (
            with_tasks(name="n" * 201),
            r"stage 'split': task 'n+': key 'name': has 201 characters, at most 200 are possible",
        ),
        (changed(["stages", 0, "command"], "a\0"), r"'command': has the character '\\x00', which"),
        (with_tasks(command="a\0"), r"task 't': key 'command': has the character '\\x00', which"),
        (changed(["sbatch"], {"comment": "a\nb"}), r"'sbatch.comment': has the character '\\n'"),
        (changed(["sbatch"], {"comment": "a\0"}), r"'sbatch.comment': has the character '\\x00'"),
        (
            with_tasks(command="é" * 2**16),
            r"task 't': key 'command': has 131,072 bytes, at most 131,071 are possible: write",
        ),
    ],
)
def test_value_that_would_fail_later_is_an_error_of_the_file(tmp_path, content, words):
    """JSON is YAML too."""
    with pytest.raises(ConfigError, match=rf"^{re.escape(str(tmp_path))}/flow.yaml:.*{words}"):
        read(tmp_path, json.dumps(content))


def test_longest_names_and_commands_have_files_and_run(tmp_path):
    """Also with many attempts, and numbers of jobs of eight digits."""
    stage, task = "s" * 200, "t" * 40
    content = with_tasks(name=task, command="x" * (2**17 - 1))
    content["stages"][0]["name"] = stage
    content["stages"] = content["stages"][:1]
    found = read(tmp_path, content)
    folder = RunFolder(tmp_path / "run", found)
    folder.script(found.workflow.stages[0], (), 1.0)
    (folder.path / f"output/{stage}.{task}.99999.txt").touch()
    folder.output(stage, 99_999_999).touch()
    folder.finish(stage)
    marks = TaskMarks(folder.path)
    assert marks.claim(stage, "t" * 200, TaskMark(1, 99_999, 0.0))
    assert subprocess.run(["true", found.tasks[stage][0].command]).returncode == 0
    content["stages"][0]["tasks"][0]["name"] += "t"
    with pytest.raises(ConfigError, match="has 41 characters, at most 40 are possible in stage 's"):
        read(tmp_path, content)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "missing keys ['name', 'stages']"),
        ("name: [", ":1: not valid YAML"),
        ("- 1", "is not of type 'object'"),
    ],
)
def test_invalid_workflow_file_is_rejected(tmp_path, text, words):
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    assert f"{tmp_path}/flow.yaml" in str(error.value)
    assert words in str(error.value)


def test_the_example_of_the_page_is_read(tmp_path, root):
    (block,) = [one for one in blocks(root / "docs/howto/workflow.md") if one.file == "words.yaml"]
    found = read(tmp_path, block.text)
    assert [stage.name for stage in found.workflow.stages] == ["split", "upper", "count", "join"]
    assert found.options == ("--mem-per-cpu=10",)


@pytest.mark.parametrize(
    ("seconds", "limit"),
    [
        (3600, "1h"), (3601, "4h"), (14_400, "4h"), (14_401, "12h"), (43_200, "12h"),
        (43_201, "24h"), (86_400, "24h"), (86_401, "longer"),
    ],
)  # fmt: skip
def test_waits_are_learned_by_classes_of_limits(seconds, limit):
    stage = Stage("a", 4, 10)
    described = WorkflowFile(Workflow("flow", (stage,)), {"a": seconds}, {"a": "true"})
    assert described.geometry("c/p", stage) == Geometry("c/p", 4, limit)
    assert str(described.geometry("c/p", stage)) == f"c/p/limit={limit}/4"
