"""Strategies by hand, in a batch system with given waits for every job."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asa_case import Scripted, Told, estimator_by_stage
from schedlab.waits.learner import Learner
from schedlab.waits.settings import Settings
from schedlab.waits.strategies import STRATEGIES, Strategy, drive
from schedlab.waits.submissions import COLUMNS, Submission
from schedlab.waits.workflows import Stage, Workflow

CHAIN = Workflow(
    "chain", (Stage("a", 4, 100), Stage("b", 1, 50, ("a",)), Stage("c", 5, 30, ("b",)))
)


def run_strategy(strategy, waits, estimates=(), workflow=CHAIN, at=0):
    """Rows, environment and estimator of a workflow that was driven to its end."""
    environment, told = Scripted(waits), estimator_by_stage(workflow, estimates)
    ahead = STRATEGIES[strategy].ahead
    one = Submission(
        workflow, STRATEGIES[strategy], environment, at, "sys", told if ahead else None
    )
    drive(environment, [one])
    return one.rows(), environment, told


def columns_of(rows, *columns):
    return rows[list(columns)].to_numpy().tolist()


def test_big_job_waits_once_and_uses_the_peak_throughout():
    rows, environment, _ = run_strategy("Big Job", [70], at=5)
    assert environment.submissions == [(5, 5)]
    assert columns_of(rows, "stage", "cores", "submit", "start", "end") == [["all", 5, 5, 75, 255]]
    assert columns_of(rows, "estimate", "wait", "perceived") == [[-1, 70, 70]]
    assert columns_of(rows, "core_seconds", "idle_core_seconds", "resubmitted", "hit") == [
        [900, 0, 0, False]
    ]
    assert list(rows) == list(COLUMNS)
    assert rows.dtypes.to_dict() == rows.astype(COLUMNS).dtypes.to_dict()


def test_per_stage_submits_when_the_stage_before_has_ended():
    rows, environment, _ = run_strategy("Per-Stage", [70, 20, 300])
    assert environment.submissions == [(0, 4), (170, 1), (240, 5)]
    assert columns_of(rows, "start", "end", "perceived") == [
        [70, 170, 70],
        [190, 240, 20],
        [540, 570, 300],
    ]
    assert rows["core_seconds"].tolist() == [400, 50, 150]


def test_asa_submits_earlier_by_its_predicted_wait():
    """As expected: no stage but the first waits. c is due at 220 - 40, when b runs."""
    rows, environment, told = run_strategy("ASA", [70, 30, 40], [70, 30, 40])
    assert environment.submissions == [(0, 4), (140, 1), (180, 5)]
    assert columns_of(rows, "start", "end", "perceived") == [
        [70, 170, 70],
        [170, 220, 0],
        [220, 250, 0],
    ]
    assert rows["hit"].tolist() == [True, True, True]
    # all when it is submitted, and those that are left whenever a stage has started
    assert told.asked == ["sys/4", "sys/1", "sys/5", "sys/1", "sys/5", "sys/5"]
    assert told.observed == [("sys/4", 70, 70), ("sys/1", 30, 30), ("sys/5", 40, 40)]


def test_asa_is_late_if_it_predicts_too_short_a_wait():
    rows, _, told = run_strategy("ASA", [70, 45, 40], [70, 30, 40])
    assert columns_of(rows, "submit", "start", "end", "perceived")[1] == [140, 185, 235, 15]
    assert rows["hit"].tolist() == [True, True, True]
    # b was to start at 170 and end at 220; when c is due, at 180, it has not: c waits for its start
    assert columns_of(rows, "submit", "start")[2] == [195, 235]
    assert told.observed[1] == ("sys/1", 45, 30)


def test_early_stage_with_dependencies_waits_for_its_predecessor():
    """Stage b would have started at 145; what is learned from is what it waited, 30 s."""
    rows, environment, told = run_strategy("ASA", [70, 5, 40], [70, 30, 40])
    assert columns_of(rows, "submit", "start", "perceived", "wait")[1] == [140, 170, 0, 30]
    assert rows["idle_core_seconds"].sum() == 0
    assert rows["resubmitted"].sum() == 0
    assert not environment.log
    assert told.observed[1] == ("sys/1", 30, 30)


def test_stage_is_submitted_while_its_predecessor_waits_if_due():
    """Stage a is to end at 170 and b at 220: b, 165 s ahead, is due at 5, and c at 10."""
    rows, environment, _ = run_strategy("ASA", [70, 165, 390], [70, 165, 210])
    assert environment.submissions == [(0, 4), (5, 1), (10, 5)]
    assert columns_of(rows, "start", "perceived") == [[70, 70], [170, 0], [400, 180]]
    assert rows["hit"].tolist() == [True, True, True]


def test_stage_due_before_its_predecessor_is_submitted_with_it():
    """Stage c, 150 s ahead, is due at 70, b, 10 s ahead, not before 160: it comes along."""
    rows, environment, told = run_strategy("ASA", [70, 10, 150], [70, 10, 150])
    assert environment.submissions == [(0, 4), (70, 1), (70, 5)]
    # they wait for the stages before them, and b's early submission costs nothing
    assert columns_of(rows, "start", "perceived") == [[70, 70], [170, 0], [220, 0]]
    assert rows["idle_core_seconds"].sum() == 0
    assert told.observed[1:] == [("sys/1", 100, 10), ("sys/5", 150, 150)]
    # a second less, and c is due a second later
    assert run_strategy("ASA", [70, 10, 150], [70, 10, 149])[1].submissions[1:] == [
        (71, 1),
        (71, 5),
    ]


def test_naive_submits_without_dependencies_and_idles():
    """Without dependencies c, due at 70 as above, starts at 80 and idles until b has ended."""
    rows, environment, _ = run_strategy("ASA Naive", [70, 10, 10, 40], [70, 10, (150, 0), 0])
    assert environment.submissions == [(0, 4), (70, 5), (160, 1), (220, 5)]
    assert rows["idle_core_seconds"].tolist() == [0, 0, 5 * 30]
    assert columns_of(rows, "start", "perceived")[1:] == [[170, 0], [260, 40]]


def test_wait_of_a_stage_is_observed_before_the_next_estimates():
    """A first estimate puts c 400 s ahead; when a has started, none does: c is due at 550."""
    told = Told({4: 0, 1: 0, 5: 400})
    told.estimate = lambda geometry: told.estimates[geometry.cores] * (not told.observed)
    environment = Scripted([0, 0, 0])
    long = Workflow("long", (Stage("a", 4, 500), Stage("b", 1, 50, ("a",)), *CHAIN.stages[2:]))
    drive(environment, [Submission(long, STRATEGIES["ASA"], environment, 0, "sys", told)])
    assert environment.submissions == [(0, 4), (500, 1), (550, 5)]


def test_all_at_once_estimates_nothing_and_waits_by_dependencies():
    rows, environment, told = run_strategy("All at once", [70, 10, 300])
    assert environment.submissions == [(0, 4), (0, 1), (0, 5)]
    assert columns_of(rows, "start", "perceived") == [[70, 70], [170, 0], [300, 80]]
    assert rows["estimate"].tolist() == [-1, -1, -1]
    assert told.asked == told.observed == []


def test_all_stages_are_submitted_at_once_if_waits_are_very_long():
    rows, environment, _ = run_strategy("ASA", [1000, 900, 1200], [1000, 2000, 3000])
    assert environment.submissions == [(0, 4), (0, 1), (0, 5)]
    assert columns_of(rows, "start", "perceived") == [[1000, 1000], [1100, 0], [1200, 50]]


def test_stage_that_waits_longer_delays_its_successors():
    """From 10 on, a may start at any time: b, 60 s ahead of its end, is due 40 s after it has."""
    _, environment, _ = run_strategy("ASA", [500, 0, 0], [10, 60, 10])
    assert environment.submissions == [(0, 4), (540, 1), (640, 5)]


def test_late_stage_does_not_delay_a_successor_with_a_longer_wait():
    """Stage a was to end at 110, and b, 105 s ahead, was due at 5; had it been 120, at once."""
    assert run_strategy("ASA", [500, 0, 0], [10, 105, 10])[1].submissions[1] == (5, 1)
    assert run_strategy("ASA", [500, 0, 0], [10, 120, 10])[1].submissions[1] == (0, 1)
    # due at 15, when a is late: its end is expected at 115 then, and later as time goes on
    assert run_strategy("ASA", [500, 0, 0], [10, 95, 10])[1].submissions[1] == (505, 1)


def test_stage_that_starts_early_advances_its_successors():
    _, environment, _ = run_strategy("ASA", [20, 30, 0], [70, 30, 0])
    assert environment.submissions == [(0, 4), (90, 1), (170, 5)]


def test_naive_idles_until_the_previous_stage_ends_and_resubmits():
    """Stage b comes at 145, 25 s too early, is cancelled at 170 and waits for another 11 s."""
    rows, environment, told = run_strategy("ASA Naive", [70, 5, 11, 40], [70, (30, 40), 20])
    assert environment.submissions[:3] == [(0, 4), (140, 1), (170, 1)]
    assert environment.log == ["170: 1 cancelled"]
    assert columns_of(rows, "submit", "start", "end", "perceived")[1] == [140, 181, 231, 11]
    assert columns_of(rows, "estimate", "wait", "hit", "resubmitted")[1] == [30, 5, False, 1]
    assert rows["idle_core_seconds"].tolist() == [0, 25, 0]
    assert rows["core_seconds"].tolist() == [400, 50, 150]
    assert told.observed[1:3] == [("sys/1", 5, 30), ("sys/1", 11, 40)]


def test_naive_that_starts_in_time_or_just_before():
    rows, _, _ = run_strategy("ASA Naive", [70, 30, 40], [70, 30, 40])
    assert rows["resubmitted"].tolist() == [0, 0, 0]
    assert rows["perceived"].tolist() == [70, 0, 0]
    rows, environment, _ = run_strategy("ASA Naive", [70, 29, 9, 40], [70, 30, 40])
    assert rows["idle_core_seconds"].tolist() == [0, 1, 0]
    assert rows["perceived"].tolist()[1] == 9
    assert environment.log == ["170: 1 cancelled"]


def test_naive_allocation_that_expires_idles_throughout():
    """Stage b comes at 5 and is gone at 55, long before a has ended."""
    rows, environment, _ = run_strategy("ASA Naive", [70, 5, 11, 0], [70, (170, 0), 0])
    assert environment.submissions[1:3] == [(0, 1), (170, 1)]
    assert rows["idle_core_seconds"].tolist() == [0, 50, 0]
    assert not environment.log
    assert columns_of(rows, "submit", "start", "resubmitted")[1] == [0, 181, 1]


def test_successor_of_an_idle_stage_is_due_by_its_last_dependency():
    """Stage c idles from 0 to 40; a ends at 10, but b at 100: until then c's end is put at 240."""
    stages = (
        Stage("a", 1, 10),
        Stage("b", 1, 100),
        Stage("c", 2, 40, ("a", "b")),
        Stage("d", 3, 5, ("c",)),
    )
    graph = Workflow("graph", stages)
    rows, environment, _ = run_strategy("ASA Naive", [0] * 6, [0, 0, 100, 135, 0, 0], graph)
    # d, 135 s ahead of that, is due at 105; at 100 c is submitted again, and to wait no more
    assert environment.submissions == [(0, 1), (0, 1), (0, 2), (100, 2), (100, 3), (140, 3)]
    assert rows["idle_core_seconds"].tolist() == [0, 0, 80, 15]


