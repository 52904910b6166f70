"""Tasks run by a runner: marks, limits, environments, and the end of the allocation."""

import os
import subprocess
import threading
import time

import pytest

from schedlab.slurm.pool import runner as runner_module
from schedlab.slurm.pool.runner import (
    SPARE_S,
    TaskFailedError,
    TaskInterruptedError,
    TaskRefusedError,
    TaskRunner,
)
from schedlab.slurm.tasks import Task, TaskMark, TaskMarks


@pytest.fixture
def marks(tmp_path):
    (tmp_path / "output").mkdir()
    marks = TaskMarks(tmp_path)
    marks.prepare("s")
    return marks


@pytest.fixture
def runner(tmp_path, marks, monkeypatch):
    monkeypatch.setattr(runner_module, "GRACE_S", 0.2)
    monkeypatch.setattr(runner_module, "KILL_S", 0.2)
    return TaskRunner(tmp_path, 7, 1, time.time() + 1000)


def is_alive(process):
    state = subprocess.run(["ps", "-o", "stat=", process], capture_output=True, text=True).stdout
    return state.strip()[:1] not in ("", "Z")


def output(tmp_path, name, attempt=1):
    return (tmp_path / f"output/s.{name}.{attempt}.txt").read_text()


def test_success_leaves_output_and_marks(tmp_path, marks, runner, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    command = 'echo "$SCHEDLAB_STAGE.$SCHEDLAB_TASK.$SCHEDLAB_ATTEMPT $SCHEDLAB_CORES"; '
    runner.run("s", [(Task("a", command + 'echo "$OMP_NUM_THREADS" >&2', 10, 3), 2)])
    assert output(tmp_path, "a", 2) == "s.a.2 3\n3\n"
    done, claim = marks.done("s", "a"), marks.claimed("s", "a", 2)
    assert (done.job, done.node, done.worker, done.cores, done.code) == (7, 1, "7.1", 3, 0)
    assert claim.start == done.start <= done.end
    assert not runner.is_busy


def test_threads_of_the_user_stay(tmp_path, runner, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    runner.run("s", [(Task("a", 'echo "$OMP_NUM_THREADS"', 10), 1)])
    assert output(tmp_path, "a") == "5\n"


@pytest.mark.parametrize(
    ("command", "code"), [("exit 3", 3), ("false | true", 1), ("kill -9 $$", -9)]
)
def test_failure_leaves_its_exit_code(marks, runner, command, code):
    with pytest.raises(TaskFailedError):
        runner.run("s", [(Task("a", command, 10), 1)])
    assert marks.failed("s", "a", 1).code == code
    assert not marks.is_done("s", "a")


@pytest.mark.parametrize(
    ("name", "command", "words"),
    [
        ("a", "x" * 2**17, "OSError: [Errno 7] Argument list too long"),
        ("a", "true\0", "ValueError: embedded null byte"),
        ("a", "\ud800", "UnicodeEncodeError"),
        ("n" * 244, "true", "OSError: [Errno 36] File name too long"),
        ("a", "true", "IsADirectoryError: [Errno 21]"),
    ],
    ids=["long", "nul", "surrogate", "name", "folder"],
)
def test_command_that_cannot_be_run_leaves_a_failure_with_its_words(
    tmp_path, marks, runner, name, command, words
):
    if words.startswith("IsADirectory"):
        (tmp_path / "output/stages.a.1.txt").mkdir()
    marks.prepare("stages")
    with pytest.raises(TaskFailedError):
        runner.run("stages", [(Task(name, command, 10), 1), (Task("b", "true", 10), 1)])
    mark = marks.failed("stages", name, 1)
    assert mark.error.startswith(words)
    assert len(mark.error) < 1000
    # those behind it run
    assert marks.is_done("stages", "b")
    assert not runner.is_busy


@pytest.mark.slow
def test_task_that_uses_up_its_limit_is_killed_with_all_that_it_started(tmp_path, marks, runner):
    """Its child ignores SIGTERM."""
    command = f"(trap '' TERM; exec sleep 300) & echo $! > {tmp_path}/child; wait"
    with pytest.raises(TaskFailedError):
        runner.run("s", [(Task("a", command, 2), 1)])
    assert marks.failed("s", "a", 1).code is None
    child = (tmp_path / "child").read_text().strip()
    end = time.monotonic() + 60
    while is_alive(child):  # the kernel ends it when it runs next, on a busy machine later
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(("late", "runs"), [(-1.0, True), (1.0, False)])
def test_attempt_is_made_only_if_its_limit_fits(tmp_path, marks, runner, late, runs):
    runner.end = time.time() + 10 + SPARE_S - late
    if runs:
        runner.run("s", [(Task("a", "true", 10), 1)])
    else:
        with pytest.raises(TaskRefusedError, match="ends too early"):
            runner.run("s", [(Task("a", "true", 10), 1)])
    assert marks.is_done("s", "a") is runs
    assert (marks.claimed("s", "a", 1) is not None) is runs


def test_claimed_or_finished_task_is_not_run(tmp_path, marks, runner):
    marks.claim("s", "a", TaskMark(8, 1, 5.0))
    marks.finish("s", "b", TaskMark(8, 1, 5.0, 6.0))
    for name, attempt in (("a", 1), ("b", 2)):
        with pytest.raises(TaskRefusedError, match="another worker"):
            runner.run("s", [(Task(name, f"touch {tmp_path}/ran", 10), attempt)])
    assert not (tmp_path / "ran").exists()


def test_end_of_the_allocation_interrupts_and_leaves_no_mark_of_a_failure(tmp_path, marks, runner):
    raised = []

    def attempt():
        try:
            runner.run("s", [(Task("a", f"touch {tmp_path}/ran; sleep 300", 400), 1)])
        except TaskInterruptedError as error:
            raised.append(error)

    thread = threading.Thread(target=attempt)
    thread.start()
    while not (tmp_path / "ran").exists():
        time.sleep(0.01)
    assert runner.is_busy
    runner.stop()
    thread.join(30)
    assert len(raised) == 1
    assert marks.claimed("s", "a", 1)
    assert (marks.failed("s", "a", 1), marks.done("s", "a")) == (None, None)
    with pytest.raises(TaskRefusedError):
        runner.run("s", [(Task("b", "true", 10), 1)])
    assert os.listdir(tmp_path / "output") == ["s.a.1.txt"]


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("exit 143", TaskInterruptedError),
        ("kill -9 $$", TaskInterruptedError),
        ("exit 128", TaskFailedError),
    ],
)
def test_task_killed_just_before_its_worker_is_told_counts_as_interrupted(
    marks, runner, monkeypatch, command, error
):
    monkeypatch.setattr(runner_module, "GRACE_S", 60)
    execute = runner._execute

    def execute_and_tell_later(*arguments):
        code = execute(*arguments)
        threading.Timer(0.1, runner.stop).start()
        return code

    monkeypatch.setattr(runner, "_execute", execute_and_tell_later)
    with pytest.raises(error):
        runner.run("s", [(Task("a", command, 10), 1)])
    assert (marks.failed("s", "a", 1) is None) == (error is TaskInterruptedError)


