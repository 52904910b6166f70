"""What a site is told to give its Slurm."""

import pytest

from schedlab.arena.schedulers import SCHEDULERS
from schedlab.site.lines import STAYS, expression_of, slurm_lines

LEARNED = {"l1": "r * n", "mine": "n"}


def lines(*names):
    return slurm_lines(list(names), LEARNED, "0.5 * r", 64, 86_400)


def test_the_first_that_slurm_can_be_told_is_written():
    text = lines("easy_pp", "plan_rs", "conservative", "sqf", "spf")
    assert text.startswith("# EASY++ is no order that Slurm could be told: it plans with predicted")
    assert "# Plan-RS is no order" in text
    assert "# Conservative is no order" in text
    assert "# SQF, by " in text
    assert "# SPF, by " not in text
    assert "PriorityType=priority/multifactor" in text


def test_where_easy_stays_its_lines_are_written():
    text = lines()
    assert STAYS in text
    assert "PriorityType=priority/basic" in text


@pytest.mark.parametrize(
    ("name", "policy"), [("l1", "r * n"), ("mine", "n"), ("w_train", "0.5 * r")]
)
def test_policies_that_are_learned_or_ones_own_are_found(name, policy):
    assert expression_of(name, LEARNED, "0.5 * r") == (policy, "")


def test_every_scheduler_of_the_arena_can_be_asked_for():
    for name, one in SCHEDULERS.items():
        assert one.label in slurm_lines([name], LEARNED, "0.5 * r", 64, 86_400).replace("\n# ", " ")


def test_another_order_of_backfilling_is_said_to_be_lost():
    assert "in the order of priorities and not, as it was simulated, in another one" in lines(
        "easy_sjbf"
    )
    assert "in another one" not in lines("sqf")
