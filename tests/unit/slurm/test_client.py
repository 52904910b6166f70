"""The commands of Slurm, replaced by scripts in PATH that print what Slurm prints."""

import os
import re
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from client_case import MARKED, ME, REQUEST, identity
from schedlab.slurm.client import (
    COMMANDS,
    SKEW,
    SbatchRequest,
    Seen,
    Slurm,
    SlurmError,
    TemporaryError,
)
from schedlab.slurm.interrupts import Interrupted, deferred_signals, interruptible

QUEUE = """\
7|COMPLETED|1795362666|1795362667|1795362669|None
8|PENDING|1795362667|N/A|N/A|Dependency
9|CANCELLED|1795362667|N/A|1795362671|DependencyNeverSatisfied
10|RUNNING|1795362667|1795362670|1795362730|None
"""


def test_missing_slurm_is_reported_and_a_broken_command_is_tried_again(
    commands, monkeypatch, tmp_path
):
    slurm = Slurm()
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(SlurmError, match="no Slurm found: sbatch is not in PATH; run this where"):
        Slurm()
    with pytest.raises(SlurmError, match=r"^squeue is not in PATH$"):
        slurm.jobs([1])
    (tmp_path / "empty/sbatch").write_text("no program")
    with pytest.raises(TemporaryError, match="sbatch: cannot be started"):
        slurm.submit(REQUEST)


def test_a_submission(commands):
    calls = commands("sbatch", said="17;cluster")
    assert Slurm().submit(REQUEST) == 17
    assert calls() == [
        " --parsable --partition=main --job-name=flow.a --output=out/%j.txt --ntasks=4 --time=3 "
        "--no-requeue jobs/a.sh"
    ]
    Slurm().submit(SbatchRequest("n", Path("s"), Path("o"), 1, 1, (), (5, 6)))
    assert "--no-requeue --dependency=afterok:5:6 --kill-on-invalid-dep=yes s" in calls()[1]


@pytest.mark.parametrize(
    "printed",
    [
        "sbatch: your project has 3 h left\n17",
        "17\nsee ticket 4711",
        "17\n18",
        "17;cluster;4711",
        "17 18",
        " 17",
        "-17",
        "17.5",
        "0",
        "\u0661\u0667",
        "Submitted batch job 17",
        "",
    ],
)
def test_output_of_sbatch_that_is_not_one_job_number_is_an_error(commands, printed):
    """Its last word could be the number of another user's job."""
    commands("sbatch", said=printed)
    with pytest.raises(SlurmError, match="not one line with a job's number") as error:
        Slurm().submit(REQUEST)
    assert repr(f"{printed}\n") in str(error.value)
    assert not isinstance(error.value, TemporaryError)


def test_submission_to_another_cluster_is_an_error_with_its_name(commands):
    commands("sbatch", said="17;beta")
    commands("scontrol", said="ClusterName = alpha")
    slurm = Slurm()
    slurm.system("main")
    with pytest.raises(SlurmError, match="submitted job 17 to cluster beta, not to alpha"):
        slurm.submit(REQUEST)
    commands("sbatch", said="17;alpha")
    assert slurm.submit(REQUEST) == 17


def test_rejection_is_reported_in_slurms_words(commands):
    words = (
        "Batch job submission failed: Invalid account or account/partition combination specified"
    )
    commands("sbatch", text=f"echo 'sbatch: error: {words}' >&2", code=1)
    with pytest.raises(SlurmError, match=f"^sbatch: sbatch: error: {words}$"):
        Slurm().submit(REQUEST)


def test_a_job_is_found_by_its_script_or_its_mark(commands):
    """That of another run, of the same name, is not it; nor is one whose name goes on."""
    others = [
        identity(5, "other/jobs/a.sh"),
        identity(6, "jobs/a.sh.old"),
        identity(8, "(null)"),
        identity(9, "other.sh", "schedlab:1.a.token2"),
        "no line of a job",
    ]
    for own in (
        identity(7),
        identity(7, "(null)", "schedlab:1.a.token"),
        identity(7, "spool|x", "site: |schedlab:1.a.token"),
    ):
        calls = commands("squeue", said="\n".join([*others, own]))
        assert Slurm().find(MARKED) == 7
    assert calls()[0] == "%s --me --noheader --states=all --format=%A|%U|%V|%T|%j|%o|%k"
    commands("squeue", said="\n".join(others))
    assert Slurm().find(MARKED) == 0
    commands("squeue", code=1)
    with pytest.raises(SlurmError, match="squeue"):
        Slurm().find(MARKED)


