"""Learned policies in the rows of Table 4: their ranks, and the sentence from them."""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
import yaml

from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.names import LEARNED_COLUMNS, POLICY_COLUMNS
from schedlab.studies.carastan2017.tables import experiments as tables_experiments
from schedlab.studies.carastan2017.tables.standing import (
    BEAT,
    DO_NOT_BEAT,
    UNDECIDED,
    _regime,
    by_workload,
    mixture,
    over_rows,
    own,
    sentence,
    shown,
    sign_test,
    standing,
    workload_of,
)
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


def test_row_that_was_not_run_has_no_rank_and_is_marked(sheet):
    table = standing(sheet, values(sheet, 5, np.nan, 20, 20))
    assert table.loc[1, COLUMNS].isna().all()
    assert (shown(table).loc[1, [*COLUMNS, "ratio"]] == NOT_AVAILABLE).all()
    assert over_rows(table)["rows"].tolist() == [1, 1, 2, 2]


def test_a_row_has_its_ranks_the_two_best_medians_and_their_ratio(sheet):
    """The best of F1-F4 is 10 in every row, the best of L1-L4 as given."""
    table = standing(sheet, values(sheet, 5, 40, 20, 10))
    assert list(table) == [
        *("experiment", "dialect", "regime", *COLUMNS, "best_F", "best_L", "ratio")
    ]
    rows = table.to_numpy().tolist()
    # FCFS 80 ... F4 40, F3 30, F2 20, F1 10, then L4 45, L3 55, L2 65 and L1.
    assert rows[0][1:] == [
        *("artefact", "actual run times", 12, 11, 9, 7, 5, 4, 3, 2, 6, 8, 10, 1, 10, 5, 0.5)
    ]
    assert rows[1][3:] == [12, 11, 9, 7, 4, 3, 2, 1, 6, 8, 10, 4, 10, 40, 4]
    assert rows[2][1:3] == ["full", "actual run times"]
    assert rows[3][3:] == [12, 11, 9, 7, 5, 4, 3, 1, 6, 8, 10, 1, 10, 10, 1]


def regimes_of(sheet, *rows):
    """Return a sheet and medians of rows of one dialect: regime, best learned median."""
    one = sheet.iloc[0]
    pairs = {"actual": ("actual", "none"), "estimate": ("estimate", "none")}
    pairs["backfilling"] = ("estimate", "easy")
    frame = pd.DataFrame(
        [
            {**one, "label": f"Log {place}, {regime}", "decisions": pairs[regime][0]}
            | {"backfill": pairs[regime][1]}
            for place, (regime, _) in enumerate(rows)
        ]
    )
    return frame, values(frame, *[best for _, best in rows])


def test_medians_are_by_regime_and_overall_and_ties_count_for_neither(sheet):
    """Ratios 0.5, 1 and 9 with actual run times, 1 and 2 with estimates, 0.9 with backfilling."""
    rows = regimes_of(
        sheet,
        *(("actual", 5), ("actual", 10), ("estimate", 10), ("actual", 90)),
        *(("backfilling", 9), ("estimate", 20)),
    )
    summary = over_rows(standing(*rows))
    assert list(summary) == [
        *("experiment", "dialect", "regime", *COLUMNS, "ratio", "rows", "better", "worse")
    ]
    shown_columns = ["regime", "ratio", "rows", "better", "worse"]
    assert summary[shown_columns].to_numpy().tolist() == [
        ["actual run times", 1, 3, 1, 1],
        ["user estimates", 1.5, 2, 0, 1],
        ["backfilling", 0.9, 1, 1, 0],
        ["all regimes", 1, 6, 2, 2],
    ]
    assert summary["experiment"].iloc[0] == "median over 3 rows; L lower in 1"
    # L1 is the first, shares the first rank and is the last of twelve; F1 second, first, first.
    assert summary["L1"].tolist()[0] == 1
    assert summary["F1"].tolist()[0] == 1


