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
def test_a_job_is_of_the_first_queue_that_lets_it_run_as_long_as_it_asks(limit, longer):
    assert queue_ranks([limit - 1, limit, limit + 1]).tolist() == [limit, limit, longer]


def test_limits_are_those_of_the_site():
    assert LIMITS == (HOUR, 2 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY, 62 * DAY)


def test_queues_let_jobs_run_as_long_as_their_names_say():
    hours = {"q_2h": 2, "q_4h": 4, "q_1d": 24, "q_2d": 48, "q_4d": 96, "q_1w": 168, "q_2w": 336}
    bounded = {name: limit for name, limit in QUEUES.items() if name in hours}
    assert bounded == {name: 3600 * limit for name, limit in hours.items()}
    assert (QUEUES["q_2w_plus"], FIRST, LAST) == (62 * 86_400, 0, 2_147_483_647)


def test_a_queue_s_name_goes_before_the_requested_time():
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


def test_a_site_may_have_queues_of_its_own():
    assert queue_ranks([60, 60], ["fast", "slow"], queues={"fast": 5, "slow": 9}).tolist() == [5, 9]