def test_a_mark_is_the_comment_unless_the_workflow_has_one():
    assert "--comment=schedlab:1.a.token" in MARKED.arguments
    own = replace(MARKED, options=("--comment=mine",))
    assert [one for one in own.arguments if "comment" in one] == ["--comment=mine"]


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


@pytest.mark.parametrize("state", [*WAIT, *AGAIN, "COMPLETING", "SUSPENDED"])
def test_booting_or_requeued_job_has_not_begun_and_a_completing_one_runs(state):
    assert Seen(state, 1, 2, 3).begun is (state in ("COMPLETING", "SUSPENDED"))
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


def test_own_jobs_are_cancelled_in_one_call_and_none_without_jobs(commands):
    looks = commands("squeue", said=f"{identity(4)}\n{identity(5)}")
    calls = commands("scancel")
    assert Slurm().cancel({4: MARKED, 5: MARKED}) == ()
    Slurm().cancel({})
    assert calls() == [" --quiet 4 5"]
    assert looks() == ["%s --noheader --states=all --jobs=4,5 --format=%A|%U|%V|%T|%j|%o|%k"]
    Slurm().cancel({4: MARKED}, pending_only=True)
    assert calls()[1:] == [" --quiet --state=PENDING 4"]
    # just within the difference of clocks
    commands("squeue", said=identity(4, submit=-SKEW))
    assert Slurm().cancel({4: MARKED}) == ()
    assert calls()[2:] == [" --quiet 4"]
    commands("squeue", said=identity(4).replace(str(MARKED.made), "N/A"))
    assert Slurm().cancel({4: MARKED}) == (4,)


@pytest.mark.parametrize(
    "other",
    [
        {"user": ME + 1},
        {"name": "flow.b"},
        {"script": "jobs/b.sh"},
        {"script": "other.sh", "comment": "schedlab:1.a.other"},
        {"submit": -SKEW - 1},
    ],
)
def test_a_job_that_is_not_own_is_not_cancelled(commands, other):
    """Numbers are reused; a job must agree in user, name, script or mark, and submit time."""
    commands("squeue", said=f"{identity(4)}\n{identity(5, **other)}")
    calls = commands("scancel")
    assert Slurm().cancel({4: MARKED, 5: MARKED}) == (5,)
    assert calls() == [" --quiet 4"]


def test_nothing_is_cancelled_if_squeue_does_not_answer(commands, tmp_path):
    commands("squeue", "echo 'Unable to contact slurm controller' >&2", code=1)
    with pytest.raises(TemporaryError, match="Unable to contact"):
        Slurm().cancel({4: MARKED})
    commands("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2", code=1)
    assert Slurm().cancel({4: MARKED}) == ()
    assert not (tmp_path / "scancel.calls").exists()


def test_nothing_is_cancelled_on_another_cluster(commands, tmp_path):
    commands("scontrol", said="ClusterName = alpha")
    commands("squeue", said=identity(4))
    slurm = Slurm()
    slurm.system("main")
    commands("scontrol", said="ClusterName = beta")
    with pytest.raises(SlurmError, match="cluster is beta now, it was alpha"):
        slurm.cancel({4: MARKED})
    assert not (tmp_path / "scancel.calls").exists()
    commands("scontrol", said="ClusterName = alpha")
    slurm.cancel({4: MARKED})
    assert (tmp_path / "scancel.calls").exists()


WAIT_AND_TRY_AGAIN = [
    "QOSMaxSubmitJobPerUserLimit",
    "AssocMaxSubmitJobLimit",
    "AssocGrpSubmitJobsLimit",
    "Batch job submission failed: Resource temporarily unavailable",
    "Slurm temporarily unable to accept job, sleeping and retrying",
    "Slurm job queue full, sleeping and retrying",
    "Job creation temporarily disabled, retrying",
    "Slurm controller is busy",
    "Batch job submission failed: Socket timed out on send/recv operation",
    "Batch job submission failed: Unable to contact slurm controller (connect failure)",
    "Batch job submission failed: Zero Bytes were transmitted or received",
    "Batch job submission failed: Protocol authentication error",
    "Batch job submission failed: Connection refused",
    "Slurm backup controller in standby mode",
]
FINAL = [
    "Batch job submission failed: Invalid partition name specified",
    "Batch job submission failed: Invalid account or account/partition combination specified",
    "Batch job submission failed: Invalid qos specification",
    "Batch job submission failed: Requested node configuration is not available",
    "QOSMaxCpuPerUserLimit",
    "Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's "
    "size and/or time limits)",
    "Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)",
    "Batch job submission failed: Access/permission denied",
]