def test_dialects_regimes_and_workloads_are_in_the_order_of_the_rows(sheet):
    """The last of the alphabet first."""
    table = standing(sheet, values(sheet, 5, 5, 20, 20)).iloc[::-1]
    labels = ["Z log, r", "Y log, r", "B log, r", "A log, r"]
    table = table.assign(experiment=labels, regime=["user estimates", "actual run times"] * 2)
    assert by_workload(table)["workload"].tolist() == ["Z log", "Y log", "B log", "A log"]
    assert over_rows(table)[["dialect", "regime"]].to_numpy().tolist() == [
        ["full", "user estimates"],
        ["full", "actual run times"],
        ["full", "all regimes"],
        ["artefact", "user estimates"],
        ["artefact", "actual run times"],
        ["artefact", "all regimes"],
    ]
    said = sentence(table)
    assert said.startswith("With the whole queue")
    first, second = said.split(". With the window of 32 tasks")
    assert "2 workloads (Z log; Y log)" in first
    assert "2 workloads (B log; A log)" in second


def test_shown_table_has_integer_ranks_and_no_medians_of_medians(sheet):
    table = shown(standing(sheet, values(sheet, 5, np.nan, 20, 40)))
    assert list(table) == [
        *("experiment", "dialect", "regime", *COLUMNS, "best_F", "best_L", "ratio")
    ]
    assert table.index.tolist() == list(range(8))
    assert table["ratio"].tolist() == [0.5, NOT_AVAILABLE, 2, 4, 0.5, 0.5, 3, 3]
    assert table["best_L"].tolist()[:4] == [5, NOT_AVAILABLE, 20, 40]
    assert table["best_F"].tolist()[:4] == [10, NOT_AVAILABLE, 10, 10]
    assert table["F1"].tolist() == [2, NOT_AVAILABLE, 1, 1, 2, 2, 1, 1]
    assert isinstance(table["F1"][0], int)
    assert table["experiment"].tolist()[-2:] == ["median over 2 rows; L lower in 0"] * 2
    assert table[["best_F", "best_L"]].iloc[4:].isna().all(axis=None)


def on_workloads(sheet, count):
    """Return the sheet of so many workloads, each in two regimes and both dialects."""
    rows = []
    for dialect, given in sheet.groupby("dialect", sort=False):
        row = given.iloc[0]
        for place in range(count):
            for words, decisions in (("r", "actual"), ("e", "estimate")):
                label = f"Model {place}, nmax = 2, {words}"
                rows.append({**row, "label": label, "decisions": decisions, "dialect": dialect})
    return pd.DataFrame(rows)


def standing_of(sheet, *ratios):
    """Return the table of workloads with the given ratios, in both dialects and regimes."""
    rows = on_workloads(sheet, len(ratios))
    return standing(rows, values(rows, *[10 * ratio for ratio in ratios for _ in range(2)] * 2))


def test_rows_of_a_workload_count_once(sheet):
    table = standing_of(sheet, 0.5, 2.0)
    table.loc[0, "ratio"] = 4.0  # of two rows, the other of 0.5
    found = by_workload(pd.concat([table, table.iloc[:1]]))  # the median is no mean
    assert found["workload"].tolist() == ["Model 0, nmax = 2", "Model 1, nmax = 2"] * 2
    assert found["ratio"].tolist() == [4, 2, 0.5, 2]
    assert workload_of("mine") == "mine"
    assert by_workload(table.assign(ratio=np.nan)).empty


@pytest.mark.parametrize(
    ("ratios", "said", "chance"),
    [
        # all on one side: six workloads have p = 2 / 64, five 2 / 32
        ([0.9] * 6, BEAT, 0.03125),
        ([0.9] * 5, UNDECIDED, 0.0625),
        ([1.1] * 6, DO_NOT_BEAT, 0.03125),
        ([1.1] * 5, UNDECIDED, 0.0625),
        # eight of nine, 2 * 10 / 512, and seven of nine
        ([0.9] * 8 + [1.1], BEAT, 20 / 512),
        ([0.9] * 7 + [1.1] * 2, UNDECIDED, 92 / 512),
        ([1.1] * 8 + [0.9], DO_NOT_BEAT, 20 / 512),
        ([1.1] * 7 + [0.9] * 2, UNDECIDED, 92 / 512),
        # the nearest to one in twenty: 13 of 17, and 22 of 32
        ([0.9] * 13 + [1.1] * 4, BEAT, 0.049042),
        ([0.9] * 22 + [1.1] * 10, UNDECIDED, 0.050102),
        ([1.1] * 13 + [0.9] * 4, DO_NOT_BEAT, 0.049042),
        ([1.1] * 22 + [0.9] * 10, UNDECIDED, 0.050102),
        # one workload far off moves the mean to the other side, and decides nothing
        ([0.9] * 8 + [9.0], BEAT, 20 / 512),
        ([1.1] * 8 + [0.01], DO_NOT_BEAT, 20 / 512),
        # equal workloads say nothing of the side, and where most are equal no policy beats another
        ([0.9] * 6 + [1.0] * 5, BEAT, 0.03125),
        ([0.9] * 6 + [1.0] * 7, UNDECIDED, 0.03125),
        ([1.1] * 6 + [1.0] * 5, DO_NOT_BEAT, 0.03125),
        ([1.1] * 6 + [1.0] * 7, UNDECIDED, 0.03125),
        ([1.0] * 9, UNDECIDED, 1.0),
    ],
)
def test_sign_test_gives_beat_do_not_beat_or_undecided(ratios, said, chance):
    assert sign_test(ratios) == (said, pytest.approx(chance, abs=1e-6))


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (0.5, "With the window of 32 tasks L1–L4 beat F1–F4. "),
        (3.0, "With the window of 32 tasks L1–L4 do not beat F1–F4. "),
        (1.0, "With the window of 32 tasks it is undecided whether L1–L4 beat F1–F4. "),
    ],
)
def test_sentence_states_the_outcome_of_the_sign_test(sheet, ratio, words):
    said = sentence(standing_of(sheet, *[ratio] * 6))
    assert said.startswith(words)
    assert f"the median ratio to the best of F1–F4 is {ratio:.2f} " in said
    assert f"({ratio:.2f} with actual run times, {ratio:.2f} with user estimates)" in said
    assert ". With the whole queue" in said
    assert "too few" not in said


