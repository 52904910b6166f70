"""Strategies on a Slurm in memory: whatever is seen when, each stage runs once, and in order."""

import json
import os
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asa_case import Told
from schedlab.asa.strategies import STRATEGIES
from schedlab.asa.workflows import Stage, Workflow
from schedlab.slurm import environment
from schedlab.slurm.client import SlurmError
from schedlab.slurm.described import Described
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.interrupts import Interrupted, held_back
from schedlab.slurm.run import run_workflow
from slurm_case import BEGIN, Fate, Slurm

DIAMOND = (
    Stage("split", 1, 30),
    Stage("left", 8, 40, ("split",)),
    Stage("right", 4, 20, ("split",)),
    Stage("join", 2, 10, ("left", "right")),
)
CHAIN = (Stage("a", 4, 100), Stage("b", 1, 50, ("a",)), Stage("c", 4, 30, ("b",)))
AHEAD = [name for name, strategy in STRATEGIES.items() if strategy.ahead]


def described(stages=DIAMOND, limit=600):
    names = [stage.name for stage in stages]
    workflow = Workflow("flow", stages)
    return Described(workflow, dict.fromkeys(names, limit), dict.fromkeys(names, "true"))


def ran(strategy, slurm, folder, stages=DIAMOND, estimates=(), poll=1.0, tell=print, limit=600):
    told = Told([*estimates, *[0] * 100])
    return run_workflow(described(stages, limit), strategy, folder, told, poll, tell, slurm), told


def of(outcome, *columns):
    rows = outcome.stages[list(columns)].copy()
    for column in {"submit", "start", "end"}.intersection(columns):
        rows[column] -= BEGIN
    return rows.to_numpy().tolist()


def test_one_job_for_all(tmp_path):
    slurm = Slurm([Fate(wait=7, run=80)])
    outcome, _ = ran("Big Job", slurm, tmp_path / "run", poll=5)
    assert of(outcome, "stage", "cores", "submit", "start", "end", "wait") == [
        ["all", 12, 0, 7, 87, 7]
    ]
    assert (outcome.perceived, outcome.makespan, outcome.core_hours) == (7, 87, 12 * 80 / 3600)


def test_times_are_those_of_slurm_whatever_the_poll(tmp_path):
    """Stages end at 100 and 160; they are seen at 140 and 200, and what follows comes then."""
    fates = [Fate(run=100), Fate(wait=5, run=50)]
    outcome, _ = ran("Per-Stage", Slurm(fates), tmp_path / "run", CHAIN[:2], poll=70)
    assert of(outcome, "submit", "start", "end", "wait", "perceived") == [
        [0, 0, 100, 0, 0],
        [140, 145, 195, 5, 45],
    ]


def test_what_happened_between_two_polls_is_told_at_its_own_times(tmp_path):
    """Left ends at 70, right at 50; both are seen at 80 at once."""
    fates = [Fate(run=30), Fate(run=30), Fate(run=10)]
    slurm = Slurm([*fates, Fate(run=10)])
    outcome, _ = ran("Per-Stage", slurm, tmp_path / "run", poll=40)
    assert of(outcome, "start", "end") == [[0, 30], [40, 70], [40, 50], [80, 90]]
    assert outcome.stages["perceived"].tolist() == [0, 10, 10, 10]


def test_ahead_of_time_with_dependencies(tmp_path):
    slurm = Slurm([Fate(wait=70, run=100), Fate(wait=5, run=50), Fate(wait=40, run=30)])
    outcome, told = ran("ASA", slurm, tmp_path / "run", CHAIN, [70, 30, 40])
    assert of(outcome, "submit", "start", "end", "perceived", "estimate") == [
        [0, 70, 170, 70, 70],
        [140, 170, 220, 0, 30],
        [180, 220, 250, 0, 40],
    ]
    requests = [job.request for job in slurm.by_number.values()]
    assert [request.after for request in requests] == [(), (101,), (102,)]
    assert "--dependency=afterok:101" in requests[1].arguments
    assert "--kill-on-invalid-dep=yes" in requests[1].arguments
    assert [str(geometry) for geometry, *_ in told.observed] == told.asked
    assert [seen for _, *seen in told.observed] == [[70, 70], [30, 30], [40, 40]]