@pytest.mark.parametrize(
    ("words", "temporary"),
    [(words, True) for words in WAIT_AND_TRY_AGAIN] + [(words, False) for words in FINAL],
)
def test_refusals_for_now_are_told_from_final_ones(commands, words, temporary):
    commands("sbatch", f'echo "sbatch: error: {words}" >&2', code=1)
    with pytest.raises(SlurmError, match=re.escape(words)) as error:
        Slurm().submit(REQUEST)
    assert isinstance(error.value, TemporaryError) == temporary


ASKS = {
    "sbatch": lambda slurm: slurm.submit(REQUEST),
    "squeue": lambda slurm: slurm.jobs([3]),
    "scancel": lambda slurm: slurm.cancel({4: MARKED}),
    "scontrol": lambda slurm: slurm._cluster_name(),
    "sinfo": lambda slurm: slurm._system(None),
}


def is_alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_timeout(commands, name, tmp_path):
    """A child that keeps the output open is killed as well."""
    begin = time.monotonic()
    commands("squeue", said=identity(4))
    commands("scontrol", said="ClusterName = alpha")
    commands(name, f"sleep 60 & echo $! > {tmp_path}/child; wait", said="ClusterName = alpha")
    with pytest.raises(TemporaryError, match=rf"^{name}: no answer within 0.3 s, given up$"):
        ASKS[name](Slurm(timeout=0.3))
    child = int((tmp_path / "child").read_text())
    while is_alive(child):
        assert time.monotonic() < begin + 30
        time.sleep(0.01)
    commands(name, "sleep 0.1", said="ClusterName = alpha" if name != "sbatch" else "17")
    ASKS[name](Slurm(timeout=20))


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


ACCOUNTED = replace(REQUEST, made=1_795_362_600)
ENDED = "7|NODE_FAIL|1795362666|1795362667|1795362669|flow.a"


def test_end_in_the_accounting_is_read(commands):
    assert Slurm().recorded(7, ACCOUNTED) is None
    commands("sacct", text="echo 'Slurm accounting storage is disabled' >&2", code=1)
    assert Slurm().recorded(7, ACCOUNTED) is None
    calls = commands("sacct", said=ENDED)
    assert Slurm().recorded(7, ACCOUNTED) == Seen("NODE_FAIL", 1795362666, 1795362667, 1795362669)
    assert " --noheader --parsable2 --allocations --jobs=7 --starttime=now-" in calls()[0]
    assert calls()[0].startswith("%s ")
    commands("sacct", said=ENDED.replace("NODE_FAIL", "CANCELLED by 0"))
    assert Slurm().recorded(7, ACCOUNTED).state == "CANCELLED"


@pytest.mark.parametrize(
    "line",
    [
        ENDED.replace("flow.a", "flow.b"),
        ENDED.replace("7|", "8|", 1),
        ENDED.replace("NODE_FAIL", "RUNNING"),
        ENDED.replace("1795362666", str(ACCOUNTED.made - SKEW - 1)),
        "",
    ],
)
def test_end_of_another_job_in_the_accounting_is_ignored(commands, line):
    commands("sacct", said=line)
    assert Slurm().recorded(7, ACCOUNTED) is None
    oldest = ENDED.replace("1795362666", str(ACCOUNTED.made - SKEW))
    commands("sacct", said=oldest)
    assert Slurm().recorded(7, ACCOUNTED) is not None


def test_start_of_a_test_is_read_from_its_errors(commands):
    calls = commands(
        "sbatch", "echo sbatch: Job 9 to start at 1795362667 using 4 processors on nodes n1 >&2"
    )
    assert Slurm().test_start(replace(REQUEST, width=2)) == 1795362667
    assert calls() == [
        "%s --test-only --partition=main --ntasks=2 --time=3 --cpus-per-task=2 --wrap=:"
    ]


@pytest.mark.parametrize("said", ["", "Job 9 to start soon", "allocation failure"])
def test_test_without_a_start_is_an_error(commands, said):
    commands("sbatch", said=said)
    with pytest.raises(SlurmError, match=r"sbatch --test-only printed '.*', which names no start"):
        Slurm().test_start(REQUEST)


@pytest.mark.parametrize(
    ("names", "variable", "lines"),
    [
        (None, None, ["main*|4|8|1-infinite"]),
        ("far", None, ["main*|4|8|1-infinite", "far|2|8|1-2"]),
        (None, "far", ["main*|4|8|1-infinite", "far|2|8|1-2"]),
    ],
)
def test_partitions_are_the_named_ones_or_the_default(
    commands, monkeypatch, names, variable, lines
):
    if variable:
        monkeypatch.setenv("SBATCH_PARTITION", variable)
    calls = commands("sinfo", said="main*|4|8|1-infinite\nfar|2|8|1-2")
    assert Slurm().partitions(names) == lines
    assert ("--partition=far" in calls()[0]) is ("far" in (names, variable))
