"""Tasks in workflow files, with errors that name file, line and field, and their marks."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from schedlab.files.config import ConfigError
from schedlab.slurm.tasks import Task, TaskMark, TaskMarks
from schedlab.slurm.workflow_file import WorkflowFile

FLOW = """\
name: flow
sbatch:
  mem-per-cpu: 1G
stages:
  - name: split
    cores: 4
    seconds: 60
    limit: 2m
    tasks:
      - name: a
        command: "true"
      - name: b
        command: "true"
        cores: 2
        memory: 500
        limit: 30s
        after: [a]
  - name: join
    cores: 1
    seconds: 5
    after: [split]
    command: "true"
"""


def read(tmp_path, text):
    path = tmp_path / "flow.yaml"
    path.write_text(text)
    return WorkflowFile.read(path)


def test_tasks_are_read_with_the_limit_of_their_stage_by_default(tmp_path):
    found = read(tmp_path, FLOW)
    a, b = Task("a", "true", 120), Task("b", "true", 30, 2, 500, ("a",))
    assert found.tasks == {"split": (a, b)}
    assert found.commands == {"join": "true"}
    assert WorkflowFile.from_dict(json.loads(json.dumps(found.as_dict()))) == found
    split, join = found.workflow.stages
    # a minute for the start of the worker
    assert [found.minutes(split), found.minutes(join)] == [3, 1]
    assert [found.width(split), found.width(join)] == [2, 1]


@pytest.mark.parametrize(
    ("before", "after", "line", "message"),
    [
        ("        cores: 2\n", "        core: 2\n", 14, "key 'tasks[1]': unknown key 'core'"),
        ("        cores: 2\n", "        cores: 0\n", 14, "key 'tasks[1].cores':"),
        ("        cores: 2\n", "        cores: 5\n", 14, "key 'cores': is 5, the stage's"),
        ("    cores: 4\n", "    cores: 3\n", 6, "key 'cores': is 3, not a multiple of the 2 cores"),
        ("memory: 500\n", "memory: 4097\n", 15, "key 'memory': is 4097 MB, the stage's allocation"),
        ("limit: 30s", "limit: 121s", 16, "key 'limit': is 121s, longer than that of the stage"),
        ("limit: 30s", "limit: 30", 16, "key 'tasks[1].limit'"),
        ("name: b", "name: a", 12, "key 'name': is that of another task of the stage"),
        ("after: [a]", "after: [c]", 17, "key 'after': 'c' is no task of the stage"),
        ("after: [a]", "after: [b]", 17, "tasks wait for each other: 'b' after 'b'"),
        ("name: b", "name: b/c", 12, "key 'tasks[1].name'"),
        ('        command: "true"\n        cores', "        cores", 12, "key 'tasks[1]'"),
        ("    tasks:\n", "    command: x\n    tasks:\n", 5, "has both of the keys 'command' and"),
        ('    after: [split]\n    command: "true"\n', "", 18, "missing key 'command' or 'tasks'"),
    ],
)  # fmt: skip
def test_errors_name_file_line_and_field(tmp_path, before, after, line, message):
    assert before in FLOW
    with pytest.raises(ConfigError) as error:
        read(tmp_path, FLOW.replace(before, after, 1))
    first = str(error.value).splitlines()[0]
    assert first.startswith(f"{tmp_path}/flow.yaml:{line}: "), first
    assert message in first


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("        cores: 2\n", "        cores: 4\n"),
        ("memory: 500", "memory: 4096"),
        ("limit: 30s", "limit: 120s"),
        ("mem-per-cpu: 1G", "mem: 0"),
    ],
)
def test_largest_values_are_valid(tmp_path, before, after):
    assert read(tmp_path, FLOW.replace(before, after, 1)).tasks["split"]


def test_circle_of_tasks_is_named(tmp_path):
    text = FLOW.replace("      - name: b\n", "        after: [b]\n      - name: b\n")
    with pytest.raises(ConfigError, match=r"'a' after 'b' after 'a'|'b' after 'a' after 'b'"):
        read(tmp_path, text)


@pytest.fixture
def marks(tmp_path):
    marks = TaskMarks(tmp_path)
    marks.prepare("s")
    return marks


def test_only_one_process_claims_an_attempt(marks):
    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(lambda job: marks.claim("s", "a", TaskMark(job, 1, 5.0)), range(64)))
    assert won.count(True) == 1
    assert marks.claimed("s", "a", 1).job == won.index(True)
    assert marks.claim("s", "a", TaskMark(99, 2, 6.0))
    assert marks.scan("s") == (set(), {"a": 2})


def test_marks_state_success_and_failure(marks):
    assert marks.done("s", "a.1") is None
    assert not marks.is_done("s", "a.1")
    first = TaskMark(7, 1, 5.0, 9.5, 2)
    assert marks.finish("s", "a.1", first)
    assert not marks.finish("s", "a.1", TaskMark(8, 2, 6.0, 8.0))
    assert marks.done("s", "a.1") == first
    assert marks.fail("s", "b", TaskMark(7, 3, 5.0, 6.0, 1, -9))
    assert marks.failed("s", "b", 3).code == -9
    assert marks.failed("s", "b", 2) is None
    # names with dots, and leftover drafts of a killed process, confuse nothing
    (marks._folder / "s" / ".draft").write_text("")
    assert marks.claim("s", "a.1", first)
    assert marks.scan("s") == ({"a.1"}, {"a.1": 1})
    assert marks.scan("other") == (set(), {})
