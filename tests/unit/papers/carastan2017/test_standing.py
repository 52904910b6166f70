"""Learned policies in the rows of Table 4: their ranks, and the sentence from them."""

import numpy as np
import pandas as pd
import pytest

from schedlab.papers.carastan2017.names import LEARNED_COLUMNS, POLICY_COLUMNS
from schedlab.papers.carastan2017.tables import experiments as tables_experiments
from schedlab.papers.carastan2017.tables.standing import (
    mixture,
    over_rows,
    own,
    sentence,
    shown,
    standing,
)
from schedlab.report.verdicts import NOT_AT_HAND
from table4_case import experiments

COLUMNS = [*POLICY_COLUMNS.values(), *LEARNED_COLUMNS]
# FCFS to F1, then L4 to L1; the best of F1-F4 is 10.
ADHOC_AND_F = [80.0, 70.0, 60.0, 50.0, 40.0, 30.0, 20.0, 10.0]


@pytest.fixture
def sheet():
    return tables_experiments.sheet_frame(experiments())


def values(sheet, *best):
    """Return medians of every row of the sheet, whose best learned policy is as given."""
    rows = [[*ADHOC_AND_F, 45.0, 55.0, 65.0, one] for one in best]
    return pd.DataFrame(rows, index=sheet.index, columns=COLUMNS)


def test_ranks_count_from_the_lowest_median(sheet):
    table = standing(sheet, values(sheet, 5, 5, 5, 5))
    assert table.loc[0, ["L1", "F1", "F2", "L4", "FCFS"]].tolist() == [1, 2, 3, 6, 12]
    assert table["ratio"].tolist() == [0.5] * 4


def test_equal_medians_share_the_better_rank(sheet):
    table = standing(sheet, values(sheet, 10, 10, 10, 10))
    assert table.loc[0, ["L1", "F1", "F2"]].tolist() == [1, 1, 3]


def test_a_row_that_was_not_run_has_no_rank_and_says_so(sheet):
    table = standing(sheet, values(sheet, 5, np.nan, 20, 20))
    assert table.loc[1, COLUMNS].isna().all()
    assert (shown(table).loc[1, [*COLUMNS, "ratio"]] == NOT_AT_HAND).all()
    assert over_rows(table)["rows"].tolist() == [1, 1, 2, 2]


def test_medians_are_over_rows_by_dialect_and_regime(sheet):
    summary = over_rows(standing(sheet, values(sheet, 5, 10, 20, 40)))
    assert summary["regime"].tolist() == ["actual run times", "all regimes"] * 2
    assert summary["ratio"].tolist() == [0.75, 0.75, 3, 3]
    assert summary["better"].tolist() == [1, 1, 0, 0]


def test_shown_ranks_are_whole_and_medians_stand_below(sheet):
    table = shown(standing(sheet, values(sheet, 5, 5, 20, 20)))
    assert table["L1"].tolist() == [1, 1, 2, 2, 1, 1, 2, 2]
    assert isinstance(table["L1"][0], int)
    assert table["experiment"].tolist()[4:] == [
        "median over 2 rows; L lower in 2",
        "median over 2 rows; L lower in 2",
        "median over 2 rows; L lower in 0",
        "median over 2 rows; L lower in 0",
    ]


def test_the_sentence_says_beat_where_they_do_and_do_not_beat_where_they_do_not(sheet):
    rows = pd.concat([sheet] * 5, ignore_index=True)
    said = sentence(standing(rows, values(rows, *[5, 5, 20, 40] * 5)))
    artefact, full = said.split("; in the full")
    assert artefact.startswith("In the artefact dialect L1–L4 beat F1–F4: ")
    assert "in 10 of 10 rows (higher in 0; sign test: p = 0.002)" in artefact
    assert "0.50 with actual run times" in artefact
    assert full.startswith(" dialect L1–L4 do not beat F1–F4: ")
    assert "in 0 of 10 rows (higher in 10" in full
    assert "3.00 times" in full


@pytest.mark.parametrize("artefact", [(5, 10.1), (5, 5), (10, 10)])
def test_what_may_be_chance_is_not_enough(sheet, artefact):
    said = sentence(standing(sheet, values(sheet, *artefact, 5, 10)))
    assert said.count("do not beat") == 2
    assert "p = 1)" in said


def test_the_sentence_tells_stand_ins(sheet):
    said = sentence(standing(sheet, values(sheet, 5, 5, 5, 5)), stand_ins=True)
    assert said.startswith("On model stand-ins, in the artefact dialect")


def test_without_rows_nothing_is_said_of_them(sheet):
    table = standing(sheet, values(sheet, *[np.nan] * 4))
    assert sentence(table).startswith("No row was run")
    assert (shown(table)["ratio"] == NOT_AT_HAND).all()


def test_policies_of_ones_own_are_ranked_and_told_as_such(sheet):
    mine = own(["mine"])
    numbers = values(sheet, 5, 5, 20, 20).rename(columns={"L1": "mine"})
    numbers = numbers[[*POLICY_COLUMNS.values(), "mine"]]
    table = standing(sheet, numbers, mine)
    assert table["mine"].tolist() == [1, 1, 2, 2]
    assert table["best_own"].tolist() == [5, 5, 20, 20]
    assert "own lower in 2" in shown(table, mine)["experiment"].iloc[4]
    assert "policies of one's own (mine) do not beat F1–F4" in sentence(table, further=mine)


def test_rows_on_stand_ins_are_counted_where_others_ran_on_the_papers_data():
    assert mixture([True, False, True]) == "2 of these 3 rows ran on model stand-ins."
    assert mixture([True, True]) == mixture([False, False]) == ""