def test_sentence_names_the_workloads_and_that_five_cannot_decide(sheet):
    said = sentence(standing_of(sheet, 0.5, 0.8, 1.0, 1.5, 2.0)).split(". With the whole")[0]
    names = "; ".join(f"Model {place}, nmax = 2" for place in range(5))
    assert said == (
        "With the window of 32 tasks it is undecided whether L1–L4 beat F1–F4. The best policy of "
        "each group, chosen in hindsight, is compared. The best of L1–L4 has the lower median in 4 "
        "of 10 rows (higher in 4). Over the rows, the median ratio to the best of F1–F4 is 1.00 "
        f"(1.00 with actual run times, 1.00 with user estimates). The rows cover 5 workloads "
        f"({names}); rows of one workload are not independent. By workload, the median ratio is "
        "below 1 in 2 of 5 (sign test: p = 1; too few workloads to decide, even full agreement has "
        "p = 0.062)"
    )


def test_sentence_states_that_rows_ran_on_stand_ins(sheet):
    said = sentence(standing(sheet, values(sheet, 5, 5, 5, 5)), stand_ins=True)
    assert said.startswith("On model stand-ins, with the window of 32 tasks")


def test_sentence_without_rows_states_that_no_row_was_run(sheet):
    table = standing(sheet, values(sheet, *[np.nan] * 4))
    assert sentence(table).startswith("No row ran")
    assert (shown(table)["ratio"] == NOT_AVAILABLE).all()


def test_user_policies_are_ranked_and_named_as_user_defined(sheet):
    mine = own(["mine"])
    numbers = values(sheet, 5, 5, 20, 20).rename(columns={"L1": "mine"})
    numbers = numbers[[*POLICY_COLUMNS.values(), "mine"]]
    table = standing(sheet, numbers, mine)
    assert table["mine"].tolist() == [1, 1, 2, 2]
    assert table["best_own"].tolist() == [5, 5, 20, 20]
    assert "own lower in 2" in shown(table, mine)["experiment"].iloc[4]
    words = "it is undecided whether user-defined policies (mine) beat F1–F4"
    assert words in sentence(table, further=mine)


def test_rows_on_stand_ins_are_counted_in_mixed_tables():
    assert mixture([True, False, True]) == "2 of these 3 rows ran on model stand-ins."
    assert mixture([True, True]) == mixture([False, False]) == ""


def test_every_regime_that_a_sheet_may_have_is_named(root):
    """Decisions by two kinds of times, backfilling of five kinds."""
    schema = yaml.safe_load((root / "workflow/schemas/carastan2017.schema.yaml").read_text())
    cells, kinds = schema["properties"], ("none", "fit", "easy", "3", "conservative")
    assert all(re.fullmatch(cells["backfill"]["pattern"], kind) for kind in kinds)
    names = {_regime(*pair) for pair in product(cells["decisions"]["enum"], kinds)}
    assert len(names) == 10
    assert {"first fit by actual run times", "backfilling with 3 reservations"} < names
