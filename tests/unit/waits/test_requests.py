"""The requested time of workflow jobs, by hand."""

import pytest

from schedlab.core.jobs import Jobs
from schedlab.waits.requests import request_of, request_run_time

#: of 4 processors (3 and 4) half ask for 200 s at most, of 16 all for 5000 s
OTHERS = Jobs([0, 1, 2, 3], [0] * 4, [1] * 4, [100, 200, 900, 5000], [3, 4, 4, 16])


@pytest.mark.parametrize(
    ("cell", "cores", "seconds", "asked"),
    [
        ("own", 4, 70, 70),
        ("own", 4, 0, 1),
        ("4h", 4, 70, 14_400),
        ("4h", 4, 14_401, 14_401),
        ("90s", 1, 90, 90),
        ("log", 4, 70, 200),
        ("log", 3, 70, 200),
        ("log", 4, 201, 201),
        ("log", 16, 70, 5000),
        ("log", 9, 70, 5000),
        ("log", 1, 70, 550),  # no job is as wide: half of all ask for 550 s at most
    ],
)
def test_requested_time_is_own_common_or_that_of_other_jobs(cell, cores, seconds, asked):
    assert request_of(cell, OTHERS)(cores, seconds) == asked


def test_unknown_request_rule_is_rejected():
    with pytest.raises(ValueError, match="request"):
        request_of("4", OTHERS)


def test_jobs_request_their_run_time_by_default():
    assert [request_run_time(4, seconds) for seconds in (0, 1, 70)] == [1, 1, 70]
