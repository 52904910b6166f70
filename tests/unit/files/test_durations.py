"""Durations as people type them: every form, its neighbors, and invalid ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.files.durations import (
    FORMS,
    format_duration,
    optional_seconds,
    read_duration,
    read_seconds,
)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90), ("30m", 1800), ("24h", 86_400), ("7d", 604_800), ("1.5h", 5400),
        ("0.1d", 8640), ("0s", 0), ("24:00:00", 86_400), ("00:01:30", 90), ("100:00:01", 360_001),
        ("1-00:00:00", 86_400), ("2-12", 216_000), ("1-02:03", 93_780), ("1-02:03:04", 93_784),
        ("0-23:59:59", 86_399),
    ],
)  # fmt: skip
def test_every_form_is_read(text, seconds):
    assert read_duration(text, "--x") == seconds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1440", "--x: 1440 is a number without a unit; write 90s, 30m, 24h, 7d, 24:00:00"),
        ("1.5", "--x: 1.5 is a number without a unit"),
        ("-5", "--x: -5 is a number without a unit"),
        (86_400, r"--x: 86400 is a number without a unit \(YAML needs quotes around HH:MM:SS\)"),
        ("30:00", "--x: 30:00 may be minutes and seconds, or hours and minutes"),
        ("24:60:00", "--x: '24:60:00' is not a duration"),
        ("24:00:60", "--x: '24:00:60' is not a duration"),
        ("1-24", "--x: '1-24' is not a duration"),
        ("1-00:60", "--x: '1-00:60' is not a duration"),
        ("-5s", "--x: '-5s' is not a duration"),
        ("5 s", "--x: '5 s' is not a duration"),
        ("5w", "--x: '5w' is not a duration"),
        ("", "--x: '' is not a duration"),
        ("٣s", "is not a duration"),
        ("9" * 400 + "d", "is not a duration"),
        (True, "--x: True is not a duration"),
        ([90], r"--x: \[90\] is not a duration"),
    ],
)
def test_duration_without_unit_or_with_two_meanings_is_rejected(text, message):
    with pytest.raises(ValueError, match=message) as error:
        read_duration(text, "--x")
    assert FORMS in str(error.value)


def test_smallest_duration_is_accepted_and_a_smaller_one_is_not():
    assert read_seconds("1m", "--x", least=60) == 60
    with pytest.raises(ValueError, match="--x: 59s is too short, the least is 1m"):
        read_seconds("59s", "--x", least=60)


def test_seconds_are_whole():
    assert read_seconds("1.5m", "--x") == 90
    with pytest.raises(ValueError, match=r"--x: 0\.5s is 0\.5 s, must be whole seconds"):
        read_seconds("0.5s", "--x")


def test_missing_duration_option_stays_none():
    assert optional_seconds(None, "--x") is None
    assert optional_seconds("1h", "--x") == 3600
    with pytest.raises(ValueError, match="--x: 0s is too short"):
        optional_seconds("0s", "--x", least=1)


@given(st.integers(0, 10**8))
def test_formatted_duration_is_read_back(seconds):
    assert read_seconds(format_duration(seconds), "--x") == seconds