def test_late_naive_stage_is_not_a_miss():
    rows, _, _ = run_strategy("ASA Naive", [70, 45, 0], [70, 30, 0])
    assert rows["perceived"].tolist() == [70, 15, 0]
    assert rows["resubmitted"].tolist() == [0, 0, 0]


def test_parallel_stages_and_their_common_successor():
    stages = (
        Stage("a", 1, 10),
        Stage("b", 2, 100, ("a",)),
        Stage("c", 3, 40, ("a",)),
        Stage("d", 1, 5, ("b", "c")),
    )
    graph = Workflow("graph", stages)
    rows, environment, _ = run_strategy("Per-Stage", [0, 20, 30, 7], workflow=graph)
    assert environment.submissions == [(0, 1), (10, 2), (10, 3), (130, 1)]
    assert rows["perceived"].tolist() == [0, 20, 30, 7]
    rows, environment, _ = run_strategy("ASA", [0, 6, 6, 50], [0, 6, 6, 50], graph)
    assert environment.submissions == [(0, 1), (4, 2), (4, 3), (60, 1)]
    assert rows["end"].tolist() == [10, 110, 50, 115]
    rows, environment, _ = run_strategy("ASA Naive", [0, 6, 6, 20, 3], [0, 6, 6, 50, 9], graph)
    assert environment.log == []
    assert rows["idle_core_seconds"].tolist() == [0, 0, 0, 5]
    assert columns_of(rows, "start", "perceived")[3] == [113, 3]


