"""Scripts of jobs, run by bash as Slurm would: commands, marks and exit codes."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from schedlab.slurm.folder import FolderTakenError, Mark, RunFolder, next_folder
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.workflows import Stage, Workflow

STAGES = (
    Stage("split", 1, 30),
    Stage("left", 8, 40, ("split",)),
    Stage("right-hand", 4, 20, ("split",)),
    Stage("join.all", 2, 10, ("left", "right-hand")),
)


@pytest.fixture
def folder(tmp_path):
    """Make the folder of a run of stages whose commands are given; the others append their name."""

    def make(**commands):
        names = [stage.name for stage in STAGES]
        texts = {name: f"echo {name} >> order.txt" for name in names} | commands
        described = WorkflowFile(
            Workflow("flow", STAGES), dict.fromkeys(names, 60), texts, tolerances={"join.all": 30}
        )
        return RunFolder(tmp_path / "a run", described)

    return make


def start_script(script, number=17, cwd=None):
    environment = os.environ | {
        "SLURM_JOB_ID": str(number),
        "SLURM_NTASKS": "12",
        "SLURM_NNODES": "2",
    }
    return subprocess.Popen(
        ["bash", script], cwd=cwd, env=environment, start_new_session=True, stderr=subprocess.PIPE
    )


def until(happened):
    end = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def kinds(folder):
    return {path.name for path in (folder.path / "marks").iterdir()}


def test_a_stage_runs_and_leaves_marks(folder, tmp_path):
    one = folder()
    assert start_script(one.script(STAGES[0], (), 1.0), cwd=tmp_path).wait() == 0
    assert (tmp_path / "order.txt").read_text() == "split\n"
    assert kinds(one) == {"1.job", "17.began", "17.ended", "split.done"}
    assert one.mark(17, "began").words == ("run", "split")
    assert abs(one.mark(17, "ended").time - time.time()) < 60
    assert one.mark(17, "ended") == Mark(("0",), one.mark(17, "ended").time)
    assert one.mark(17, "failed") is None


@pytest.mark.parametrize(
    ("command", "code"), [("exit 3", 3), ("false\necho on", 1), ("exit 4 | true", 4)], ids=str
)
def test_a_stage_that_fails_is_not_done_and_keeps_its_code(folder, command, code):
    """The first line that fails ends it, in a pipe too."""
    one = folder(split=command)
    assert start_script(one.script(STAGES[0], (), 1.0)).wait() == code
    assert kinds(one) == {"1.job", "17.began", "17.ended"}
    assert one.mark(17, "ended").words == (str(code),)


@pytest.mark.slow
def test_early_job_idles_until_it_is_released(folder, tmp_path):
    one = folder()
    (one.path / "marks/left.done").touch()
    job = start_script(one.script(STAGES[3], ("left", "right-hand"), 0.1), cwd=tmp_path)
    until(lambda: one.mark(17, "began"))
    assert one.mark(17, "began").words == ("idle", "right-hand")
    # it has decided
    (one.path / "marks/right-hand.done").touch()
    time.sleep(0.5)
    assert job.poll() is None
    assert not (tmp_path / "order.txt").exists()
    one.go(17)
    assert job.wait() == 0
    assert (tmp_path / "order.txt").read_text() == "join.all\n"
    assert one.mark(17, "began").words == ("idle", "right-hand")


def start_idling(folder, cwd, heartbeat_age):
    """Start a job that comes early; the client's last heartbeat was so many seconds ago."""
    heartbeat = folder.path / "heartbeat"
    if heartbeat_age is not None:
        heartbeat.touch()
        then = time.time() - heartbeat_age
        os.utime(heartbeat, (then, then))
    return start_script(folder.script(STAGES[3], ("left", "right-hand"), 0.1), cwd=cwd)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("age", "leaves"), [(20, False), (40, True), (None, False), (-20, False), (-9e8, True)]
)
def test_idling_job_without_a_client_gives_its_allocation_up(folder, tmp_path, age, leaves):
    """The tolerance is 30 s; without any heartbeat to see, it stays."""
    one = folder()
    job = start_idling(one, tmp_path, age)
    until(lambda: one.mark(17, "began"))
    if leaves:
        assert job.wait(timeout=20) == 0
        assert b"no heartbeat of the client for more than 30 s" in job.stderr.read()
        assert one.gave_up(17)
        assert one.is_released(17)
        assert not one.go(17)
        assert one.mark(17, "left").words == ("left",)
        assert one.mark(17, "ended").words == ("0",)
    else:
        time.sleep(1)
        assert job.poll() is None
        assert not one.gave_up(17)
        assert one.go(17)
        assert job.wait(timeout=20) == 0
        assert one.go(17)  # as by a client that is resumed
    assert (tmp_path / "order.txt").exists() != leaves
    assert (one.path / "marks/join.all.done").exists() != leaves


