"""The joint test of published numbers, on both sides of its limit."""

from itertools import product

import numpy as np
import pytest

from schedlab.core.intervals import tail
from schedlab.report.verdicts import REJECTED
from schedlab.studies.klusacek2016.tables.sets import all_fall, fisher, joint_tail


def test_a_tail_is_two_sided_and_counts_the_number_itself():
    others = np.arange(39)
    assert tail(-1, others) == tail(39, others) == 2 / 40
    assert tail(0, others) == tail(38, others) == 4 / 40
    assert tail(19, others) == 1


def test_fishers_statistic_adds_the_tails_of_both_changes():
    others = np.stack([np.arange(39), np.arange(39)], axis=1)
    assert fisher(np.array([-1, 19]), others) == pytest.approx(-2 * np.log(0.05))
    assert fisher(np.array([-1, -1]), others) == pytest.approx(-4 * np.log(0.05))


def test_joint_test_rejects_numbers_outside_the_intervals_only():
    rng = np.random.default_rng(1)
    many = {log: rng.normal(size=(40, 2)) for log in ("a", "b")}
    inside = {log: np.array([[0.5, -0.5], [1, 0]]) for log in many}
    outside = {log: np.array([[0.5, -4], [1, -4]]) for log in many}
    assert joint_tail(inside, many) > 0.5
    assert joint_tail(outside, many) < REJECTED


def test_drawn_intervals_are_rejected_at_the_nominal_rate():
    """Two of 12 intervals are compared with the other ten, all 66 pairs of them."""
    own = np.random.default_rng(2).normal(size=(12, 2))
    chances = [
        joint_tail({"a": own[[i, j]]}, {"a": np.delete(own, [i, j], axis=0)})
        for i, j in product(range(12), repeat=2)
        if i < j
    ]
    assert 0.05 <= np.mean(np.array(chances) <= 0.2) <= 0.35
    assert 0.35 <= np.mean(np.array(chances) <= 0.5) <= 0.65


def test_changes_that_depend_on_each_other_do_not_count_twice():
    """Where slowdown repeats wait, an interval that is out by both is as rare as by one."""
    one = np.arange(40.0)
    both = {"a": np.stack([one, one], axis=1)}
    apart = {"a": np.stack([one, np.random.default_rng(3).permutation(one)], axis=1)}
    printed = {"a": np.array([[1.0, 1.0]])}
    assert joint_tail(printed, both) == pytest.approx(0.1, abs=0.03)
    assert joint_tail(printed, apart) < 0.05


@pytest.mark.parametrize("count", [0, 1, 2])
def test_joint_test_needs_more_intervals_than_published_numbers(count):
    printed = {"a": np.zeros((2, 2))}
    assert np.isnan(joint_tail(printed, {"a": np.zeros((count, 2))}))
    assert np.isnan(joint_tail(printed, {}))


def test_all_changes_fall_in_drawn_intervals_of_every_log():
    own = np.array([[-1, -1], [-1, -1], [-1, 1], [1, -1]])
    printed = {"a": own[:1], "b": own[:2]}
    assert all_fall(printed, {"a": own, "b": own}) == pytest.approx(2 / 4 * (2 / 4 * 1 / 3))
    assert np.isnan(all_fall(printed, {"a": own, "b": own[:1]}))