def test_bundle_runs_one_after_the_other_whatever_happens_to_each(tmp_path, marks, runner):
    """The first error is raised, and marks state what happened to each."""
    marks.claim("s", "b", TaskMark(8, 1, 5.0))
    append = "echo $SCHEDLAB_TASK >> {}/ran; {}"
    ends = {"a": "true", "b": "true", "c": "exit 3", "d": "true"}
    tasks = [(Task(name, append.format(tmp_path, end), 10), 1) for name, end in ends.items()]
    with pytest.raises(TaskRefusedError, match="another worker"):
        runner.run("s", tasks)
    assert (tmp_path / "ran").read_text().split() == ["a", "c", "d"]
    assert marks.scan("s") == ({"a", "d"}, {"a": 1, "b": 1, "c": 1, "d": 1})
    assert marks.failed("s", "c", 1).code == 3
    assert not runner.is_busy


def test_bundle_ends_with_its_allocation(tmp_path, marks, runner, monkeypatch):
    """What has not begun leaves no claim."""
    run_one = runner._run

    def run_and_stop(stage, task, attempt):
        run_one(stage, task, attempt)
        runner.stop()

    monkeypatch.setattr(runner, "_run", run_and_stop)
    with pytest.raises(TaskRefusedError, match="ends too early"):
        runner.run("s", [(Task(name, "true", 10), 1) for name in "abc"])
    assert marks.scan("s") == ({"a"}, {"a": 1})
