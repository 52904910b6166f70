"""Runs whose clients are killed at every moment: each stage runs once, and no job is left."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asa_case import Told, estimator_by_stage
from killed_case import run_with_deaths
from schedlab.slurm import strategies
from schedlab.slurm.client import SlurmError
from schedlab.slurm.interrupts import Interrupted
from schedlab.slurm.journal import Journal, JournalError
from schedlab.slurm.retries import GivenUpError
from schedlab.slurm.run import prepare_run, resume_workflow
from schedlab.waits.strategies import STRATEGIES
from slurm_case import Fate, Slurm
from workflows_case import CHAIN, DIAMOND, workflow_file

#: waits and run times so that naive allocations idle, and some are released
FATES = [
    *(Fate(wait=7, run=100), Fate(wait=3, run=50), Fate(wait=12, run=40), Fate(wait=2, run=30)),
    Fate(wait=4, run=25),
]
ESTIMATES = [10, 60, 60, 90]


def run(strategy, folder, moments=(), gaps=(), slurm=None, stages=DIAMOND, **options):
    """Return Slurm, the outcome, the estimator and the number of moments of the last client."""
    slurm = Slurm(FATES, tolerance=600) if slurm is None else slurm
    told = estimator_by_stage(workflow_file(stages).workflow, ESTIMATES)
    outcome, count = run_with_deaths(
        strategy, slurm, folder, stages, told, moments, gaps, **options
    )
    return slurm, outcome, told, count


def check_once(slurm, outcome, stages, strategy):
    """Check that every stage ran once, after those before it, and that no job is left."""
    if strategy == "Big Job":
        assert slurm.ran == ["all"]
    else:
        assert sorted(slurm.ran) == sorted(stage.name for stage in stages)
        for stage in stages:
            assert all(slurm.ran.index(name) < slurm.ran.index(stage.name) for name in stage.after)
    assert slurm.left == []
    assert len(outcome.stages) == (1 if strategy == "Big Job" else len(stages))
    assert (outcome.stages["perceived"] >= 0).all()


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("gap", "first"), [(0.0, 0), (45.0, 4), (1000.0, 8)])
def test_client_killed_at_any_moment_is_resumed_and_each_stage_runs_once(
    tmp_path, strategy, gap, first
):
    _, whole, _, count = run(strategy, tmp_path / "whole")
    assert count > 20
    # every moment in turn would take minutes
    for moment in range(first, count, count // 12):
        slurm, outcome, again, _ = run(strategy, tmp_path / str(moment), [moment], [gap])
        check_once(slurm, outcome, DIAMOND, strategy)
        # a wait that was about to be learned may be lost, none is learned twice
        starts = len(outcome.stages) + outcome.stages["resubmitted"].sum()
        if STRATEGIES[strategy].ahead:
            assert starts - 1 <= len(again.observed) <= starts
        if gap == 0:
            assert outcome.stages["estimate"].tolist() == whole.stages["estimate"].tolist()


@given(
    strategy=st.sampled_from(sorted(STRATEGIES)),
    stages=st.sampled_from([CHAIN, DIAMOND]),
    moments=st.lists(st.integers(0, 60), max_size=8),
    gaps=st.lists(st.sampled_from([0.0, 5.0, 40.0, 200.0, 900.0]), max_size=8),
    poll=st.sampled_from([1.0, 10.0]),
    forgets=st.sampled_from([300.0, 5.0]),
    waits=st.lists(st.sampled_from([0.0, 5.0, 60.0]), min_size=8, max_size=8),
)
@pytest.mark.slow
def test_clients_killed_again_and_again_run_each_stage_once(
    strategy, stages, moments, gaps, poll, forgets, waits
):
    fates = [Fate(wait=wait, run=30, prolog=0.5) for wait in waits]
    slurm = Slurm(fates, forgets=forgets, tolerance=100)
    with tempfile.TemporaryDirectory() as folder:
        _, outcome, _, _ = run(
            strategy, Path(folder, "run"), moments, gaps, slurm, stages, poll=poll
        )
        record = json.loads(Path(folder, "run/record.json").read_text())
    check_once(slurm, outcome, stages, strategy)
    assert len({job["job"] for job in record["jobs"]}) == len(slurm.by_number)


def test_detached_client_ended_by_the_machine_leaves_all_jobs(tmp_path):
    """Also those that wait, or idle; the next client goes on with the very same jobs."""
    slurm = Slurm([Fate(run=300), Fate(), Fate(run=20)])
    slurm.interrupt_at(5, detached=True)
    with pytest.raises(Interrupted) as error:
        run("All at once", tmp_path / "run", slurm=slurm, stages=CHAIN)
    assert error.value.left == (101, 102, 103)
    assert slurm.left == ["a", "b", "c"]
    outcome = resume_workflow(tmp_path / "run", Told({}), slurm=slurm)
    check_once(slurm, outcome, CHAIN, "All at once")
    assert len(slurm.by_number) == 3


@pytest.mark.parametrize("strategy", ["All at once", "ASA", "ASA Naive"])
@pytest.mark.parametrize("call", [2, 6, 14])
@pytest.mark.parametrize("gap", [0.0, 3000.0])
def test_jobs_taken_back_at_a_logout_are_submitted_again(tmp_path, strategy, call, gap):
    """SIGTERM follows SIGHUP: running jobs are left, waiting and idle ones are taken back."""
    slurm = Slurm([Fate(run=300), Fate(wait=50), Fate(wait=50, run=20)])
    slurm.interrupt_at(call, hung_up=True)
    with pytest.raises(Interrupted):
        run(strategy, tmp_path / "run", slurm=slurm, stages=CHAIN)
    assert slurm.left == ["a"]
    slurm.sleep(gap)
    outcome = resume_workflow(tmp_path / "run", Told({4: 10, 1: 60, 5: 60}), slurm=slurm)
    check_once(slurm, outcome, CHAIN, strategy)
    cancelled = [job for job in slurm.by_number.values() if job.state == "CANCELLED"]
    assert len(slurm.by_number) == 3 + len(cancelled)


def test_job_that_started_when_it_was_to_be_taken_back_is_not_run_again(tmp_path):
    slurm = Slurm([Fate(wait=38, run=100)])
    slurm.interrupt_at(4, hung_up=True)
    cancel = slurm.cancel

    def late(requests, pending_only=False):
        slurm.sleep(10)  # it starts meanwhile
        return cancel(requests, pending_only)

    slurm.cancel = late
    with pytest.raises(Interrupted):
        run("Per-Stage", tmp_path / "run", slurm=slurm, stages=CHAIN[:1])
    outcome = resume_workflow(tmp_path / "run", Told({}), slurm=slurm)
    check_once(slurm, outcome, CHAIN[:1], "Per-Stage")
    assert len(slurm.by_number) == 1


def test_run_that_gave_slurm_up_is_resumed(tmp_path):
    slurm = Slurm([Fate(run=5000), Fate(run=10)])
    about = prepare(tmp_path, "Per-Stage", slurm, give_up=100.0)
    slurm.silent = 1000
    with pytest.raises(GivenUpError):
        resume_workflow(about, Told({}), slurm=slurm)
    slurm.silent = 0
    outcome = resume_workflow(about, Told({}), slurm=slurm)
    check_once(slurm, outcome, CHAIN, "Per-Stage")


def prepare(tmp_path, strategy, slurm, stages=CHAIN, **options):
    prepare_run(
        workflow_file(stages), strategy, tmp_path / "run", poll=10.0, slurm=slurm, **options
    )
    return tmp_path / "run"


def test_run_ended_for_good_is_not_resumed(tmp_path):
    slurm, folder = Slurm([Fate(code=3)]), tmp_path / "run"
    with pytest.raises(SlurmError, match="exit code 3"):
        run("Per-Stage", folder, slurm=slurm, stages=CHAIN)
    with pytest.raises(SlurmError, match=r"the run has ended: .*exit code 3.*another folder"):
        resume_workflow(folder, Told({}), slurm=slurm)
    assert len(slurm.by_number) == 1


def test_client_killed_while_it_takes_jobs_back_is_followed_by_one_that_does(tmp_path):
    """B fails, c of the same time runs on; the client dies before scancel."""
    stages = (CHAIN[0], CHAIN[1], replace(CHAIN[2], after=("a",)))
    slurm, folder = Slurm([Fate(run=30), Fate(run=20, code=3), Fate(run=5000)]), tmp_path / "run"
    cancel = slurm.cancel

    def killed(*_):
        raise SystemExit

    slurm.cancel = killed
    with pytest.raises(SystemExit):
        run("Per-Stage", folder, slurm=slurm, stages=stages)
    assert slurm.left == ["c"]
    slurm.cancel = cancel
    # as after a true SIGKILL, which writes no last line
    lines = (folder / "journal.jsonl").read_text().splitlines(keepends=True)
    (folder / "journal.jsonl").write_text("".join(lines[:-1]))
    with pytest.raises(SlurmError, match=r"the run has ended before: .*exit code 3"):
        resume_workflow(folder, Told({}), slurm=slurm)
    assert slurm.left == []
    assert slurm.ran == ["a", "b", "c"]


def test_result_of_a_run_that_succeeded_is_returned_again(tmp_path):
    slurm, first, _, _ = run("ASA", tmp_path / "run", stages=CHAIN)
    calls = slurm.calls
    again = resume_workflow(tmp_path / "run", Told({}), slurm=slurm)
    assert again.stages.equals(first.stages)
    assert (len(slurm.by_number), slurm.calls) == (3, calls)


def test_run_on_another_cluster_is_not_resumed(tmp_path, monkeypatch):
    slurm = Slurm()
    folder = prepare(tmp_path, "Per-Stage", slurm)
    monkeypatch.setattr(slurm, "system", lambda partition=None: f"other/{partition}")
    with pytest.raises(SlurmError, match="cluster is other, the run's fake: resume it there"):
        resume_workflow(folder, Told({}), slurm=slurm)
    assert slurm.by_number == {}


def test_journal_of_another_version_ends_nothing_that_runs(tmp_path):
    slurm = Slurm([Fate(run=5000)])
    slurm.interrupt_at(3, detached=True)
    with pytest.raises(Interrupted):
        run("All at once", tmp_path / "run", slurm=slurm, stages=CHAIN)
    path = tmp_path / "run/journal.jsonl"
    before = path.read_text()
    monkey = pytest.MonkeyPatch()
    monkey.setitem(strategies.STRATEGIES, "All at once", STRATEGIES["Per-Stage"])
    with pytest.raises(JournalError, match="was not expected"):
        resume_workflow(tmp_path / "run", Told({}), slurm=slurm)
    monkey.undo()
    assert slurm.left == ["a", "b", "c"]
    assert path.read_text().startswith(before)
    outcome = resume_workflow(tmp_path / "run", Told({}), slurm=slurm)
    check_once(slurm, outcome, CHAIN, "All at once")


def test_jobs_are_submitted_from_the_place_and_with_the_variables_of_the_beginning(
    tmp_path, monkeypatch
):
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "there")
    monkeypatch.setenv("SBATCH_ACCOUNT", "physics")
    slurm = Slurm()
    folder = prepare(tmp_path, "Per-Stage", slurm)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SBATCH_ACCOUNT", "chemistry")
    (folder / "journal.jsonl").chmod(0o644)  # as of an older version
    resume_workflow(folder, Told({}), slurm=slurm)
    assert (folder / "journal.jsonl").stat().st_mode & 0o777 == 0o600
    assert slurm.submits_from == (tmp_path / "there", {"SBATCH_ACCOUNT": "physics"})


def test_job_that_ran_in_place_of_a_second_one_is_followed(tmp_path):
    """Slurm accepts a twice; the first job runs the script, and the second one fails at once."""
    slurm, lines = Slurm([Fate(run=300), Fate(wait=5, code=1), Fate(run=10)]), []
    submit = slurm.submit

    def twice(request):
        number = submit(request)
        if number == 101:
            slurm.sleep(1)
            (request.script.parents[1] / "marks/1.job").write_text("101\n")
            number = submit(request)
        return number

    slurm.submit = twice
    _, outcome, _, _ = run(
        "Per-Stage", tmp_path / "run", slurm=slurm, stages=CHAIN[:2], tell=lines.append
    )
    assert outcome.stages["end"].tolist()[0] - outcome.at == 300
    assert any("job 102 ended at once, job 101 runs the stage" in line for line in lines)


@pytest.mark.parametrize("accounts", [True, False])
def test_end_that_slurm_has_forgotten_is_that_of_the_accounting(tmp_path, accounts):
    """A's node failed while no client was there."""
    slurm = Slurm([Fate(run=30, state="NODE_FAIL")])
    slurm.accounts = accounts
    slurm.interrupt_at(2, detached=True)
    with pytest.raises(Interrupted):
        run("Per-Stage", tmp_path / "run", slurm=slurm, stages=CHAIN)
    slurm.sleep(10_000)
    words = "ended as NODE_FAIL" if accounts else "job 101 is lost"
    with pytest.raises(SlurmError, match=words):
        resume_workflow(tmp_path / "run", Told({}), slurm=slurm)


