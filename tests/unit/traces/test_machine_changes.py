"""Tables of what changes in a machine."""

import pytest

from schedlab.core.machine import Change
from schedlab.files.config_files import ConfigError
from schedlab.traces.machine_changes import read_changes

HEADER = "kind,time,processors,end,known"


def written(tmp_path, *lines):
    path = tmp_path / "changes.csv"
    path.write_text("\n".join([HEADER, *lines]) + "\n")
    return path


def test_changes_are_of_different_processors_where_they_overlap(tmp_path):
    lines = ("drain,1h,2,2h,", "reservation,5400,1,3h,30m", "add,600,3,,", "remove,3h,1,,")
    machine = read_changes(written(tmp_path, *lines), 8)
    assert machine.changes == (
        Change(600, "resume", (0, 1, 2)),
        Change(3600, "drain", (0, 1), 7200),
        Change(5400, "reservation", (2,), 10_800, 1800),
        Change(10_800, "drain", (0,)),
    )


def test_a_reservation_is_known_from_the_beginning_by_default(tmp_path):
    (change,) = read_changes(written(tmp_path, "reservation,10,1,20,"), 8).changes
    assert change.known == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("drian,1,1,2,", "line 2: kind 'drian' is not one of drain,.*did you mean 'drain'"),
        ("drain,,1,2,", "line 2: time is empty"),
        ("drain,1x,1,2,", "line 2: time: "),
        ("drain,1,one,2,", "line 2: invalid literal.*'one'"),
        ("drain,1,0,2,", "line 2: processors is 0, must be at least 1"),
        ("drain,1,9,2,", "line 2: processors is 9, but only 8 of 8 are open then"),
        ("drain,2,1,2,", "line 2: end is 2 s, must be after time, 2 s"),
        ("reservation,2,1,,", "line 2: a reservation needs an end"),
        ("add,2,1,3,", "line 2: 'add' has no end"),
    ],
)
def test_wrong_cell_is_an_error_with_its_line(tmp_path, line, message):
    with pytest.raises(ConfigError, match=message):
        read_changes(written(tmp_path, line), 8)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("kind,time,machine", "no column 'machine'"),
        ("kind,time", "processors is"),
    ],
)
def test_wrong_columns_are_an_error(tmp_path, header, message):
    path = tmp_path / "changes.csv"
    path.write_text(f"{header}\n")
    with pytest.raises(ConfigError, match=message):
        read_changes(path, 8)
