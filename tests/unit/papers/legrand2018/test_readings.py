"""Ways to read the weekly split."""

import pandas as pd
import pytest

from schedlab.papers.legrand2018.readings import READINGS, Reading, weekly
from schedlab.traces.cleaning import clean
from schedlab.traces.splitting import WEEK, split
from schedlab.traces.swf import DTYPES, FIELDS, Header, SwfLog, read_swf

USED = Reading("unix", "submit", "end", "first and last")


def log(*jobs: tuple[int, int, int, int]) -> SwfLog:
    """Jobs of (submit, wait, run time, estimate) on one processor, from half a Unix week on."""
    frame = pd.DataFrame(-1, index=range(len(jobs)), columns=list(FIELDS)).astype(DTYPES)
    frame["number"] = range(1, len(jobs) + 1)
    frame["procs"] = 1
    for place, field in enumerate(("submit", "wait", "runtime", "requested_time")):
        frame[field] = pd.Series([job[place] for job in jobs], dtype="int64")
    return SwfLog(Header((f" UnixStartTime: {WEEK // 2}",)), frame, ())


def kept(reading, *jobs):
    return weekly(log(*jobs), reading, "SITE")["number"].tolist()


FIRST, LAST = (0, 0, 9, 9), (4 * WEEK, 0, 9, 9)


@pytest.mark.parametrize(
    ("reading", "numbers"),
    [
        (USED, [2, 4]),
        # job 3 starts and ends in a week that it was not submitted in
        (Reading("unix", "start", "end", "first and last"), [2, 3, 4]),
        # job 4 could have run into the next week
        (Reading("unix", "submit", "estimated end", "first and last"), [2]),
        (Reading("unix", "submit", "end", "first"), [2, 4, 5]),
        (Reading("log", "submit", "end", "first"), [3, 4, 5]),
        (Reading("unix", "submit", "any", "first and last"), [2, 3, 4]),
    ],
)
def test_a_reading_keeps_these_jobs(reading, numbers):
    half = WEEK // 2
    jobs = (
        FIRST,
        (half, 0, 100, 100),
        (WEEK + half - 10, 20, 100, 100),
        (2 * WEEK, 0, 100, WEEK),
        LAST,
    )
    assert kept(reading, *jobs) == numbers


def test_every_reading_is_another():
    assert len(set(READINGS)) == len(READINGS) == 20
    assert USED in READINGS


@pytest.mark.logs
@pytest.mark.parametrize("name", ["KTH-SP2", "SDSC-SP2"])
def test_the_reading_that_is_used_is_the_rule_set(raw_log, name):
    raw = read_swf(raw_log(name))
    jobs, _ = clean(raw.jobs, "rr9212_weeks", name, raw.header.integer("UnixStartTime"))
    expected = split(jobs, "weeks")
    found = weekly(raw, USED, name)[expected.columns]
    pd.testing.assert_frame_equal(found, expected)
