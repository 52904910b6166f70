"""Strategies on a Slurm in memory: each stage runs once and in order at any poll times."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.slurm.environment import SlurmQueue
from schedlab.slurm.folder import RunFolder
from schedlab.slurm.journal import Journal
from schedlab.waits.strategies import STRATEGIES
from schedlab.waits.workflows import Stage
from slurm_case import BEGIN, Fate, Slurm
from workflows_case import CHAIN, columns_of, run_in_memory, workflow_file


def test_big_job_runs_all_stages_in_one_job(tmp_path):
    slurm = Slurm([Fate(wait=7, run=80)])
    outcome, _ = run_in_memory("Big Job", slurm, tmp_path / "run", poll=5)
    assert columns_of(outcome, "stage", "cores", "submit", "start", "end", "wait") == [
        ["all", 12, 0, 7, 87, 7]
    ]
    assert (outcome.perceived, outcome.makespan, outcome.core_hours) == (7, 87, 12 * 80 / 3600)


def test_times_are_those_of_slurm_for_any_poll_interval(tmp_path):
    """Stages end at 100 and 160; they are seen at 140 and 200, and what follows comes then."""
    fates = [Fate(run=100), Fate(wait=5, run=50)]
    outcome, _ = run_in_memory("Per-Stage", Slurm(fates), tmp_path / "run", CHAIN[:2], poll=70)
    assert columns_of(outcome, "submit", "start", "end", "wait", "perceived") == [
        [0, 0, 100, 0, 0],
        [140, 145, 195, 5, 45],
    ]


def test_events_between_two_polls_have_their_own_times(tmp_path):
    """Left ends at 70, right at 50; both are seen at 80 at once."""
    fates = [Fate(run=30), Fate(run=30), Fate(run=10)]
    slurm = Slurm([*fates, Fate(run=10)])
    outcome, _ = run_in_memory("Per-Stage", slurm, tmp_path / "run", poll=40)
    assert columns_of(outcome, "start", "end") == [[0, 30], [40, 70], [40, 50], [80, 90]]
    assert outcome.stages["perceived"].tolist() == [0, 10, 10, 10]


def test_ahead_of_time_with_dependencies(tmp_path):
    slurm = Slurm([Fate(wait=70, run=100), Fate(wait=5, run=50), Fate(wait=40, run=30)])
    outcome, told = run_in_memory("ASA", slurm, tmp_path / "run", CHAIN, [70, 30, 40])
    assert columns_of(outcome, "submit", "start", "end", "perceived", "estimate") == [
        [0, 70, 170, 70, 70],
        [140, 170, 220, 0, 30],
        [180, 220, 250, 0, 40],
    ]
    requests = [job.request for job in slurm.by_number.values()]
    assert [request.after for request in requests] == [(), (101,), (102,)]
    assert "--dependency=afterok:101" in requests[1].arguments
    assert "--kill-on-invalid-dep=yes" in requests[1].arguments
    observed = [str(geometry) for geometry, *_ in told.observed]
    assert observed == told.asked[:3] == [f"fake/main/limit=1h/{cores}" for cores in (4, 1, 5)]
    assert [seen for _, *seen in told.observed] == [[70, 70], [30, 30], [40, 40]]


def test_naive_cancels_an_early_allocation(tmp_path):
    """B comes at 145 and idles until 170; Slurm hears of it at 171."""
    fates = [Fate(wait=70, run=100), Fate(wait=5), Fate(wait=9, run=50), Fate(wait=60, run=30)]
    slurm, lines = Slurm(fates), []
    outcome, told = run_in_memory(
        "ASA Naive", slurm, tmp_path / "run", CHAIN, [70, (30, 40), 20], 1.0, lines.append
    )
    assert columns_of(outcome, "start", "end", "resubmitted", "idle_core_seconds", "wait")[:2] == [
        [70, 170, 0, 0, 70],
        [179, 229, 1, 25, 5],
    ]
    assert [job.state for job in slurm.by_number.values()] == ["COMPLETED", "CANCELLED"] + [
        "COMPLETED"
    ] * 2
    assert slurm.ran == ["a", "b", "c"]
    assert told.observed[1:3] == [("fake/main/limit=1h/1", 5, 30), ("fake/main/limit=1h/1", 9, 40)]
    assert any(line.endswith("started after 5 s; idles, for a has not ended") for line in lines)
    assert outcome.idle_core_hours == 25 / 3600


def test_job_that_idles_until_its_limit_is_resubmitted(tmp_path):
    fates = [Fate(wait=0, run=300), Fate(wait=0), Fate(wait=5, run=50)]
    slurm = Slurm(fates)
    outcome, _ = run_in_memory("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 200], limit=60)
    assert [job.state for job in slurm.by_number.values()] == ["COMPLETED", "TIMEOUT", "COMPLETED"]
    assert outcome.stages["idle_core_seconds"].tolist() == [0, 60]
    assert slurm.ran == ["a", "b"]


def test_late_marks_release_an_idle_job(tmp_path):
    """A ends at 100, its mark is seen at 120; b begins at 103 and idles, though a is over."""
    fates = [Fate(run=100, unseen=20), Fate(wait=103, run=50)]
    slurm = Slurm(fates)
    outcome, _ = run_in_memory("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 100])
    assert slurm.ran == ["a", "b"]
    assert len(slurm.by_number) == 2
    assert outcome.stages["resubmitted"].tolist() == [0, 0]
    assert (tmp_path / "run/marks/102.go").exists()


@pytest.mark.parametrize(
    ("first", "second", "poll", "rows", "is_released"),
    [
        # a leaves its mark at 100 and ends at 104 for Slurm; b begins at 101
        (
            *(Fate(run=100, epilog=4), Fate(wait=101, run=50), 1),
            *([[0, 104, 0, 0], [104, 151, 0, 0]], False),
        ),
        # b begins at 95 and is submitted again at 100, or at 120 where a's end is seen
        (*(Fate(run=100), Fate(wait=95, run=50), 1), *([[0, 100, 0, 0], [107, 157, 1, 5]], False)),
        (
            *(Fate(run=100), Fate(wait=95, run=50), 30),
            *([[0, 100, 0, 0], [127, 177, 1, 25]], False),
        ),
        # b begins in the second of a's end
        (
            *(Fate(run=100.6), Fate(wait=100.2, run=50), 1),
            *([[0, 100, 0, 0], [100, 151, 0, 0]], True),
        ),
        # Slurm starts b at 98, its script begins at 103 without a mark before; a has ended at 100
        (
            *(Fate(run=100), Fate(wait=98, prolog=5, run=50), 1),
            *([[0, 100, 0, 0], [100, 153, 0, 0]], False),
        ),
    ],
)
def test_stage_that_is_submitted_early(tmp_path, first, second, poll, rows, is_released):
    slurm = Slurm([first, second, Fate(wait=7, run=50)])
    outcome, _ = run_in_memory("ASA Naive", slurm, tmp_path / "run", CHAIN[:2], [0, 500], poll)
    assert slurm.ran == ["a", "b"]
    assert columns_of(outcome, "start", "end", "resubmitted", "idle_core_seconds") == rows
    assert (tmp_path / "run/marks/102.go").exists() == is_released


def test_allocation_that_only_idled_is_not_a_completed_stage(tmp_path):
    """B idles from 0 to 60; c, submitted later, must not take that for the end of b."""
    fates = [Fate(run=100), Fate(), Fate(wait=40, run=50), Fate(run=30), Fate(run=30)]
    slurm = Slurm(fates)
    run_in_memory("ASA Naive", slurm, tmp_path / "run", CHAIN, [0, 500, 10, 20], limit=60)
    assert slurm.ran == ["a", "b", "c"]


def test_stage_submitted_after_its_predecessor_needs_no_mark(tmp_path):
    """The mark of a is seen long after its end."""
    slurm = Slurm([Fate(run=10, unseen=500), Fate(run=10)])
    outcome, _ = run_in_memory("Per-Stage", slurm, tmp_path / "run", CHAIN[:2])
    assert outcome.makespan == 20
    assert not list((tmp_path / "run/marks").glob("*.go"))


def test_polls_without_an_answer_are_counted_in_a_row(tmp_path):
    slurm = Slurm([Fate(run=40)])
    slurm.silent = 10

    slurm.at_call[12] = lambda: setattr(slurm, "silent", 10)
    assert run_in_memory("Big Job", slurm, tmp_path / "run")[0].makespan == 40


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
    """Stages each of which may depend on any earlier one."""
    stages = []
    for number in range(draw(st.integers(1, 5))):
        before = [stage.name for stage in stages]
        after = draw(st.lists(st.sampled_from(before), unique=True)) if before else []
        stages.append(Stage(f"s{number}", 1 + number, draw(st.integers(1, 40)), tuple(after)))
    return tuple(stages)


@pytest.mark.slow
@settings(max_examples=40)
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
        outcome, told = run_in_memory(
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


@pytest.mark.parametrize(("wait", "taken"), [(60.0, True), (0.0, False)])
def test_cancel_returns_whether_the_job_was_still_queued(tmp_path, wait, taken):
    """After 30 s a job of 10 s that started at once is over; one that waits is not."""
    flow, slurm = workflow_file(CHAIN[:1]), Slurm([Fate(wait=wait, run=10)])
    folder = RunFolder(tmp_path / "run", flow)
    journal = Journal.create(folder.path, at=BEGIN)
    with SlurmQueue(slurm, flow, folder, journal, 1.0, print) as queue:
        job = queue.submit(CHAIN[0])
        until = queue.now + 30
        while queue.now < until:  # a call ends with the next event
            queue.advance(until)
        assert queue.cancel(job) == taken
        assert not queue.cancel(job)
    assert slurm.by_number[101].state == ("CANCELLED" if taken else "COMPLETED")