def test_full_disk_at_the_journal_is_waited_for(tmp_path, monkeypatch):
    slurm, lines, failures = Slurm([Fate(run=30)]), [], [OSError(28, "No space left")] * 3
    append = Journal._append

    def full(journal, record):
        with monkeypatch.context() as patch:
            if record["kind"] == "request" and failures:
                patch.setattr("schedlab.slurm.journal.os.fsync", fail)
            append(journal, record)

    def fail(_):
        raise failures.pop()

    monkeypatch.setattr(Journal, "_append", full)
    _, outcome, _, _ = run(
        "Per-Stage", tmp_path / "run", slurm=slurm, stages=CHAIN, tell=lines.append
    )
    check_once(slurm, outcome, CHAIN, "Per-Stage")
    assert any("no answer: [Errno 28]" in line and "journal.jsonl" in line for line in lines)


def test_waits_are_learned_by_the_qos_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("SBATCH_QOS", "long")
    slurm, told = Slurm(), Told({})
    outcome = resume_workflow(prepare(tmp_path, "ASA", slurm), told, slurm=slurm)
    assert outcome.system == "fake/main/qos=long"
    assert told.asked[0] == "fake/main/qos=long/limit=1h/4"


def test_jobs_that_were_cancelled_are_not_cancelled_again(tmp_path):
    """The client ends after scancel, before it sees the end of the job."""
    slurm, cancelled = Slurm(FATES), []
    cancel = slurm.cancel

    def cancel_and_end(requests, pending_only=False):
        cancelled.extend(requests)
        if len(cancelled) == 1:
            slurm.interrupt_at(slurm.calls + 1, detached=True)
        return cancel(requests, pending_only)

    slurm.cancel = cancel_and_end
    with pytest.raises(Interrupted):
        run("ASA Naive", tmp_path / "run", slurm=slurm)
    told = estimator_by_stage(workflow_file().workflow, ESTIMATES)
    outcome = resume_workflow(tmp_path / "run", told, slurm=slurm)
    check_once(slurm, outcome, DIAMOND, "ASA Naive")
    assert len(cancelled) == len(set(cancelled)) > 0


@pytest.mark.parametrize(("give_up", "ends"), [(60.0, False), (59.9, True)])
def test_disk_that_stays_full_leaves_running_jobs(tmp_path, monkeypatch, give_up, ends):
    """A runs, b cannot be recorded for 70 s, with attempts every 10 s."""
    slurm = Slurm([Fate(run=5000), Fate(run=10)])
    append, begin = Journal._append, slurm.time()

    def full(journal, record):
        if record["kind"] == "request" and record["job"] == 1 and slurm.time() < begin + 70:
            raise OSError(28, "No space left", str(journal.path))
        append(journal, record)

    monkeypatch.setattr(Journal, "_append", full)
    folder = prepare(tmp_path, "All at once", slurm, give_up=give_up)
    if ends:
        with pytest.raises(GivenUpError, match="No space left"):
            resume_workflow(folder, Told({}), slurm=slurm)
        assert slurm.left == ["a"]
        slurm.sleep(100)
    outcome = resume_workflow(folder, Told({}), slurm=slurm)
    check_once(slurm, outcome, CHAIN, "All at once")