def test_late_stage_does_not_delay_a_stage_that_is_due_now():
    """Stage d comes after c, to end at 250, and a, late since 10: at 150 its end is 250 at best."""
    stages = (
        Stage("a", 1, 100),
        Stage("b", 2, 200),
        Stage("c", 3, 50, ("b",)),
        Stage("d", 4, 5, ("a", "c")),
    )
    graph = Workflow("graph", stages)
    for reach, with_c, at in ((100, 150, 150), (99, 200, 501)):
        _, environment, _ = run_strategy("ASA", [500, 0, 0, 0], [10, 0, 0, reach], graph)
        assert environment.submissions[2:] == [(with_c, 3), (at, 4)]


def test_a_stage_of_no_length_is_no_obstacle():
    stages = (Stage("a", 4, 10), Stage("b", 1, 0, ("a",)), Stage("c", 4, 10, ("b",)))
    for strategy in STRATEGIES:
        rows, _, _ = run_strategy(strategy, [0] * 3, [0] * 3, Workflow("short", stages))
        assert rows["end"].tolist()[-1] == 20
        assert rows["resubmitted"].sum() == 0


def test_workflows_that_share_a_batch_system_and_an_estimator():
    environment, told = Scripted([70, 10, 30, 40, 20, 40]), Told({4: 70, 1: 30, 5: 40})
    both = [Submission(CHAIN, STRATEGIES["ASA"], environment, at, "sys", told) for at in (0, 20)]
    drive(environment, both)
    first, second = (one.rows() for one in both)
    assert first["submit"].tolist()[0] == 0
    assert second["submit"].tolist()[0] == 20
    assert second["start"].tolist()[0] == 30
    assert len(told.observed) == 6


