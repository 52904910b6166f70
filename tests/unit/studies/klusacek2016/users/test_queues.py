"""Ranks of queues."""

import pytest

from schedlab.studies.klusacek2016.users.queues import (
    DAY,
    FIRST,
    HOUR,
    LAST,
    LIMITS,
    QUEUES,
    queue_ranks,
)


@pytest.mark.parametrize(
    ("limit", "longer"), list(zip(LIMITS, (*LIMITS[1:], LIMITS[-1]), strict=True))
)
def test_job_is_in_the_first_queue_with_a_sufficient_limit(limit, longer):
    assert queue_ranks([limit - 1, limit, limit + 1]).tolist() == [limit, limit, longer]


def test_limits_are_those_of_the_site():
    assert LIMITS == (HOUR, 2 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY, 62 * DAY)


def test_limits_of_queues_match_their_names():
    hours = {"q_2h": 2, "q_4h": 4, "q_1d": 24, "q_2d": 48, "q_4d": 96, "q_1w": 168, "q_2w": 336}
    bounded = {name: limit for name, limit in QUEUES.items() if name in hours}
    assert bounded == {name: 3600 * limit for name, limit in hours.items()}
    assert (QUEUES["q_2w_plus"], FIRST, LAST) == (62 * 86_400, 0, 2_147_483_647)


def test_queue_name_takes_precedence_over_the_requested_time():
    names = ["q_4h", "", "ops", "priority_long", "backfill", "q_2w_plus"]
    assert queue_ranks([60] * 6, names).tolist() == [4 * HOUR, HOUR, FIRST, FIRST, LAST, 62 * DAY]
    order = sorted(QUEUES, key=QUEUES.get)
    assert (set(order[:2]), order[2], order[-2:]) == (
        {"ops", "priority_long"}, "q_2h", ["q_2w_plus", "backfill"],
    )  # fmt: skip


def test_an_unknown_queue_is_refused_with_log_job_and_field():
    with pytest.raises(
        ValueError, match=r"SITE: field 20 \(queue\) is 'fast' of the job at place 1"
    ):
        queue_ranks([60, 60], ["q_2h", "fast"], "SITE")


def test_ranks_use_the_queues_given_for_a_site():
    assert queue_ranks([60, 60], ["fast", "slow"], queues={"fast": 5, "slow": 9}).tolist() == [5, 9]
