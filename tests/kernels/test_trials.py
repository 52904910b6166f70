"""The trials kernel against its twin, by hand, and on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.kernels.queue.trials import LANES, run_trials
from schedlab.learning.trials import Trials, scores, simulate_trials
from schedlab.learning.tuples import TaskTuple
from twins import trials as twin

TRIALS = 20
# trials at a time that this processor can run
WIDTHS = [lanes for lanes in (1, 16) if lanes <= LANES]


def random_tuple(seed: int) -> TaskTuple:
    """48 tasks on 16 processors that get in each other's way."""
    rng = np.random.default_rng(seed)
    return TaskTuple(
        rng.integers(1, 300, 48),
        rng.integers(1, 17, 48),
        np.concatenate([[0], np.cumsum(rng.integers(0, 60, 47))]),
    )


def scores_and_orders(
    one: TaskTuple, seed: int, biased: bool, processors: int = 16, lanes: int = LANES
):
    """AVEbsld and permutation of each of the first trials."""
    each, orders = np.empty(TRIALS), np.empty((TRIALS, 32), dtype=np.uint8)
    total, count = np.zeros(32), np.zeros(32, dtype=np.int64)
    run_trials(
        *(one.runtime, one.procs, one.submit, processors, TRIALS, seed, biased),
        *(total, count, each, orders, lanes),
    )
    return each, orders, total, count


@settings(max_examples=100)
@given(st.integers(0, 2**32), st.integers(0, 2**64 - 1), st.booleans(), st.sampled_from(WIDTHS))
def test_every_trial_equals_the_twins(workload, seed, biased, lanes):
    one = random_tuple(workload)
    each, orders, total, count = scores_and_orders(one, seed, biased, lanes=lanes)
    expected = twin.permutations(seed, TRIALS, biased)
    assert orders.tolist() == expected
    columns = (one.runtime.tolist(), one.procs.tolist(), one.submit.tolist())
    slowdowns = [twin.slowdown(*columns, 16, order) for order in expected]
    assert each.tolist() == slowdowns
    for task in range(32):
        first = [each[k] for k in range(TRIALS) if expected[k][0] == task]
        assert count[task] == len(first)
        assert total[task] == pytest.approx(sum(first), rel=1e-14)


@pytest.mark.parametrize("lanes", WIDTHS)
@pytest.mark.parametrize("processors", [1, 3, 48, 2**20 - 1])
def test_trials_side_by_side_equal_single_ones(lanes, processors):
    rng = np.random.default_rng(processors)
    one = TaskTuple(
        rng.integers(0, 100_000, 48),
        rng.integers(1, processors + 1, 48),
        np.concatenate([[0], np.cumsum(rng.integers(0, 5, 47))]),
    )
    expected = scores_and_orders(one, 3, False, processors, lanes=1)
    found = scores_and_orders(one, 3, False, processors, lanes=lanes)
    for a, b in zip(found, expected, strict=True):
        assert a.tolist() == b.tolist()


@pytest.mark.parametrize("lanes", WIDTHS)
@pytest.mark.parametrize("seed", range(8))
def test_tasks_that_end_together_keep_their_processors(lanes, seed):
    """Many tasks of S and of Q run when Q begins, and most of them end at equal times."""
    rng = np.random.default_rng(seed)
    one = TaskTuple(
        rng.choice([1000, 2000], 48),
        np.concatenate([rng.integers(1, 5, 16), rng.integers(1, 65, 32)]),
        np.concatenate([np.zeros(16, dtype=int), np.sort(rng.integers(0, 3000, 32))]),
    )
    each, orders, _, _ = scores_and_orders(one, seed, False, 64, lanes=lanes)
    columns = (one.runtime.tolist(), one.procs.tolist(), one.submit.tolist())
    assert each.tolist() == [twin.slowdown(*columns, 64, order) for order in orders.tolist()]


@pytest.mark.parametrize("lanes", WIDTHS)
@pytest.mark.parametrize("beyond", [-1, 0, 1, 2**40])
def test_times_too_long_to_run_side_by_side(lanes, beyond):
    """Completions side by side have 25 bits; a run time, all of them, or a submission exceed it."""
    alone = TaskTuple([2**25 - 48 + beyond] + [1] * 47, [1] * 48, [0] * 48)
    together = TaskTuple([(2**25 + beyond) // 48] * 48, [1] * 48, [0] * 48)
    late = TaskTuple([5] * 48, [1] * 48, [0] * 47 + [2**25 - 240 + beyond])
    for one in (alone, together, late):
        found = scores_and_orders(one, 5, False, processors=1, lanes=lanes)[0]
        columns = (one.runtime.tolist(), one.procs.tolist(), one.submit.tolist())
        orders = twin.permutations(5, TRIALS, False)
        assert found.tolist() == [twin.slowdown(*columns, 1, order) for order in orders]


def test_a_tuple_solved_by_hand():
    """S holds the machine until 100; the 32 tasks of Q, 10 s each, then follow one by one."""
    one = TaskTuple([100] + [1] * 15 + [10] * 32, [4] + [1] * 15 + [4] * 32, [0] * 48)
    each, _, _, _ = scores_and_orders(one, 1, False, processors=4)
    # four single-processor tasks at a time: S ends at 104; task k of Q ends at 104 + 10 (k + 1)
    assert each == pytest.approx(np.mean([(114 + 10 * k) / 10 for k in range(32)]))


def test_tasks_that_never_wait_have_equal_scores():
    """With room for every job each AVEbsld is 1 and each score 1/32."""
    idle = TaskTuple([50] * 48, [1] * 48, [0] * 48)
    result = simulate_trials([idle], 48, 5000, [7])
    assert scores(result, "uniform") == pytest.approx(1 / 32)
    assert result.count.sum() == 5000


def test_results_do_not_depend_on_threads():
    tuples, seeds = [random_tuple(k) for k in range(7)], list(range(7))
    one = simulate_trials(tuples, 16, 500, seeds)
    four = simulate_trials(tuples, 16, 500, seeds, threads=4)
    assert (one.total == four.total).all()
    assert (one.count == four.count).all()


def test_uniform_shuffle_is_fair_and_the_published_one_is_not():
    """Fisher-Yates puts each task first equally often; the artefact's shuffle favors the early."""
    one, trials = random_tuple(3), 200_000
    fair = simulate_trials([one], 16, trials, [1]).count[0] * 32 / trials
    biased = simulate_trials([one], 16, trials, [1], "artefact").count[0] * 32 / trials
    assert np.abs(fair - 1).max() < 0.06
    assert biased[0] == pytest.approx(1.0, abs=0.06)
    assert biased[1] == pytest.approx(1.34, abs=0.06)
    assert biased[31] == pytest.approx(0.75, abs=0.06)


def test_scores_sum_to_one():
    trials = Trials(np.array([[2.0, 6.0] * 16]), np.array([[1, 3] * 16]))
    assert scores(trials, "uniform")[0] == pytest.approx(np.full(32, 1 / 32))
    assert scores(trials, "artefact").sum() == pytest.approx(1)


def test_a_task_too_wide_is_an_error():
    with pytest.raises(ValueError, match="tuple 0: a task needs 16 of 8 processors"):
        simulate_trials([TaskTuple([1] * 48, [16] * 48, [0] * 48)], 8, 1, [1])
