"""The published numbers of legrand2018, their owners, and the reasons for differences."""

from decimal import Decimal
from pathlib import Path

import pytest

from schedlab.report import columns, comparison
from schedlab.studies.legrand2018.tables import policy_label, threshold_label
from sheet_case import rows_of

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "resources/legrand2018"
PUBLISHED = FOLDER / "published.tsv"
OWNERS = FOLDER / "owners.tsv"
REASONS = FOLDER / "reasons.tsv"
TABLES = [f"table{number}" for number in range(1, 8)]
BY_THRESHOLD = TABLES[2:6]


def published(item):
    return comparison.read_published(PUBLISHED, item)


@pytest.mark.parametrize(
    ("item", "shape"), list(zip(TABLES, [(4, 5), (14, 2), *[(12, 3)] * 4, (10, 4)], strict=True))
)
def test_a_table_has_as_many_rows_and_columns_as_printed(item, shape):
    assert published(item).shape == shape


@pytest.mark.parametrize(
    ("item", "row", "column", "number"),
    [
        ("table1", "CTC-SP2", "jobs", "68687"),
        ("table2", "w*_train", "Testing", "778.44"),
        ("table3", "SAF", "20 hours", "2395.29"),
        ("table4", "LAF", "No threshold", "582.87"),
        ("table5", "FCFS", "2.31 days", "850.16"),
        ("table6", "LRF", "20 hours", "357.75"),
        ("table7", "4", "number_processors", "60"),
    ],
)
def test_published_numbers_are_in_the_papers_cells(item, row, column, number):
    assert published(item).at[row, column] == number


@pytest.mark.parametrize("item", BY_THRESHOLD)
def test_sums_keep_their_two_printed_digits(item):
    numbers = published(item).to_numpy().ravel()
    assert {Decimal(number).as_tuple().exponent for number in numbers} == {-2}


@pytest.mark.parametrize("item", BY_THRESHOLD)
def test_every_published_column_is_increasing(item):
    """Which the reasons say."""
    table = published(item).astype(float)
    assert all(table[column].is_monotonic_increasing for column in table)


@pytest.mark.parametrize("item", BY_THRESHOLD)
def test_fcfs_does_not_depend_on_the_threshold(item):
    """Its number stands in another's row where a column was sorted without names."""
    row = columns.move_to_owners(published(item), columns.read_owners(OWNERS, item)).loc["FCFS"]
    assert row.nunique() == 1


@pytest.mark.parametrize(
    ("item", "column", "owner", "number"),
    [
        ("table3", "2.31 days", "LRF", "2475.90"),
        ("table3", "20 hours", "LEXP", "2471.02"),
        ("table4", "20 hours", "SQF", "431.64"),
        ("table5", "2.31 days", "SPF", "573.80"),
        ("table5", "20 hours", "SAF", "638.55"),
        ("table6", "2.31 days", "LPF", "370.98"),
        ("table6", "20 hours", "LQF", "341.83"),
    ],
)
def test_numbers_have_their_owners(item, column, owner, number):
    """And no number is lost."""
    table = columns.move_to_owners(published(item), columns.read_owners(OWNERS, item))
    assert table.at[owner, column] == number
    assert sorted(table[column]) == sorted(published(item)[column])


def test_columns_without_a_threshold_have_the_right_owners():
    """So does table 4 under the longer one."""
    named = {item: set(columns.read_owners(OWNERS, item)["column"]) for item in BY_THRESHOLD}
    assert named == {
        "table3": {"2.31 days", "20 hours"},
        "table4": {"20 hours"},
        "table5": {"2.31 days", "20 hours"},
        "table6": {"2.31 days", "20 hours"},
    }


@pytest.mark.parametrize("item", TABLES)
def test_every_reason_is_for_a_number_that_is_printed(item):
    printed = published(item)
    for entry in comparison.read_reasons(REASONS, item).itertuples():
        assert entry.row in ("*", *printed.index)
        assert entry.column in ("*", *printed.columns)
        assert entry.dialect == "*"
        assert entry.reason


@pytest.mark.parametrize("item", BY_THRESHOLD)
def test_the_sheet_has_the_papers_policies_and_thresholds(item):
    (row,) = (row for row in rows_of("legrand2018").values() if row.thresholds_item == item)
    assert {policy_label(name) for name in row.policies} == set(published(item).index)
    assert [threshold_label(value) for value in row.thresholds] == list(published(item))
