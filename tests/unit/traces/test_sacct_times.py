"""Durations and times of a dump."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sacct_case import check_unreadable
from schedlab.traces.slurm.sacct_lines import SacctError, read_lines
from schedlab.traces.slurm.sacct_times import duration, limit, read_times, zone_of

PARIS = ZoneInfo("Europe/Paris")
HEAD = "JobIDRaw|Submit|Eligible|Start|End|Elapsed|NCPUS\n"
HOUR = 3600
#: the clock goes back from three to two at this second
BACK = int(datetime(2024, 10, 27, 1, tzinfo=UTC).timestamp())


def times(submit, eligible="Unknown", start="Unknown", end="Unknown", elapsed=-1, zone=PARIS):
    with TemporaryDirectory() as folder:
        path = Path(folder, "dump.txt")
        path.write_text(f"{HEAD}7|{submit}|{eligible}|{start}|{end}|x|1\n")
        (dump,) = read_lines(path)
        return read_times(dump, np.array([elapsed]), zone)


def taken_times(*arguments, **options):
    return [int(time[0]) for time in times(*arguments, **options).taken.values()]


def autumn(clock):
    return f"2024-10-27T{clock}"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:00", 0),
        ("02:03", 123),
        ("59:59", 3599),
        ("01:00:00", 3600),
        ("1-00:00:00", 86400),
        ("12-23:59:59", 13 * 86400 - 1),
        ("00:01.500", 1),
        ("2-12", 216000),
        ("2-12:30", 217800),
        *((text, None) for text in ("", "60", "1:2:3:4", "-1:00", "1-", "UNLIMITED", "1:00 h")),
    ],
)
def test_durations_have_days_hours_minutes_and_seconds(text, seconds):
    assert duration(text) == seconds


@given(st.integers(0, 10**8))
def test_a_duration_is_read_as_slurm_writes_it(seconds):
    days, rest = divmod(seconds, 86400)
    text = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    assert duration(f"{days}-{text}" if days else text) == seconds


def test_a_limit_that_is_a_number_is_of_minutes():
    assert (limit("90"), limit("01:30"), limit("x")) == (5400, 90, None)


def test_unix_seconds_and_offsets_need_no_zone():
    wanted = 1709287200
    for text in ("1709287200", "2024-03-01T11:00:00+0100", "2024-03-01 10:00:00Z"):
        assert taken_times(text, zone=None)[0] == wanted


@pytest.mark.parametrize("text", ["", "Unknown", "None", "NONE", "N/A", "INVALID", "0"])
def test_missing_time_is_unknown(text):
    assert taken_times("1709287200", text, text, text) == [1709287200, -1, -1, -1]


@pytest.mark.slow
@given(st.datetimes(datetime(2015, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)))
def test_local_time_is_one_of_its_possible_instants(instant):
    instant = instant.replace(microsecond=0)
    read = times(instant.astimezone(PARIS).strftime("%Y-%m-%dT%H:%M:%S"))
    wanted = int(instant.timestamp())
    found = read.taken["Submit"][0]
    if read.ambiguous["Submit"][0]:
        assert wanted - found in (0, HOUR)  # the first is taken
        assert (instant.astimezone(PARIS).utcoffset() == timedelta(hours=1)) == (wanted > found)
    else:
        assert found == wanted
    assert not np.any(list(read.nonexistent.values()))


@pytest.mark.parametrize(
    ("clock", "ambiguous"),
    [("01:59:59", False), ("02:00:00", True), ("02:59:59", True), ("03:00:00", False)],
)
def test_only_the_repeated_hour_is_ambiguous(clock, ambiguous):
    read = times(autumn(clock))
    assert [bool(time[0]) for time in read.ambiguous.values()] == [ambiguous, False, False, False]


@pytest.mark.parametrize(
    ("clock", "missing", "seconds"),
    [("01:59:59", False, -1), ("02:00:00", True, 0), ("02:59:59", True, 0), ("03:00:00", False, 0)],
)
def test_nonexistent_hour_is_moved_to_its_end(clock, missing, seconds):
    read = times(f"2024-03-31T{clock}")
    spring = int(datetime(2024, 3, 31, 1, tzinfo=UTC).timestamp())
    assert read.nonexistent["Submit"][0] == missing
    assert read.taken["Submit"][0] == spring + seconds


@pytest.mark.parametrize(
    ("start", "end", "elapsed", "wanted"),
    [
        # the end is sure, and tells the start: 50 minutes before three is in the second hour
        ("02:10:00", "03:00:00", 50 * 60, (BACK + 600, BACK + HOUR)),
        ("02:10:00", "03:00:00", 110 * 60, (BACK - 50 * 60, BACK + HOUR)),
        # the start is sure, and tells the end
        ("01:50:00", "02:10:00", 20 * 60, (BACK - 70 * 60, BACK - 50 * 60)),
        ("01:50:00", "02:10:00", 80 * 60, (BACK - 70 * 60, BACK + 600)),
        # neither: the first hour, and an end that fits
        ("02:10:00", "02:20:00", 600, (BACK - 50 * 60, BACK - 40 * 60)),
        ("02:10:00", "02:20:00", 70 * 60, (BACK - 50 * 60, BACK + 20 * 60)),
        # nothing elapsed is told: an end that is not before the start
        ("02:20:00", "02:10:00", -1, (BACK - 40 * 60, BACK + 600)),
    ],
)
def test_ambiguous_time_is_resolved_by_the_other_times(start, end, elapsed, wanted):
    found = taken_times(autumn("01:00:00"), autumn("01:00:00"), autumn(start), autumn(end), elapsed)
    assert tuple(found[2:]) == wanted


def test_ambiguous_start_is_not_before_submission_if_the_end_is_unknown():
    found = taken_times(autumn("02:30:00"), start=autumn("02:10:00"), elapsed=600)
    assert found == [BACK - 1800, -1, BACK + 600, -1]


def test_first_of_two_starts_is_taken_without_an_elapsed_time():
    """The end comes once, and is nearer to the second of the two starts."""
    noon = autumn("12:00:00")
    found = taken_times(autumn("01:00:00"), autumn("01:00:00"), autumn("02:20:00"), noon, -1)
    assert found[2] == BACK - 40 * 60
    # of a job that ran from then to noon too, and of one that ran for an hour less
    wanted = {BACK + 20 * 60: 9 * HOUR + 40 * 60, BACK - 40 * 60: 10 * HOUR + 40 * 60}
    for start, elapsed in wanted.items():
        found = taken_times(
            autumn("01:00:00"), autumn("01:00:00"), autumn("02:20:00"), noon, elapsed
        )
        assert found[2] == start


def test_ambiguous_eligibility_is_not_before_submission():
    assert taken_times(autumn("02:30:00"), autumn("02:10:00"))[:2] == [BACK - 1800, BACK + 600]


@pytest.mark.parametrize("zone", ["Europe/Paris", "Australia/Lord_Howe", "Africa/Monrovia"])
def test_times_of_all_years_are_read_alike(zone):
    """Whether they are in the table of offsets by hour or not."""
    zone = ZoneInfo(zone)
    for year in (2, 1950, 1969, 1972, 1999, 2024, 9998):
        clock = datetime(year, 1, 7, 9, 5, tzinfo=zone)
        found = taken_times(f"{clock:%Y}".zfill(4) + f"-{clock:%m-%dT%H:%M:%S}", zone=zone)
        assert found[0] == int((clock - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
    autumn_9999 = datetime(9999, 9, 1, tzinfo=UTC)
    assert abs(taken_times("9999-09-01T00:00:00", zone=zone)[0] - autumn_9999.timestamp()) < 86400


@pytest.mark.parametrize(
    "text", ["2024-02-30T10:00:00", "01/02/24 10:00", "10:00:00", "-5", "2024-03-01T10:00:00+99:00"]
)
def test_invalid_time_is_named_with_its_line_and_field(tmp_path, text):
    check_unreadable(tmp_path, "is not a time; times are like", Submit=text)


def test_local_times_need_a_zone():
    with pytest.raises(SacctError, match=r"field Submit .* is a local time.*; give --timezone"):
        times("2024-03-01T10:00:00", zone=None)


@pytest.mark.parametrize("name", ["Paris", "Europe/Pariss", "../etc", ""])
def test_a_zone_that_does_not_exist_is_named(name):
    with pytest.raises(ValueError, match="no time zone"):
        zone_of(name)
