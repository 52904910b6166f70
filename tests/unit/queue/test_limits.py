"""Limits of the kernels: the last number that they accept and the first that they reject."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.queue.limits import (
    MOST,
    NEVER,
    check_estimated,
    check_machine,
    check_running,
    check_size,
    check_waiting,
    starvation_threshold,
)

#: submitted at 0, 5 and 5, they run for 10, 20 and 30 s on 1, 2 and 3 processors
THREE = Jobs([11, 12, 13], [0, 5, 5], [10, 20, 30], [10, 20, 30], [1, 2, 3])


def test_the_kernels_count_in_31_bits():
    assert (MOST, NEVER) == (2_147_483_646, 9_223_372_036_854_775_807)


@pytest.mark.parametrize(("processors", "taken"), [(0, False), (1, True), (MOST, True)])
def test_a_machine_has_from_one_processor_to_the_most(processors, taken):
    if taken:
        check_size(processors)
    else:
        with pytest.raises(ValueError, match=f"has {processors} processors, must have 1 to {MOST}"):
            check_size(processors)
    with pytest.raises(ValueError, match=f"has {MOST + 1} processors"):
        check_size(MOST + 1)


@pytest.mark.parametrize(
    ("name", "most", "message"),
    [
        ("submit", 2**32, "job 7: submit is 4294967297 s, must be at most 4294967296"),
        ("runtime", MOST, f"job 7: runtime is {MOST + 1} s, must be at most {MOST}"),
        ("estimate", MOST, f"job 7: estimate is {MOST + 1} s, must be at most {MOST}"),
        ("procs", 4, "job 7 needs 5 processors, the machine has 4"),
    ],
)
def test_the_first_job_out_of_range_is_named(name, most, message):
    fields = {"submit": [0, 0, 0], "runtime": [1] * 3, "estimate": [1] * 3, "procs": [1] * 3}

    def jobs(value):
        own = fields | {name: [0 if name == "submit" else 1, value, value]}
        return Jobs(
            [6, 7, 8], *(np.array(own[each]) for each in ("submit", "runtime", "estimate", "procs"))
        )

    check_machine(jobs(most), 4)
    with pytest.raises(ValueError, match=message):
        check_machine(jobs(most + 1), 4)


@pytest.mark.parametrize(
    ("started", "now", "free", "message"),
    [
        ([-1, 4, 4], 6, 6, "job 11 started before it was submitted"),
        ([0, 4, 4], 6, 6, "job 12 started before it was submitted"),
        ([0, 7, 7], 6, 6, "job 12 has not started by the present time 6"),
        ([0, 5, 5], 10, 6, "job 11 has ended by the present time 10"),
        ([0, 5, 5], 6, 5, "the running jobs have 6 processors, 5 are free"),
        ([0, 5], 6, 6, r"3 jobs run: started has 3 whole numbers, not int64 of the shape \(2,\)"),
        ([0.0, 5.0, 5.0], 6, 6, "3 jobs run: started has 3 whole numbers, not float64"),
    ],
)
def test_impossible_running_job_is_named(started, now, free, message):
    with pytest.raises(ValueError, match=message):
        check_running(THREE, started, now, free)


@pytest.mark.parametrize("now", [6, 9])
def test_running_jobs_have_started_and_not_ended(now):
    """The first is over at 10; together they have just the processors that are free."""
    found = check_running(THREE, [0, 5, 6], now, 6)
    assert (found.tolist(), found.dtype) == ([0, 5, 6], np.int64)


def test_empty_list_of_running_jobs_is_valid():
    assert check_running(THREE.take(slice(0)), [], 6, 0).tolist() == []


def test_waiting_jobs_must_have_been_submitted():
    check_waiting(THREE, 5)
    with pytest.raises(ValueError, match="job 12 does not wait yet: it is submitted at 5, after"):
        check_waiting(THREE, 4)


def test_an_estimate_is_at_least_a_second():
    check_estimated(Jobs([1], [0], [0], [1], [1]))
    with pytest.raises(ValueError, match="job 2 has an estimate of 0 s"):
        check_estimated(Jobs([1, 2, 3], [0] * 3, [0] * 3, [1, 0, 0], [1] * 3))


def test_no_job_starves_without_a_threshold():
    assert [starvation_threshold(one) for one in (None, 0, 60, NEVER + 1)] == [NEVER, 0, 60, NEVER]
