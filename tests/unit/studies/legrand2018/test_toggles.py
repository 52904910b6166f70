"""Toggles of Tables 2 to 6: cells that the sheet accepts, changed one at a time."""

from dataclasses import replace

import pytest

from period_case import experiment
from schedlab.comparison.toggles.rows import apply_toggle
from schedlab.studies.legrand2018.toggles import (
    TESTING,
    TOGGLES,
    TRAINING,
    numbers_of,
    read_printed,
    tables_alone,
)
from sheet_case import rows_of, schema_of
from toggles_case import Pieces, check_toggles

COLUMNS = ["No threshold", "2.31 days", "20 hours"]
PUBLISHED, OWNERS = (f"resources/legrand2018/{name}.tsv" for name in ("published", "owners"))


@pytest.fixture
def rows():
    return [
        tables_alone(row) for row in rows_of("legrand2018").values() if row.split == "log_weeks"
    ]


def test_every_toggle_has_all_rows_and_changes_one_cell_of_each(rows):
    check_toggles(TOGGLES, rows, schema_of("legrand2018"))
    assert all(apply_toggle(row, toggle) for toggle in TOGGLES for row in rows)


def weeks(count):
    """One job a week that does not wait, run for half a minute."""
    return Pieces([(n, 604_800 * n, 30, 60, 1, 1, 1, 1, n) for n in range(1, count + 1)])


@pytest.mark.slow
def test_numbers_are_sums_of_weeks():
    """Six weeks, of which 2 to 4 are learned from and 5 and 6 tested on, with 1 each."""
    found = numbers_of(experiment(), weeks(6), COLUMNS, halves=True)
    by_column = found.groupby("column")["value"].unique().map(list).to_dict()
    assert by_column == {column: [6] for column in COLUMNS} | {TRAINING: [3], TESTING: [2]}
    assert found["policy"].unique().tolist() == ["SAF", "FCFS", "SQF"]
    alone = numbers_of(experiment(), weeks(6), COLUMNS, halves=False)
    assert alone["column"].unique().tolist() == COLUMNS


def test_a_log_that_is_not_available_has_no_numbers():
    assert numbers_of(experiment(), weeks(0), COLUMNS, halves=True).empty


def test_published_numbers_are_assigned_to_their_owners(rows, root):
    table = read_printed(rows, root / PUBLISHED, root / OWNERS, "sdsc_sp2_weeks")
    assert len(table) == 4 * 36 + 22
    assert table["sdsc_sp2_weeks", "No threshold", "SAF"] == "1461.39"
    # printed in the row of LCFS, see owners.tsv
    assert table["sdsc_sp2_weeks", "20 hours", "LEXP"] == "2471.02"
    assert table["sdsc_sp2_weeks", TRAINING, "SAF"] == "691.10"
    stand_ins = [replace(row.on_model(), stand_in="model") for row in rows]
    assert read_printed(stand_ins, root / PUBLISHED, root / OWNERS, "sdsc_sp2_weeks").empty
