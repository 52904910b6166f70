"""The published numbers of carastan2017 and the reasons beside them."""

from decimal import Decimal
from pathlib import Path

import pytest

from schedlab.papers.carastan2017.names import POLICY_COLUMNS
from schedlab.papers.carastan2017.sheet import read
from schedlab.report import comparison

ROOT = Path(__file__).parents[4]
PUBLISHED = ROOT / "resources/carastan2017/published.tsv"
REASONS = ROOT / "resources/carastan2017/reasons.tsv"


@pytest.fixture(scope="module")
def table4():
    return comparison.read_published(PUBLISHED, "table4")


def test_table4_has_eighteen_rows_of_eight_policies(table4):
    assert table4.shape == (18, 8)
    assert list(table4.columns) == list(POLICY_COLUMNS.values())


def test_every_number_of_table4_keeps_its_two_printed_digits(table4):
    assert {Decimal(number).as_tuple().exponent for number in table4.to_numpy().ravel()} == {-2}


@pytest.mark.parametrize(
    ("row", "policy", "number"),
    [
        ("Workload model, nmax = 256, actual runtimes r", "FCFS", "5846.87"),
        ("Workload model, nmax = 1024, aggressive backfilling", "F1", "223.52"),
        ("Anl Interpid workload trace, actual runtimes r", "F3", "1.71"),
        ("CTC SP2 workload trace, aggressive backfilling", "SPT", "17.32"),
    ],
)
def test_numbers_stand_where_the_paper_prints_them(table4, row, policy, number):
    assert table4.at[row, policy] == number


@pytest.mark.parametrize("item", ["table4", "table4_full"])
def test_the_sheet_has_the_papers_rows_in_the_papers_order(table4, item):
    rows = read(
        ROOT / "config/experiments/carastan2017.tsv",
        ROOT / "workflow/schemas/carastan2017.schema.yaml",
    )
    assert [row.label for row in rows if row.item == item] == list(table4.index)


def test_table5_has_four_logs_and_five_facts():
    assert comparison.read_published(PUBLISHED, "table5").shape == (4, 5)


@pytest.mark.parametrize("item", ["table4", "table5"])
def test_every_reason_is_for_a_number_that_is_printed(item):
    printed = comparison.read_published(PUBLISHED, item)
    for entry in comparison.read_reasons(REASONS, item).itertuples():
        assert entry.row in ("*", *printed.index)
        assert entry.column in ("*", *printed.columns)
        assert entry.dialect in ("*", "artefact", "full")
        assert entry.reason
