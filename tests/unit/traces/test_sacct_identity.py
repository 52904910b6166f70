"""Which lines of a dump are one job: ids that come again, cut jobs, components."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sacct_case import job, read, rules
from schedlab.traces.slurm.sacct import read_sacct

NAMES = "JobIDRaw|User|Account|Submit|Start|End|ElapsedRaw|NCPUS|State"


def at(clock, day=1):
    return f"2024-03-{day:02}T{clock}"


def times(day, submit="10:00:00", start="10:10:00", end="14:10:00"):
    return {
        "Submit": at(submit, day),
        "Eligible": at(submit, day),
        "Start": at(start, day),
        "End": at(end, day),
    }


@pytest.mark.parametrize("state", ["NODE_FAIL", "PREEMPTED", "BOOT_FAIL"])
@pytest.mark.parametrize(
    ("again", "is_same"),
    [
        ({"day": 2, "submit": "14:10:00", "start": "15:00:00"}, True),  # a day after its end
        ({"day": 2, "submit": "14:10:01", "start": "15:00:00"}, False),
        ({"day": 9}, False),
    ],
)
def test_a_run_that_was_broken_off_goes_on_soon(tmp_path, state, again, is_same):
    log = read(tmp_path, job(1, State=state, **times(1)), job(1, **times(**again)))
    assert len(log.jobs) == 1 + (not is_same)
    assert rules(log) == (["run_again"] if is_same else [""])


def test_a_job_that_sacct_cut_at_midnight_is_one_job(tmp_path):
    """Dumps by month with sacct -T, one after the other."""
    first = times(1, end="12:00:00") | {"Elapsed": "01:50:00"}
    second = times(1, start="12:00:00") | {"Elapsed": "02:10:00"}
    log = read(tmp_path, job(1, **first), job(2), job(1, **second))
    found = log.jobs.set_index("line")
    assert sorted(found.index) == [3, 4]
    assert found.loc[4, ["number", "wait", "runtime", "procs"]].tolist() == [1, 600, 4 * 3600, 8]
    assert rules(log, 2) == ["job_repeated"]
    changed = log.ledger[log.ledger["rule"] == "job_whole"].set_index("field")
    assert changed.loc["Elapsed", ["before", "after"]].tolist() == ["7800", "14400"]
    assert (log.dumped, log.lost.empty) == (2, True)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_lines_of_a_job_cover_its_run_time(tmp_path_factory, data):
    """Against a plain count of the seconds that any of the lines covers."""
    rows, expected = [], {}
    for number in range(1, data.draw(st.integers(1, 4)) + 1):
        spans = data.draw(
            st.lists(st.tuples(st.integers(5, 60), st.integers(0, 20)), min_size=1, max_size=4)
        )
        for place, (start, length) in enumerate(spans):
            rows.append([number, "a", f"x{place}", 5, start, start + length, length, 2, "TIMEOUT"])
        covered = {second for start, length in spans for second in range(start, start + length)}
        expected[number] = (min(start for start, _ in spans) - 5, len(covered))
    rows = data.draw(st.permutations(rows))
    path = tmp_path_factory.mktemp("dump") / "dump.txt"
    # Unix seconds near 0 would be unknown times
    text = [
        "|".join(map(str, [*row[:3], *(1_700_000_000 + t for t in row[3:6]), *row[6:]]))
        for row in rows
    ]
    path.write_text("\n".join([NAMES, *text]))
    jobs = read_sacct(path).jobs.set_index("number")
    assert {n: tuple(jobs.loc[n, ["wait", "runtime"]]) for n in jobs.index} == expected


def test_components_that_only_job_id_shows_are_counted(tmp_path):
    lines = [job(1), job(2, Partition="gpu"), job(3, Partition="gpu"), job(4, User="bob")]
    assert read(tmp_path, *lines).possible_components == 0
    log = read(tmp_path, *lines, without=("JobID",))
    assert (len(log.jobs), log.possible_components) == (4, 1)


def test_a_repeated_line_of_names_is_left_out(tmp_path):
    names = {name: name for name in job(1)}
    log = read(tmp_path, job(1), names, job(2))
    assert log.jobs["number"].tolist() == [1, 2]
    assert rules(log, 3) == ["names_repeated"]
    with pytest.raises(ValueError, match="line 3: other names of fields than on the first line"):
        read(tmp_path, job(1), names | {"User": "Account", "Account": "User"}, job(2))


@pytest.mark.parametrize(
    ("zone", "zero"),
    [
        ("Europe/Paris", "1970-01-01T01:00:00"),
        ("America/New_York", "1969-12-31T19:00:00"),
        ("UTC", "1970-01-01T01:00:00"),  # of another zone than the dump's
        ("UTC", "1970-01-01T00:00:00+00:00"),
        ("UTC", "0"),
    ],
)
def test_second_0_of_any_zone_is_no_time(tmp_path, zone, zero):
    cells = {"Start": zero, "Eligible": zero, "State": "CANCELLED", "Elapsed": "00:00:00"}
    log = read(tmp_path, job(1, **cells), job(2), timezone=zone)
    assert log.jobs["submit"].tolist() == [0, 0]
    assert log.jobs["wait"].tolist() == [15_000, 600]


@pytest.mark.parametrize("bad", [1, 2, 3])
def test_most_lines_must_be_readable(tmp_path, bad):
    lines = [job(number) | ({"NCPUS": "x"} if number <= bad else {}) for number in (1, 2, 3, 4)]
    if bad <= 2:
        assert len(read(tmp_path, *lines).jobs) == 4 - bad
    else:
        with pytest.raises(ValueError, match="line 2: field NCPUS 'x' is not a whole number"):
            read(tmp_path, *lines)


def test_a_layout_that_is_guessed_is_named(tmp_path):
    """25 values and a closing bar, and 26 values, are not those of Open XDMoD."""
    for line in ("|".join(["7"] * 25) + "|", "|".join(["7", "7", *"x" * 24])):
        path = tmp_path / "dump.txt"
        path.write_text(f"{line}\n")
        with pytest.raises(
            ValueError, match="without a line of names, 26 values are read as JobID"
        ):
            read_sacct(path, timezone="UTC")


def test_a_line_that_is_cut_is_in_the_ledger_without_its_names(tmp_path):
    path = tmp_path / "dump.txt"
    path.write_text(f"{NAMES}\n1|ada|x|1700000000|1700000001|1700000002|1|1|COMPLETED\n2|ada|x|y\n")
    log = read_sacct(path)
    (row,) = log.ledger[log.ledger["line"] == 3].to_dict("records")
    assert (row["rule"], row["field"], row["before"]) == ("line_unreadable", "cells", "4")
    assert pd.isna(row["after"])
    assert np.array_equal(log.jobs["line"], [2])


@pytest.mark.parametrize("state", ["-", "(null)", "broken off"])
def test_the_ledger_has_an_unknown_state_as_it_is_in_the_dump(tmp_path, state):
    log = read(tmp_path, job(1, State=state), job(2))
    (row,) = log.ledger[log.ledger["line"] == 2].to_dict("records")
    assert (row["rule"], row["field"], row["before"]) == ("state_unknown", "State", state)


def test_times_may_have_fractions_of_a_second(tmp_path):
    unix = {"Submit": "1700000000.9", "Start": "1700000060.1", "End": "1700000120.0"}
    log = read(tmp_path, job(1) | unix | {"Eligible": "", "Elapsed": "00:01:00"})
    assert log.jobs[["wait", "runtime"]].values.tolist() == [[60, 60]]
    log = read(tmp_path, job(1) | times(1, start="10:10:00.987", submit="10:00:00.123"))
    assert log.jobs[["submit", "wait", "runtime"]].values.tolist() == [[0, 600, 4 * 3600]]


def test_names_in_another_order_are_found_in_any_column(tmp_path):
    """Else the processors of the jobs behind them would be read as ids."""
    names = "JobIDRaw|Submit|ElapsedRaw|NCPUS|TimelimitRaw"
    other = "NCPUS|Submit|ElapsedRaw|JobIDRaw|TimelimitRaw"
    path = tmp_path / "dump.txt"
    path.write_text(f"{names}\n1|1700000000|5|8|9\n{other}\n8|1700000000|5|2|9\n")
    with pytest.raises(ValueError, match="line 3: other names of fields than on the first line"):
        read_sacct(path)
    # a user may have such a name
    assert len(read(tmp_path, job(1), job(2, User="JobID")).jobs) == 2


def test_a_line_without_the_closing_separator_is_named_as_such(tmp_path):
    path = tmp_path / "dump.txt"
    path.write_text(f"{NAMES}|\n1|ada|x|1700000000|1700000001|1700000002|1|1|COMPLETED\n")
    with pytest.raises(ValueError, match=r"line 2: does not end with '\|', as the first line does"):
        read_sacct(path)
