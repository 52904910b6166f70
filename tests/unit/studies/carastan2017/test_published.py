"""The published numbers of carastan2017 and the reasons for differences."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba

from schedlab.report import comparison
from schedlab.report.figures.style import COLORS, numbers_of
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.figures.boxplots import boxes_of, draw_boxplots
from schedlab.studies.carastan2017.names import POLICY_COLUMNS
from schedlab.studies.carastan2017.published import add_published, compare_table4, rank_table4
from schedlab.studies.carastan2017.tables.table4 import sheet_frame
from sheet_case import rows_of
from table4_case import (
    LOG_ROW,
    MODEL_ROW,
    PRINTED,
    experiments,
    printed_values,
    published,
    sequences,
)

ROOT = Path(__file__).parents[4]
PUBLISHED = ROOT / "resources/carastan2017/published.tsv"
REASONS = ROOT / "resources/carastan2017/reasons.tsv"


@pytest.fixture(scope="module")
def table4():
    return comparison.read_published(PUBLISHED, "table4")


def test_every_number_of_table4_keeps_its_two_printed_digits(table4):
    assert {Decimal(number).as_tuple().exponent for number in table4.to_numpy().ravel()} == {-2}


@pytest.mark.parametrize(
    ("row", "policy", "number"),
    [
        ("Workload model, nmax = 256, actual runtimes r", "FCFS", "5846.87"),
        ("Workload model, nmax = 1024, aggressive backfilling", "F1", "223.52"),
        ("ANL-Intrepid workload trace, actual runtimes r", "F3", "1.71"),
        ("CTC SP2 workload trace, aggressive backfilling", "SPT", "17.32"),
    ],
)
def test_published_numbers_are_in_the_papers_cells(table4, row, policy, number):
    assert table4.at[row, policy] == number


@pytest.mark.parametrize("item", ["table4", "table4_full"])
def test_the_sheet_has_the_papers_rows_in_the_papers_order(table4, item):
    rows = rows_of("carastan2017").values()
    assert [row.label for row in rows if row.item == item] == list(table4.index)


@pytest.mark.parametrize("item", ["table4", "table5"])
def test_every_reason_is_for_a_number_that_is_printed(item):
    printed = comparison.read_published(PUBLISHED, item)
    for entry in comparison.read_reasons(REASONS, item).itertuples():
        assert entry.row in ("*", *printed.index)
        assert entry.column in ("*", *printed.columns)
        assert entry.dialect in ("*", "artefact", "full")
        assert entry.reason


NO_REASONS = pd.DataFrame(columns=comparison.REASON_COLUMNS)


def medians(*rows, source="logs"):
    """Return the sheet of the small Table 4 and the computed medians of its rows."""
    sheet = sheet_frame(experiments(), source)
    return sheet, pd.DataFrame(rows, index=sheet.index, columns=list(POLICY_COLUMNS.values()))


MODEL, LOG = (np.array(PRINTED[row], dtype=float) for row in (MODEL_ROW, LOG_ROW))


def test_every_number_has_a_row_with_ratio_kendall_verdict_and_reason():
    """One of 28 pairs of the second row is turned: F2's 5.32 is 12, above F1's 10.27."""
    changed = np.where(LOG == 5.32, 12.0, LOG)
    table = compare_table4(published(), *medians(MODEL, changed, 2 * MODEL, LOG), NO_REASONS)
    assert list(table) == [
        *(
            "experiment",
            "dialect",
            "policy",
            "published",
            "computed",
            "ratio",
            "kendall",
            "verdict",
        ),
        "reason",
    ]
    rows = table.to_numpy().tolist()
    assert len(rows) == 4 * 8
    assert rows[0] == [MODEL_ROW, "artefact", "FCFS", "5846.87", 5846.87, 1, 1, "match", ""]
    assert [row[2] for row in rows[:8]] == list(POLICY_COLUMNS.values())
    turned = round(26 / 28, 4)
    assert rows[14] == [
        *(LOG_ROW, "artefact", "F2", "5.32", 12, 2.2556, turned, "differs", "unexplained")
    ]
    assert rows[15] == [LOG_ROW, "artefact", "F1", "10.27", 10.27, 1, turned, "match", ""]
    assert rows[16][1:] == [
        *("full", "FCFS", "5846.87", 11693.74, 2, 1, "same ranking", "unexplained")
    ]


@pytest.mark.parametrize("gaps", [[0], [7], range(8)])
def test_row_that_lacks_a_number_is_not_compared(gaps):
    lacking = LOG.copy()
    lacking[list(gaps)] = np.nan
    given = medians(MODEL, lacking, MODEL, LOG)
    table = compare_table4(published(), *given, NO_REASONS).iloc[8:16]
    assert set(table["verdict"]) == {NOT_AVAILABLE}
    assert set(table["reason"]) == {"CTC-SP2: no sequences to run"}
    assert table[["ratio", "kendall"]].isna().all(axis=None)
    ranks = rank_table4(published(), *given)
    assert ranks["our_order"].tolist()[1] == NOT_AVAILABLE
    assert ranks[["kendall", "spearman"]].isna().all(axis=1).tolist() == [False, True, False, False]


def test_comparison_on_a_model_names_the_model_and_the_log_it_replaces():
    table = compare_table4(
        published(), *medians(MODEL, LOG, MODEL, LOG, source="models"), NO_REASONS
    )
    assert set(table["reason"].iloc[8:16]) == {"ran on the model lublin_quick_ctc, not on CTC-SP2"}
    assert table["computed"].iloc[8:16].tolist() == LOG.tolist()


def test_ranks_have_both_correlations_and_both_orders_best_first():
    """FCFS as fast as WFP: of 28 pairs 27 agree and one is a tie, tau-b = 27 / sqrt(28 27).

    Ranks 8 and 7 are 7.5 each: squares about the mean of 42 and 41.5, products of 41.5.
    """
    tied = np.where(LOG == 439.72, 309.72, LOG)
    ranks = rank_table4(published(), *medians(MODEL, tied, MODEL[::-1], LOG))
    assert ranks.to_numpy().tolist()[0] == [
        *(MODEL_ROW, "artefact", 1, 1, "F1 F2 F3 F4 SPT UNI WFP FCFS"),
        "F1 F2 F3 F4 SPT UNI WFP FCFS",
    ]
    row = ranks.iloc[1]
    assert row["published_order"] == "F2 F1 F3 F4 UNI SPT WFP FCFS"
    assert row["our_order"] == "F2 F1 F3 F4 UNI SPT FCFS WFP"
    assert row["kendall"] == round(27 / np.sqrt(28 * 27), 4)
    assert row["spearman"] == round(41.5 / np.sqrt(42 * 41.5), 4)
    assert ranks.iloc[2].tolist()[2:] == [
        *(-1, -1, "F1 F2 F3 F4 SPT UNI WFP FCFS", "FCFS WFP UNI SPT F4 F3 F2 F1")
    ]


def marked_boxes(source, drawn=False):
    """Boxes of both rows in both dialects with their published medians."""
    sheet = sheet_frame(experiments(drawn), source)
    table = boxes_of(sheet, sequences(printed_values()))
    return add_published(table, sheet, published())


def test_boxes_have_the_published_median_of_their_row_in_both_dialects():
    table = marked_boxes("logs")
    for dialect in ("artefact", "full"):
        for row, number in zip(("model", "ctc"), (MODEL_ROW, LOG_ROW), strict=True):
            rows = table[table["experiment"] == f"{row}_{dialect}"]
            assert rows["published"].tolist() == [float(each) for each in PRINTED[number]]


def test_box_of_a_stand_in_has_no_published_median():
    """The model row draws the paper's jobs; the log row runs on a model."""
    table = marked_boxes("models", drawn=True).set_index("experiment")["published"]
    assert table.loc[["model_artefact", "model_full"]].notna().all()
    assert table.loc[["ctc_artefact", "ctc_full"]].isna().all()
    assert marked_boxes("models")["published"].isna().all()