@pytest.mark.slow
def test_release_just_before_an_idling_job_would_leave_wins(folder, tmp_path):
    one = folder()
    assert one.go(17)
    job = start_idling(one, tmp_path, 1000)
    assert job.wait(timeout=20) == 0
    assert not one.gave_up(17)
    assert (tmp_path / "order.txt").read_text() == "join.all\n"


def test_folder_is_for_the_user_alone(folder, tmp_path):
    assert folder().path.stat().st_mode & 0o777 == 0o700
    assert tmp_path.is_dir()


def test_folder_of_a_run_that_begins_at_the_same_time_is_refused(folder, tmp_path, monkeypatch):
    """Both have seen an empty folder, or none."""
    mkdir = Path.mkdir

    def late(path, *arguments, **options):
        if path.name == "commands":
            mkdir(path)
        return mkdir(path, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", late)
    with pytest.raises(FolderTakenError, match="a run: is there and not empty; each run has"):
        folder()


def test_scripts_of_a_resumed_run_have_further_numbers(folder):
    one = folder()
    assert one.script(STAGES[0], (), 1.0).name.startswith("1.split.")
    again = RunFolder(one.path, one._described, resumed=True)
    assert again.script(STAGES[0], (), 1.0).name.startswith("2.split.")


def test_job_in_time_runs_at_once(folder, tmp_path):
    one = folder()
    for name in ("left", "right-hand"):
        (one.path / f"marks/{name}.done").touch()
    assert (
        start_script(one.script(STAGES[3], ("left", "right-hand"), 0.1), cwd=tmp_path).wait() == 0
    )
    assert one.mark(17, "began").words == ("run", "join.all")


def test_a_folder_that_a_node_does_not_have_ends_the_job(folder):
    one = folder()
    script = one.script(STAGES[0], (), 1.0)
    (one.path / "marks").rmdir()
    job = start_script(script)
    assert job.wait() == 1
    assert b"the run's folder must be on a file system that all nodes share" in job.stderr.read()


def merged_script(folder):
    (merged,) = Workflow("flow", STAGES).merged().stages
    return folder.script(merged, (), 1.0)


def test_merged_stages_run_in_order_and_in_parallel(folder, tmp_path):
    """Left ends only when right has begun, and the other way round."""
    meet = "touch met.{me}; until [ -e met.{other} ]; do sleep 0.05; done; echo {me} >> order.txt"
    commands = {
        "left": meet.format(me="left", other="right"),
        "right-hand": meet.format(me="right", other="left"),
        "join.all": "sort order.txt > joined.txt; echo $SLURM_NTASKS $SLURM_NNODES $SLURM_EXACT",
    }
    one = folder(**commands)
    assert start_script(merged_script(one), cwd=tmp_path).wait() == 0
    assert (tmp_path / "joined.txt").read_text() == "left\nright\nsplit\n"
    assert one.output("join.all", 17).read_text() == "2 1\n"
    done = {f"{stage.name}.done" for stage in STAGES}
    assert kinds(one) == {"1.job", "17.began", "17.ended", *done}


@pytest.mark.slow
def test_merged_stages_use_no_more_than_all_cores(folder, tmp_path):
    """Had they been expected to take turns, they do: there are 8 cores for 8 and 4."""
    one = folder(
        left="echo left+ >> order.txt; sleep 0.4; echo left- >> order.txt",
        **{"right-hand": "echo right+ >> order.txt; sleep 0.4; echo right- >> order.txt"},
    )
    script = one.script(Stage("all", 8, 100), (), 1.0)
    assert start_script(script, cwd=tmp_path).wait() == 0
    order = (tmp_path / "order.txt").read_text().split()
    assert order[0] == "split"
    assert order[1:5] in (
        ["left+", "left-", "right+", "right-"],
        ["right+", "right-", "left+", "left-"],
    )
    assert order[5] == "join.all"


@pytest.mark.slow
def test_merged_stages_end_at_the_first_failure(folder, tmp_path):
    """Its other processes end too, with all that they have started."""
    one = folder(
        left="(echo $BASHPID > pid; exec sleep 60) | cat", **{"right-hand": "sleep 1; exit 7"}
    )
    job = start_script(merged_script(one), cwd=tmp_path)
    assert job.wait(timeout=20) == 7
    until(lambda: not Path("/proc", (tmp_path / "pid").read_text().strip()).exists())
    assert one.mark(17, "failed").words == ("right-hand",)
    assert one.mark(17, "ended").words == ("7",)
    assert "join.all.done" not in kinds(one)
    assert b"stage right-hand ended with exit code 7" in job.stderr.read()


def test_each_run_has_a_separate_folder(tmp_path):
    assert next_folder(tmp_path, "flow") == tmp_path / "flow.1"
    (tmp_path / "flow.1").mkdir()
    (tmp_path / "flow.2").touch()
    assert next_folder(tmp_path, "flow") == tmp_path / "flow.3"