def test_naive_takes_an_early_allocation_back(tmp_path):
    """B comes at 145 and idles until 170; Slurm hears of it at 171."""
    fates = [Fate(wait=70, run=100), Fate(wait=5), Fate(wait=9, run=50), Fate(wait=60, run=30)]
    slurm, lines = Slurm(fates), []
    outcome, told = ran(
        "ASA Naive", slurm, tmp_path / "run", CHAIN, [70, 30, 20, 40], 1.0, lines.append
    )
    assert of(outcome, "start", "end", "resubmitted", "idle_core_seconds", "wait")[:2] == [
        [70, 170, 0, 0, 70],
        [179, 229, 1, 25, 5],
    ]
    assert [job.state for job in slurm.by_number.values()] == ["COMPLETED", "CANCELLED"] + [
        "COMPLETED"
    ] * 2
    assert slurm.ran == ["a", "b", "c"]
    assert told.observed[1:3] == [("fake/main/1", 5, 30), ("fake/main/1", 9, 40)]
    assert any(line.endswith("started after 5 s; idles, for a has not ended") for line in lines)
    assert outcome.idle_core_hours == 25 / 3600


def test_who_idles_until_its_limit_has_idled_for_nothing(tmp_path):
    fates = [Fate(wait=0, run=300), Fate(wait=0), Fate(wait=5, run=50)]
    slurm = Slurm(fates)
    outcome, _ = ran("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 200], limit=60)
    assert [job.state for job in slurm.by_number.values()] == ["COMPLETED", "TIMEOUT", "COMPLETED"]
    assert outcome.stages["idle_core_seconds"].tolist() == [0, 60]
    assert slurm.ran == ["a", "b"]


def test_marks_that_come_late_let_go_who_idles(tmp_path):
    """A ends at 100, its mark is seen at 120; b begins at 103 and idles, though a is over."""
    fates = [Fate(run=100, unseen=20), Fate(wait=103, run=50)]
    slurm = Slurm(fates)
    outcome, _ = ran("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 100])
    assert slurm.ran == ["a", "b"]
    assert len(slurm.by_number) == 2
    assert outcome.stages["resubmitted"].tolist() == [0, 0]
    assert (tmp_path / "run/marks/102.go").exists()


def early(tmp_path, first, second, poll=1.0):
    """What becomes of b, submitted with a and without a dependency, and what both came to."""
    slurm = Slurm([first, second, Fate(wait=7, run=50)])
    outcome, _ = ran("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 500], poll)
    assert slurm.ran == ["a", "b"]
    let_go = (tmp_path / "run/marks/102.go").exists()
    return of(outcome, "start", "end", "resubmitted", "idle_core_seconds"), let_go


def test_who_runs_before_the_end_before_it_is_seen_starts_after_it(tmp_path):
    """A leaves its mark at 100 and ends at 104 for Slurm; b begins at 101."""
    rows, let_go = early(tmp_path, Fate(run=100, epilog=4), Fate(wait=101, run=50))
    assert rows == [[0, 104, 0, 0], [104, 151, 0, 0]]
    assert not let_go


@pytest.mark.parametrize("poll", [1.0, 30.0])
def test_who_began_to_idle_before_is_early_though_both_are_seen_at_once(tmp_path, poll):
    """B begins at 95, a ends at 100; b is submitted anew at 100, or at 120 where that is seen."""
    rows, let_go = early(tmp_path, Fate(run=100), Fate(wait=95, run=50), poll)
    again = 100 if poll == 1 else 120
    assert rows == [[0, 100, 0, 0], [again + 7, again + 57, 1, again - 95]]
    assert not let_go


def test_who_began_in_the_second_of_the_end_before_it_is_let_go(tmp_path):
    rows, let_go = early(tmp_path, Fate(run=100.6), Fate(wait=100.2, run=50))
    assert rows[1][:1] + rows[1][2:] == [100, 0, 0]
    assert let_go


def test_who_has_begun_and_not_decided_waits_for_its_mark(tmp_path):
    """Slurm starts b at 98, its script begins at 103; a has ended at 100, and b runs."""
    rows, let_go = early(tmp_path, Fate(run=100), Fate(wait=98, prolog=5, run=50))
    assert rows == [[0, 100, 0, 0], [100, 153, 0, 0]]
    assert not let_go


def test_what_idled_for_all_of_its_time_is_not_done(tmp_path):
    """B idles from 0 to 60; c, submitted later, must not take that for the end of b."""
    fates = [Fate(run=100), Fate(), Fate(wait=40, run=50), Fate(run=30), Fate(run=30)]
    slurm = Slurm(fates)
    ran("ASA Naive", slurm, tmp_path / "run", CHAIN, [0, 500, 10, 20], limit=60)
    assert slurm.ran == ["a", "b", "c"]


def test_who_is_submitted_after_the_end_before_it_looks_for_nothing(tmp_path):
    """The mark of a is seen long after its end."""
    slurm = Slurm([Fate(run=10, unseen=500), Fate(run=10)])
    outcome, _ = ran("Per-Stage", slurm, tmp_path / "run", CHAIN[:2])
    assert outcome.makespan == 20
    assert not list((tmp_path / "run/marks").glob("*.go"))


def test_polls_without_an_answer_are_counted_in_a_row(tmp_path):
    slurm = Slurm([Fate(run=40)])
    slurm.silent = 10

    def again():
        slurm.silent = 10

    slurm.at_call[12] = again
    assert ran("Big Job", slurm, tmp_path / "run")[0].makespan == 40


seconds = st.sampled_from([0.0, 0.4, 1.0, 1.6, 3.0, 9.5, 10.0, 30.0, 61.0])
fates = st.builds(
    Fate,
    wait=seconds,
    prolog=st.sampled_from([0.0, 0.5, 3.0]),
    run=seconds,
    epilog=st.sampled_from([0.0, 0.7, 4.0]),
    unseen=st.sampled_from([0.0, 0.0, 0.0, 6.0]),
)


@st.composite
def shapes(draw):
    """Stages of which each may come after any before it."""
    stages = []
    for number in range(draw(st.integers(1, 5))):
        before = [stage.name for stage in stages]
        after = draw(st.lists(st.sampled_from(before), unique=True)) if before else []
        stages.append(Stage(f"s{number}", 1 + number, draw(st.integers(1, 40)), tuple(after)))
    return tuple(stages)


@given(
    strategy=st.sampled_from(list(STRATEGIES)),
    stages=shapes(),
    fates=st.lists(fates, min_size=12, max_size=12),
    estimates=st.lists(st.sampled_from([0, 5, 20, 100]), max_size=12),
    poll=st.sampled_from([0.5, 1.0, 7.0, 25.0]),
    lag=st.sampled_from([0.0, 0.3]),
    forgets=st.sampled_from([300.0, 5.0]),
)
def test_each_stage_runs_once_after_those_before_it(
    strategy, stages, fates, estimates, poll, lag, forgets
):
    slurm = Slurm([*fates, Fate()], lag, forgets)
    with tempfile.TemporaryDirectory() as folder:
        outcome, told = ran(
            strategy, slurm, Path(folder), stages, estimates, poll, lambda words: None
        )
        record = json.loads(Path(folder, "record.json").read_text())
    assert slurm.left == []
    rows = outcome.stages.set_index("stage")
    good = {job.stage: job for job in slurm.by_number.values() if job.state == "COMPLETED"}
    if strategy == "Big Job":
        assert slurm.ran == ["all"]
    else:
        assert sorted(slurm.ran) == sorted(good) == sorted(stage.name for stage in stages)
        for stage in stages:
            for name in stage.after:
                assert slurm.ran.index(name) < slurm.ran.index(stage.name)
                assert good[stage.name].start + 20 > good[name].end
                assert rows.loc[stage.name, "start"] >= rows.loc[name, "end"]
    assert (rows["perceived"] >= 0).all()
    assert (rows["wait"] >= 0).all()
    assert all(wait >= 0 for _, wait, _ in told.observed)
    assert len(slurm.by_number) == len(rows) + rows["resubmitted"].sum()
    assert len(record["jobs"]) == len(slurm.by_number)
    if strategy != "ASA Naive":
        assert rows["resubmitted"].sum() == rows["idle_core_seconds"].sum() == 0
    for name, job in good.items():
        if forgets > 100:
            assert rows.loc[name, "end"] == pytest.approx(int(job.end), abs=1)
        assert rows.loc[name, "end"] >= rows.loc[name, "start"] >= rows.loc[name, "submit"]


BAD = [
    (Fate(code=3), "FAILED", "exit code 3"),
    (Fate(state="TIMEOUT"), "TIMEOUT", "exit code 0:0"),
    (Fate(state="OUT_OF_MEMORY", code=125), "OUT_OF_MEMORY", "exit code 125:0"),
    (Fate(state="NODE_FAIL"), "NODE_FAIL", "exit code"),
    (Fate(state="CANCELLED"), "CANCELLED", "exit code"),
]


@pytest.mark.parametrize("strategy", ["Per-Stage", *AHEAD])
@pytest.mark.parametrize(("fate", "state", "code"), BAD, ids=[state for _, state, _ in BAD])
def test_a_stage_that_ends_badly_takes_the_others_back(tmp_path, strategy, fate, state, code):
    """Split succeeds, one of the two that follow does not; the other still runs."""
    slurm = Slurm([Fate(run=30), fate, Fate(run=500), Fate()])
    with pytest.raises(SlurmError) as error:
        ran(strategy, slurm, tmp_path / "run", estimates=[0, 10, 10, 60] * (strategy == "ASA"))
    job = slurm.by_number[102]
    assert f"workflow flow: stage '{job.stage}': job 102 ended as {state}" in str(error.value)
    assert code in str(error.value)
    assert f"{tmp_path}/run/output/{job.stage}.102.txt" in str(error.value)
    assert slurm.left == []
    record = json.loads((tmp_path / "run/record.json").read_text())
    assert record["error"] == str(error.value)
    assert "join" not in slurm.ran


def test_the_cause_is_named_not_what_went_down_with_it(tmp_path):
    slurm = Slurm([Fate(wait=5, run=30, code=9), Fate(), Fate()])
    with pytest.raises(SlurmError, match=r"stage 'a': job 101 ended as FAILED, exit code 9;"):
        ran("ASA", slurm, tmp_path / "run", CHAIN, [0, 500, 500], poll=20)
    assert {job.state for job in slurm.by_number.values()} == {"FAILED", "CANCELLED"}


def test_of_two_that_end_at_once_the_one_that_was_not_taken_down_is_named(tmp_path):
    slurm = Slurm([Fate(run=30), Fate(run=20, state="CANCELLED"), Fate(run=20, code=6)])
    with pytest.raises(SlurmError, match=r"stage 'right': job 103 ended as FAILED, exit code 6;"):
        ran("Per-Stage", slurm, tmp_path / "run", poll=10)


def test_of_what_slurm_has_forgotten_the_marks_tell(tmp_path):
    """A was seen to start at 0, its script began at 3; b began and ended between two polls."""
    slurm = Slurm([Fate(prolog=3, run=10), Fate(prolog=1, run=4)], forgets=0)
    outcome, _ = ran("Per-Stage", slurm, tmp_path / "run", CHAIN[:2], poll=10)
    assert of(outcome, "start", "end") == [[0, 13], [21, 25]]
    jobs = json.loads((tmp_path / "run/record.json").read_text())["jobs"]
    assert [(job["start"] - BEGIN, job["end"] - BEGIN) for job in jobs] == [(0, 13), (21, 25)]
    slurm = Slurm([Fate(run=10, code=3)], forgets=0)
    with pytest.raises(SlurmError, match=r"stage 'a': job 101 ended as FAILED, exit code 3;"):
        ran("Per-Stage", slurm, tmp_path / "again", CHAIN[:2], poll=3)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("stage", ["first", "later"])
def test_a_refused_submission_leaves_nothing(tmp_path, strategy, stage):
    slurm = Slurm([Fate(run=30)])
    name = "all" if strategy == "Big Job" else "split" if stage == "first" else "right"
    slurm.refuses[name] = "Invalid account or account/partition combination specified"
    with pytest.raises(SlurmError, match=f"flow: stage '{name}': not submitted: .*Invalid account"):
        ran(strategy, slurm, tmp_path / "run")
    assert slurm.left == []


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("stage", ["first", "later"])
def test_a_job_that_slurm_took_though_sbatch_failed_is_taken_back(tmp_path, strategy, stage):
    slurm, lines = Slurm([Fate(run=30), Fate(run=500)]), []
    name = "all" if strategy == "Big Job" else "split" if stage == "first" else "right"
    slurm.taken.add(name)
    with pytest.raises(SlurmError, match=f"flow: stage '{name}': not submitted: .*timed out"):
        ran(strategy, slurm, tmp_path / "run", tell=lines.append)
    assert slurm.left == []
    assert sum(f"{name}: job" in line and line.endswith("taken back") for line in lines) == 1


@pytest.mark.parametrize(("times", "known"), [(10, True), (11, False)])
def test_whether_slurm_took_it_is_asked_as_patiently(tmp_path, monkeypatch, times, known):
    slurm = Slurm([Fate(run=500)])
    slurm.taken.add("all")
    find, calls = slurm.find, []

    def failing(request):
        calls.append(request.name)
        if len(calls) <= times:
            raise SlurmError("squeue: error: Unable to contact slurm controller")
        return find(request)

    monkeypatch.setattr(slurm, "find", failing)
    with pytest.raises(SlurmError, match="timed out") as error:
        ran("Big Job", slurm, tmp_path / "run")
    assert ("look by squeue --me for flow.all" in str(error.value)) != known
    assert slurm.left == ([] if known else ["all"])


@pytest.mark.parametrize("began", [False, True])
def test_a_job_that_slurm_forgets_is_lost(tmp_path, monkeypatch, began):
    slurm = Slurm([Fate(run=30), Fate(wait=0 if began else 500, run=500), Fate(run=500)])
    known = slurm.jobs
    monkeypatch.setattr(
        slurm,
        "jobs",
        lambda numbers: {
            number: seen
            for number, seen in known(numbers).items()
            if number != 102 or slurm.time() < BEGIN + 60
        },
    )
    was = "RUNNING" if began else "PENDING"
    with pytest.raises(SlurmError, match=f"job 102 is lost: Slurm does not know it, it was {was}"):
        ran("Per-Stage", slurm, tmp_path / "run")
    assert slurm.left == []


@pytest.mark.parametrize("state", ["PENDING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT"])
def test_a_job_that_is_put_back_is_refused_and_taken_back(tmp_path, state):
    slurm = Slurm([Fate(run=30)])

    def put_back():
        slurm.by_number[101].state, slurm.by_number[101].start = state, None

    slurm.at_call[5] = put_back
    with pytest.raises(SlurmError, match=f"'split': job 101 had begun and is {state} now"):
        ran("Per-Stage", slurm, tmp_path / "run")
    assert slurm.left == []


@pytest.mark.parametrize(("silent", "bad"), [(10, False), (11, True)])
def test_a_slurm_that_is_silent_is_waited_for_some_polls(tmp_path, silent, bad):
    slurm = Slurm([Fate(run=5)])
    slurm.silent = silent
    if bad:
        with pytest.raises(SlurmError, match=r"flow: Slurm has not answered 11 times in a row"):
            ran("Big Job", slurm, tmp_path / "run")
    else:
        outcome, _ = ran("Big Job", slurm, tmp_path / "run")
        assert outcome.makespan == 5
    assert slurm.left == []


def test_a_silent_slurm_has_a_poll_each_time_also_when_the_next_submission_is_due(tmp_path):
    """B is to be submitted at 70, and squeue is silent for ten looks from 66 on."""
    slurm = Slurm([Fate(run=100), Fate(run=50)])
    looks = []

    def away():
        slurm.silent = 10

    known = slurm.jobs

    def jobs(numbers):
        looks.append(slurm.time() - BEGIN)
        return known(numbers)

    slurm.jobs, slurm.at_call[22] = jobs, away
    outcome, _ = ran("ASA", slurm, tmp_path / "run", CHAIN[:2], [0, 30], poll=3)
    assert looks[21:33] == [*range(66, 102, 3)]
    assert outcome.stages["stage"].tolist() == ["a", "b"]


def test_why_a_job_waits_is_said_once_where_it_is_odd(tmp_path):
    slurm, lines = Slurm([Fate(wait=20)]), []

    def held():
        slurm.by_number[101].reason = "JobHeldAdmin"

    slurm.at_call[3] = held
    ran("Big Job", slurm, tmp_path / "run", tell=lines.append)
    (line,) = [line for line in lines if "waits" in line]
    assert line.endswith("all: job 101 waits: JobHeldAdmin")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("call", [1, 20, 33])
def test_an_interrupt_leaves_nothing(tmp_path, strategy, call):
    slurm = Slurm([Fate(wait=3, run=30)])

    def interrupt():
        raise Interrupted(15)

    slurm.at_call[call] = interrupt
    with pytest.raises(Interrupted, match="SIGTERM"):
        ran(strategy, slurm, tmp_path / "run", estimates=[9, 9, 9])
    assert slurm.left == []
    assert json.loads((tmp_path / "run/record.json").read_text())["error"] == "SIGTERM"


def test_jobs_that_cannot_be_taken_back_are_named(tmp_path, monkeypatch):
    slurm, lines = Slurm([Fate(run=30, code=1), Fate(run=50)]), []

    calls = away(slurm, monkeypatch, 99)
    with pytest.raises(SlurmError, match="stage 'split'"):
        ran("ASA", slurm, tmp_path / "run", estimates=[99, 99, 99], tell=lines.append)
    assert calls == [[102, 103]] * 11
    assert "by hand: scancel 102 103" in lines[-1]


def away(slurm, monkeypatch, times):
    """Let scancel fail so many times; what it was asked for."""
    cancel, calls = slurm.cancel, []

    def failing(numbers):
        calls.append(list(numbers))
        if len(calls) <= times:
            raise SlurmError("scancel: error: Unable to contact slurm controller")
        cancel(calls[-1])

    monkeypatch.setattr(slurm, "cancel", failing)
    return calls


def test_a_controller_that_is_away_when_all_ends_is_waited_for(tmp_path, monkeypatch):
    slurm = Slurm([Fate(run=30, code=1), Fate(run=50)])
    calls = away(slurm, monkeypatch, 10)
    with pytest.raises(SlurmError, match="stage 'split'"):
        ran("ASA", slurm, tmp_path / "run", estimates=[99, 99, 99])
    assert calls == [[102, 103]] * 11
    assert slurm.left == []


def test_or_when_the_strategy_takes_an_early_allocation_back(tmp_path, monkeypatch):
    slurm = Slurm([Fate(run=30), Fate(run=50)])
    calls = away(slurm, monkeypatch, 10)
    outcome, _ = ran("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 500])
    assert calls == [[102]] * 11
    assert outcome.stages["resubmitted"].tolist() == [0, 1]


def test_what_is_not_taken_back_in_time_is_tried_again_when_all_ends(tmp_path, monkeypatch):
    slurm = Slurm([Fate(run=30), Fate(run=500)])
    calls = away(slurm, monkeypatch, 11)
    with pytest.raises(SlurmError, match="scancel: error: Unable"):
        ran("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 500])
    assert calls == [[102]] * 12
    assert slurm.left == []


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_second_signal_leaves_nothing_either(tmp_path, monkeypatch, strategy):
    """It comes before the jobs are taken back."""
    slurm = Slurm([Fate(wait=3, run=30)])
    came = []

    def signalled():
        came.append("one")
        os.kill(os.getpid(), signal.SIGTERM)

    def hasty():
        if came:
            signalled()
        return held_back()

    slurm.at_call[9] = signalled
    monkeypatch.setattr(environment, "held_back", hasty)
    with pytest.raises(Interrupted, match="SIGTERM") as error:
        ran(strategy, slurm, tmp_path / "run", estimates=[9, 9, 9])
    assert came == ["one", "one"]
    assert (slurm.left, error.value.left) == ([], ())


def test_nor_does_a_first_one_after_another_end_has_begun(tmp_path, monkeypatch):
    """Split fails; the signal comes before left and right, submitted ahead, are taken back."""
    slurm = Slurm([Fate(run=30, code=1), Fate(run=50)])
    came = []

    def hasty():
        if not came and "split" not in slurm.left and slurm.left:
            came.append("one")
            os.kill(os.getpid(), signal.SIGTERM)
        return held_back()

    monkeypatch.setattr(environment, "held_back", hasty)
    with pytest.raises(Interrupted, match="SIGTERM"):
        ran("ASA", slurm, tmp_path / "run", estimates=[99, 99, 99])
    assert len(slurm.by_number) == 3
    assert (came, slurm.left) == (["one"], [])


@pytest.mark.parametrize(("silent", "left"), [(59, ()), (60, (101,))])
def test_what_is_not_seen_to_end_is_named(tmp_path, silent, left):
    """A job is submitted, and Slurm is silent from then on."""
    slurm, lines = Slurm([Fate(wait=500)]), []

    def interrupt():
        slurm.silent = silent
        raise Interrupted(15)

    slurm.at_call[1] = interrupt
    with pytest.raises(Interrupted) as error:
        ran("Big Job", slurm, tmp_path / "run", tell=lines.append)
    assert error.value.left == left
    (job,) = json.loads((tmp_path / "run/record.json").read_text())["jobs"]
    assert job["state"] == (None if left else "CANCELLED")
    words = "taken back, but not seen to leave the queue: scancel 101"
    assert (lines[-1] == words) == bool(left)


def test_a_folder_of_another_run_is_left_alone(tmp_path):
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(SlurmError, match=r"is there and not empty; each run has a folder of its"):
        RunFolder(tmp_path, described())
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
