"""The commands of Slurm, replaced by scripts in PATH that print what Slurm prints."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from schedlab.slurm.client import COMMANDS, SbatchRequest, Seen, Slurm, SlurmError
from schedlab.slurm.interrupts import Interrupted, deferred_signals, interruptible

REQUEST = SbatchRequest(
    "flow.a", Path("jobs/a.sh"), Path("out/%j.txt"), 4, 3, ("--partition=main",)
)
QUEUE = """\
7|COMPLETED|1795362666|1795362667|1795362669|None
8|PENDING|1795362667|N/A|N/A|Dependency
9|CANCELLED|1795362667|N/A|1795362671|DependencyNeverSatisfied
10|RUNNING|1795362667|1795362670|1795362730|None
"""


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """A folder of commands that write down how they are called; further ones may be put there."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv("SBATCH_PARTITION", raising=False)

    def put(name, text="", said="", code=0):
        path = tmp_path / name
        path.write_text(
            f'#!/bin/sh\necho "$SLURM_TIME_FORMAT $@" >> {tmp_path}/{name}.calls\n{text}\n'
            f"cat <<'END'\n{said}\nEND\nexit {code}\n"
        )
        path.chmod(0o755)
        return lambda: (tmp_path / f"{name}.calls").read_text().splitlines()

    for name in COMMANDS:
        put(name)
    return put


def test_missing_slurm_is_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SlurmError, match="no Slurm found: sbatch is not in PATH; run this where"):
        Slurm()


def test_slurm_that_disappeared_is_reported(commands, tmp_path, monkeypatch):
    slurm = Slurm()
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    with pytest.raises(SlurmError, match=r"^squeue is not in PATH$"):
        slurm.jobs([1])


def test_a_submission(commands):
    calls = commands("sbatch", said="17;cluster")
    assert Slurm().submit(REQUEST) == 17
    assert calls() == [
        " --parsable --partition=main --job-name=flow.a --output=out/%j.txt --ntasks=4 --time=3 "
        "--no-requeue jobs/a.sh"
    ]


def test_dependencies_are_of_good_ends_and_end_with_them(commands):
    calls = commands("sbatch", said="17")
    Slurm().submit(SbatchRequest("n", Path("s"), Path("o"), 1, 1, (), (5, 6)))
    assert "--no-requeue --dependency=afterok:5:6 --kill-on-invalid-dep=yes s" in calls()[0]


def test_text_before_the_number_of_sbatch_is_ignored(commands):
    commands("sbatch", said="sbatch: your project has 3 h left\n17")
    assert Slurm().submit(REQUEST) == 17
    commands("sbatch", said="")
    with pytest.raises(SlurmError, match="not a job's number"):
        Slurm().submit(REQUEST)


def test_rejection_is_reported_in_slurms_words(commands):
    words = (
        "Batch job submission failed: Invalid account or account/partition combination specified"
    )
    commands("sbatch", text=f"echo 'sbatch: error: {words}' >&2", code=1)
    with pytest.raises(SlurmError, match=f"^sbatch: sbatch: error: {words}$"):
        Slurm().submit(REQUEST)


def test_a_job_is_found_by_its_script(commands):
    """That of another run, of the same name, is not it; nor is one whose name goes on."""
    said = "5|other/jobs/a.sh\n6|jobs/a.sh.old\n7|jobs/a.sh\n8|(null)"
    calls = commands("squeue", said=said)
    assert Slurm().find(REQUEST) == 7
    assert calls() == [" --me --noheader --format=%A|%o"]
    commands("squeue", said="5|other/jobs/a.sh")
    assert Slurm().find(REQUEST) == 0
    commands("squeue", code=1)
    with pytest.raises(SlurmError, match="squeue"):
        Slurm().find(REQUEST)


@pytest.mark.parametrize("name", ["SBATCH_CLUSTERS", "SLURM_CLUSTERS"])
def test_different_cluster_in_the_environment_is_rejected(commands, monkeypatch, name):
    monkeypatch.setenv(name, "beta")
    with pytest.raises(SlurmError, match=rf"^{name} is set to 'beta' .* alone; unset it$"):
        Slurm()
    monkeypatch.setenv(name, "")
    Slurm()


