"""The moves of a search: the plain rule, annealing, tabu search and the order of jobs."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from planning_case import cases, plan_of_one, session_of, twin_of
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan, search
from schedlab.planning.settings import Planning, Search

WAIT = {"fairness": 0, "slowdown": 0}
LOSING = ("annealing", "tabu")


# Jobs of 1, 2, 2 and 4 s on 2, 3, 2 and 1 of three processors. In this order they start at 0, 1, 3
# and 3, and no single job at another place makes it less. With the last one in front of the second
# and the second behind all they start at 0, 4, 1 and 0.
STUCK = Jobs(range(4), [0] * 4, [1, 2, 2, 4], [1, 2, 2, 4], [2, 3, 2, 1])


def stuck() -> Plan:
    return Plan.in_order(
        Requests(STUCK, [1, 2, 3, 4]), Machine.of_processors(3), Planning(), [0] * 4
    )


def test_plain_search_stays_in_a_local_optimum():
    found = search(stuck(), 10_000, ("hand",), Search(**WAIT))
    assert found.before["wait"] == 7 / 4
    assert len(found.moves) == 0


@pytest.mark.parametrize("rule", LOSING)
@pytest.mark.parametrize("choose", ["uniform", "worst"])
def test_rules_that_accept_losses_leave_a_local_optimum(rule, choose):
    found = search(stuck(), 1000, ("hand",), Search(**WAIT, rule=rule, choose=choose))
    assert found.after["wait"] == 5 / 4
    assert found.gain == pytest.approx(2 / 7)
    assert sorted(found.plan.starts().items()) == [(0, 0), (1, 4), (2, 1), (3, 0)]
    assert (found.moves["gain"] < 0).any()


def test_tabu_search_leaves_the_optimum_and_returns_by_another_job():
    """10 s in front of 900 s: mean waits 5 and, the other way about, 450 s; -89 and +89."""
    plan = plan_of_one([10, 900])
    found = search(plan, 1000, ("hand",), Search(**WAIT, rule="tabu"))
    moves = found.moves
    assert found.plan.starts() == plan.starts()
    assert moves["gain"].to_numpy() == pytest.approx(np.resize([-89, 89], len(moves)))
    assert len(moves) > 100
    out, back = moves["job"].to_numpy()[: len(moves) // 2 * 2].reshape(-1, 2).T
    assert (out != back).all()
    waited = np.diff(moves["iteration"], prepend=-1)
    assert waited[::2].min() == 2
    assert waited[1::2].min() == 1


def test_annealing_accepts_a_median_loss_with_probability_1_over_e():
    """All losses are of one size here, so that the heat stays what it is."""
    found = search(plan_of_one([10, 900]), 20_000, ("hand",), Search(**WAIT, rule="annealing"))
    losses = found.moves["gain"] < 0
    assert found.moves.loc[losses, "iteration"].min() >= math.isqrt(20_000)
    tried = found.evaluated - (~losses).sum()
    assert losses.sum() / tried == pytest.approx(1 / math.e, abs=0.02)


@pytest.mark.parametrize("budget", [0, 1, 2, 3])
@pytest.mark.parametrize("rule", LOSING)
def test_the_smallest_budgets_are_kept(budget, rule):
    found = search(plan_of_one([10, 900]), budget, ("hand",), Search(rule=rule))
    assert found.evaluated <= budget
    assert found.after == found.before


def test_annealing_accepts_fewer_losses_towards_its_end():
    """Jobs of 1 to 30 s from the longest on: losses among the first and the last quarter."""
    plan = plan_of_one(list(range(30, 0, -1)))
    moves = search(plan, 8000, ("hand",), Search(**WAIT, rule="annealing")).moves
    lost = moves.loc[moves["gain"] < -1e-9, "iteration"].to_numpy()
    assert (lost < 2000).sum() > 2 * (lost >= 6000).sum()


@pytest.mark.slow
@settings(max_examples=40)
@given(cases())
def test_search_that_accepts_losses_ends_at_its_best_plan(case):
    """The largest sum of gains since the beginning; counted iterations are the budget."""
    session = session_of(*case)
    session.advance(int(case[0].jobs.submit[-1]))
    kept = Plan.of(session)
    for rule in LOSING:
        found = search(kept, 40, ("some",), Search(rule=rule, response=1))
        sums = np.cumsum([0.0, *found.moves["gain"]])
        if len(kept):
            assert found.gain == pytest.approx(sums.max(), rel=1e-6, abs=2e-9)
        again = search(kept, 40, ("some",), Search(rule=rule, response=1))
        assert again.plan.starts() == found.plan.starts()
        assert again.moves.equals(found.moves)


@pytest.mark.slow
@settings(max_examples=40)
@given(cases())
def test_tabu_search_moves_a_barred_job_only_to_the_best_plan_so_far(case):
    """And makes a loss only after as many iterations in vain as there are jobs."""
    session = session_of(*case)
    session.advance(int(case[0].jobs.submit[-1]))
    kept = Plan.of(session)
    moves = search(kept, 60, ("some",), Search(rule="tabu")).moves
    tenure, now, best, recent, last = math.isqrt(len(kept)), 0.0, 0.0, [], -1
    for move in moves.itertuples():
        now += move.gain
        assert move.job not in recent or now > best
        assert move.gain > 0 or move.iteration - last >= len(kept)
        recent = [*recent, move.job][-tenure:]
        best, last = max(best, now), move.iteration


def test_counted_iterations_are_searches_times_the_budget():
    """Whether there was anything to move or not: one job alone has no other place."""
    jobs = Jobs([1, 2], [0, 0], [9, 9], [9, 9], [1, 1])
    for rule in ("first", *LOSING):
        settings = Planning(search=Search(iterations=7, rule=rule))
        session = session_of(Requests(jobs, [1, 2]), Machine.of_processors(1), settings)
        session.advance()
        counts = session.schedule().extras["counts"]
        assert counts["searches"] == 1
        assert counts["iterations"] == 7
        assert counts["evaluated"] == 0


def test_shares_are_those_of_the_criteria():
    """Waits 0 and 900 s, slowdowns 1 and 91, and users at 0 and 90 where 46 would be fair."""
    jobs = Jobs([1, 2], [0, 0], [900, 10], [900, 10], [1, 1])
    twin = twin_of(Requests(jobs, [1, 2]), Machine.of_processors(1), Planning())
    twin.plan.order[0] += [0, 1]
    twin.update(twin.plan, 0)
    shares = twin.shares(twin.plan, twin.criteria(twin.plan))
    unfair = 46**2 + 44**2
    assert float(shares[0]) == pytest.approx((1 / 92) / 12)
    assert float(shares[1]) == pytest.approx((1 + 91 / 92 + 10 * 44**2 / unfair) / 12)


def test_the_job_with_the_largest_share_is_moved_first():
    """The second of 900 and 10 s; with one iteration no other job is ever moved."""
    plan, settings = plan_of_one([900, 10]), Search(choose="worst")
    moved = [search(plan, 1, ("hand", seed), settings).moves["job"].tolist() for seed in range(40)]
    assert sorted({tuple(jobs) for jobs in moved}) == [(), (1,)]
    alike = [search(plan, 1, ("hand", seed)).moves["job"].tolist() for seed in range(40)]
    assert sorted({tuple(jobs) for jobs in alike}) == [(), (0,), (1,)]


def test_rejected_moves_rotate_over_the_jobs_from_the_worst():
    """In their best order jobs of 10, 20 and 30 s wait 0, 10 and 30 s; a round loses no job."""
    settings = Search(**WAIT, choose="worst", rule="tabu")
    moved = [
        tuple(search(plan_of_one([10, 20, 30]), 3, ("hand", seed), settings).moves["job"])
        for seed in range(200)
    ]
    # after a round in vain the smallest loss is made, 10 s: by the last two or the first two
    assert {jobs for jobs in moved if jobs} == {(0,), (1,), (2,)}
    assert all(len(jobs) <= 1 for jobs in moved)


def test_gains_of_moves_that_may_lose_add_up():
    """To what they have come to, over thousands of moves, each of a later iteration."""
    plan = plan_of_one(list(range(40, 0, -1)))
    for rule in LOSING:
        found = search(plan, 5000, ("hand",), Search(rule=rule))
        assert found.gain == pytest.approx(np.cumsum(found.moves["gain"]).max(), rel=1e-9)
        assert all(a < b for a, b in pairwise(found.moves["iteration"]))