def test_strategy_that_submits_ahead_needs_an_estimator():
    with pytest.raises(ValueError, match="workflow chain: who submits ahead of time"):
        Submission(CHAIN, STRATEGIES["ASA"], Scripted([]), 0)


def test_rows_need_a_completed_workflow():
    with pytest.raises(ValueError, match="workflow chain: has not ended yet"):
        Submission(CHAIN, Strategy(), Scripted([]), 0).rows()


def test_workflow_without_further_events_is_an_error():
    class Stuck(Scripted):
        def _times(self, job):
            return []

    environment = Stuck([0, 0])
    other = Workflow("other", CHAIN.stages)
    both = [Submission(one, Strategy(), environment, 0) for one in (CHAIN, other)]
    with pytest.raises(RuntimeError, match="workflow chain: has not ended, and nothing happens"):
        drive(environment, both)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(0, 60)), min_size=1, max_size=5),
    st.lists(st.integers(0, 120), min_size=10, max_size=10),
    st.lists(st.integers(0, 120), min_size=10, max_size=10),
    st.integers(0, 50),
)
def test_invariants_of_every_strategy_on_random_chains(lengths, waits, estimates, at):
    stages = tuple(
        Stage(str(place), cores, seconds, (str(place - 1),) if place else ())
        for place, (cores, seconds) in enumerate(lengths)
    )
    chain = Workflow("chain", stages)
    ends = {}
    for name, strategy in STRATEGIES.items():
        rows, environment, told = run_strategy(name, waits, estimates, chain, at)
        ends[name] = rows["end"].max()
        assert (rows["perceived"] >= 0).all()
        assert rows["perceived"].sum() + chain.seconds == ends[name] - at
        assert (rows["start"] >= rows["submit"]).all()
        assert rows["submit"].iloc[0] == at
        assert len(environment.submissions) == len(rows) + rows["resubmitted"].sum()
        assert len(told.observed) == len(environment.submissions) * strategy.ahead
        assert bool(told.asked) == strategy.ahead
        if name != "ASA Naive":
            assert rows["idle_core_seconds"].sum() == rows["resubmitted"].sum() == 0
        if not strategy.merged:
            assert rows["core_seconds"].sum() == chain.core_seconds
    assert ends["All at once"] <= ends["ASA"] <= ends["Per-Stage"]


def test_learner_converges_over_submissions():
    learner = Learner(Settings((10, 100, 1000)))
    environment = Scripted([90] * 300)
    for _ in range(60):
        one = Submission(CHAIN, STRATEGIES["ASA"], environment, environment.now + 1, "sys", learner)
        drive(environment, [one])
    rows = one.rows()
    assert rows["estimate"].tolist() == [100, 100, 100]
    assert rows["perceived"].tolist()[1:] == [0, 0]