def test_jobs_are_seen_with_seconds(commands):
    calls = commands("squeue", said=QUEUE)
    found = Slurm().jobs([10, 7, 8, 9])
    assert found == {
        7: Seen("COMPLETED", 1795362666, 1795362667, 1795362669),
        8: Seen("PENDING", 1795362667, None, None, "Dependency"),
        9: Seen("CANCELLED", 1795362667, None, 1795362671, "DependencyNeverSatisfied"),
        10: Seen("RUNNING", 1795362667, 1795362670, 1795362730),
    }
    assert calls() == ["%s --noheader --states=all --jobs=7,8,9,10 --format=%i|%T|%V|%S|%e|%r"]
    assert [seen.begun for seen in found.values()] == [True, False, False, True]
    assert [seen.over for seen in found.values()] == [True, False, True, False]
    assert Slurm().jobs([]) == {}


def test_jobs_are_seen_with_local_times_where_slurm_has_no_others(commands, monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Paris")
    time.tzset()
    try:
        commands("squeue", said="7|PENDING|2026-11-22T15:51:06|N/A|Unknown|None")
        assert Slurm().jobs([7]) == {7: Seen("PENDING", 1795359066, None, None)}
    finally:
        monkeypatch.undo()
        time.tzset()


WAIT = ["PENDING", "CONFIGURING"]
AGAIN = ["REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"]


@pytest.mark.parametrize("state", WAIT + AGAIN)
def test_booting_or_requeued_job_has_not_begun(state):
    assert not Seen(state, 1, 2, 3).begun
    assert not Seen(state, 1, 2, 3).over


@pytest.mark.parametrize("state", ["COMPLETING", "SUSPENDED"])
def test_completing_job_is_running(state):
    assert Seen(state, 1, 2, 3).begun
    assert not Seen(state, 1, 2, 3).over


def test_a_job_that_is_not_known_is_not_seen(commands):
    commands("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2", code=1)
    assert Slurm().jobs([3]) == {}
    commands(
        "squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2", code=1
    )
    with pytest.raises(SlurmError, match="Unable to contact slurm controller"):
        Slurm().jobs([3])


def test_exit_codes(commands):
    commands("scontrol", said="JobId=2 JobState=FAILED ExitCode=3:0 RunTime=0")
    assert Slurm().exit_code(2) == "3:0"
    commands("scontrol", code=1)
    assert Slurm().exit_code(2) == "unknown"


def test_jobs_are_cancelled_in_one_call_and_none_without_jobs(commands):
    calls = commands("scancel")
    Slurm().cancel([4, 5])
    Slurm().cancel([])
    assert calls() == [" --quiet 4 5"]


def test_waits_are_learned_by_cluster_and_partition(commands, monkeypatch):
    commands("scontrol", said="Configuration data\nClusterName             = alpha\nX = 1")
    commands("sinfo", said="short\nmain*\nlong")
    assert Slurm().system() == "alpha/main"
    assert Slurm().system("long") == "alpha/long"
    monkeypatch.setenv("SBATCH_PARTITION", "short")
    assert Slurm().system() == "alpha/short"
    monkeypatch.delenv("SBATCH_PARTITION")
    commands("sinfo", said="short\nlong")
    assert Slurm().system() == "alpha/any"
    commands("scontrol", said="")
    with pytest.raises(SlurmError, match="answer: scontrol show config: says no ClusterName"):
        Slurm().system()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_is_deferred_until_the_job_number_is_known(commands, number):
    """It comes while sbatch runs, which ends well; the number is there before it is noticed."""
    commands("sbatch", text="sleep 0.3", said="17")
    numbers = []

    def submit():
        with interruptible():
            threading.Timer(0.1, os.kill, (os.getpid(), number)).start()
            with deferred_signals():
                numbers.append(Slurm().submit(REQUEST))
            numbers.append("too late")

    with pytest.raises(Interrupted, match=number.name):
        submit()
    assert numbers == [17]


def test_further_signals_do_not_interrupt_the_cleanup():
    done = []

    def run():
        with interruptible():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            finally:
                os.kill(os.getpid(), signal.SIGINT)
                with deferred_signals():
                    os.kill(os.getpid(), signal.SIGTERM)
                done.append("taken back")

    with pytest.raises(Interrupted, match="SIGTERM"):
        run()
    assert done == ["taken back"]


def test_signal_handlers_are_restored():
    before = signal.getsignal(signal.SIGTERM)
    with interruptible():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_ignored_signals_stay_ignored():
    """As SIGHUP under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_signals_are_handled_only_in_the_main_thread():
    reached = []

    def run():
        with interruptible():
            reached.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert reached


def test_of_two_other_clusters_in_the_environment_the_first_is_named(commands, monkeypatch):
    monkeypatch.setenv("SBATCH_CLUSTERS", "beta")
    monkeypatch.setenv("SLURM_CLUSTERS", "gamma")
    with pytest.raises(SlurmError, match=r"^SBATCH_CLUSTERS is set to 'beta' in the environment"):
        Slurm()