def test_boxes_of_other_rows_and_policies_have_no_published_median():
    sheet = sheet_frame(experiments())
    table = boxes_of(sheet, sequences(printed_values()))
    table.loc[0, "policy"] = "mine"
    sheet.loc["model_full", "row"] = "a row of yours"
    shown = add_published(table, sheet, published())
    assert np.isnan(shown.loc[0, "published"])
    assert shown.loc[shown["experiment"] == "model_full", "published"].isna().all()
    assert shown["published"].notna().sum() == 3 * 8 - 1


@pytest.mark.parametrize(("source", "count"), [("logs", 2), ("models", 0)])
def test_published_medians_have_a_tick_each_and_one_entry_in_the_legend(source, count):
    figure = draw_boxplots(marked_boxes(source))
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels.count("published") == min(count, 1)
    names = {name for name, *_ in numbers_of(figure)}
    expected = {
        f"table4 | {row} | {policy}" for row in PRINTED for policy in POLICY_COLUMNS.values()
    }
    assert names == (expected if count else set())
    black = to_rgba(COLORS["published"])
    ticks = [lines.get_segments() for lines in figure.axes[1].collections
             if isinstance(lines, LineCollection)
             and tuple(lines.get_edgecolor()[0]) == black]  # fmt: skip
    heights = [segment[0, 1] for segments in ticks for segment in segments]
    assert heights == ([float(each) for each in PRINTED[MODEL_ROW]] if count else [])
