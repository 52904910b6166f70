"""Published columns beside ours, with numbers that stand in each other's rows."""

import pandas as pd
import pytest

from schedlab.report import columns
from schedlab.report.comparison import REASON_COLUMNS, UNEXPLAINED
from schedlab.report.verdicts import DIFFERS, MATCH, NOT_AT_HAND, ORDERING_HOLDS

ROWS = ["SAF", "SEXP", "FCFS"]
PRINTED = pd.DataFrame({"none": ["10.00", "20.00", "30.00"], "tight": ["11.00", "30.00", "31.00"]})
PRINTED.index = ROWS
SUSPECTS = pd.DataFrame(
    [("table3", "tight", "FCFS", "SEXP", "cannot be")], columns=columns.SUSPECT_COLUMNS
)
REASONS = pd.DataFrame([("table3", "*", "SAF", "none", "50.00", "known")], columns=REASON_COLUMNS)


def ours(none=(10.0, 20.0, 30.0), tight=(11.0, 31.0, 30.0), ran_on="SITE"):
    frame = pd.DataFrame({"trace": "SITE", "ran_on": ran_on, "policy": ROWS})
    return frame.assign(none=none, tight=tight).set_index("policy", drop=False)


def compared(table, ordered=True):
    missing = columns.why_missing(table, PRINTED)
    rows = columns.compare_columns(PRINTED, SUSPECTS, table, missing, REASONS, ordered)
    return rows.set_index(["row", "column"])


def test_equal_numbers_match():
    assert set(compared(ours()).xs("none", level="column")["verdict"]) == {MATCH}


def test_suspect_numbers_are_compared_both_ways():
    rows = compared(ours()).xs("tight", level="column")
    assert rows["verdict"].tolist() == [MATCH, DIFFERS, DIFFERS]
    assert rows["exchanged"].tolist() == ["", "31.00", "30.00"]
    assert rows["verdict_exchanged"].tolist() == [MATCH] * 3


def test_a_column_without_suspects_is_compared_one_way():
    assert set(compared(ours()).xs("none", level="column")["verdict_exchanged"]) == {""}


def test_the_order_is_that_of_the_column():
    rows = compared(ours(none=(9.0, 21.0, 99.0)))
    assert set(rows.xs("none", level="column")["verdict"]) == {ORDERING_HOLDS}
    rows = compared(ours(none=(50.0, 21.0, 99.0)))
    assert set(rows.xs("none", level="column")["verdict"]) == {DIFFERS}


def test_a_difference_has_its_reason_or_is_unexplained():
    rows = compared(ours(none=(50.0, 21.0, 99.0)))
    assert rows.loc[("SAF", "none"), "reason"] == "known"
    assert rows.loc[("FCFS", "none"), "reason"] == UNEXPLAINED


def test_facts_have_no_order_to_hold():
    table = ours(none=(9.0, 21.0, 99.0))
    rows = compared(table, ordered=False)
    assert set(rows.xs("none", level="column")["verdict"]) == {DIFFERS}
    assert rows["kendall"].isna().all()


def test_an_order_is_held_by_all_rows_or_by_none():
    """Two of three that stand as printed say nothing of the third."""
    table = ours(none=(9.0, 21.0, 99.0)).drop("FCFS")
    rows = compared(table).xs("none", level="column")
    assert rows["verdict"].tolist() == [DIFFERS, DIFFERS, NOT_AT_HAND]
    assert rows["kendall"].isna().all()


def test_kendalls_tau_stands_beside_the_numbers_of_a_column():
    rows = compared(ours(none=(50.0, 21.0, 99.0)))
    assert rows.xs("none", level="column")["kendall"].tolist() == pytest.approx(
        [1 / 3] * 3, abs=1e-4
    )


def test_numbers_that_were_not_run_are_no_numbers_at_all():
    rows = compared(ours(none=[NOT_AT_HAND] * 3))
    assert rows["ratio"].isna().all()


def test_a_stand_in_is_never_held_against_the_printed_number():
    rows = compared(ours(ran_on="lublin_site"))
    assert set(rows["verdict"]) == {NOT_AT_HAND}
    assert set(rows["reason"]) == {"ran on the model lublin_site, not on SITE"}
    assert rows.loc[("SAF", "none"), "ours"] == 10


@pytest.mark.parametrize("table", [ours().iloc[:0], ours(none=[NOT_AT_HAND] * 3)])
def test_what_was_not_run_says_so(table):
    rows = compared(table)
    assert set(rows["verdict"]) == {NOT_AT_HAND}
    assert set(rows["reason"]) == {"nothing to run"}


def test_ranks_are_correlated_as_printed_and_exchanged():
    table = ours()
    ranks = columns.rank_columns(PRINTED, SUSPECTS, table, {})
    assert ranks["column"].tolist() == ["none", "tight", "tight"]
    assert ranks["printed"].tolist() == ["as printed", "as printed", "exchanged"]
    assert ranks["kendall"].tolist() == pytest.approx([1, 1 / 3, 1], abs=1e-4)
    assert ranks["our_order"].tolist() == ["SAF SEXP FCFS", "SAF FCFS SEXP", "SAF FCFS SEXP"]


def test_nothing_is_ranked_that_was_not_run():
    missing = columns.why_missing(ours().iloc[:0], PRINTED)
    ranks = columns.rank_columns(PRINTED, SUSPECTS, ours().iloc[:0], missing)
    assert set(ranks["our_order"]) == {NOT_AT_HAND}
    assert ranks["kendall"].isna().all()
