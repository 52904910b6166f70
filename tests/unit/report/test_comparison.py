"""Verdicts, reasons and rank correlation."""

import pandas as pd
import pytest

from schedlab.report import comparison
from schedlab.report.comparison import UNEXPLAINED
from schedlab.report.verdicts import DIFFERS, MATCH, NOT_AVAILABLE, SAME_RANKING
from schedlab.studies.carastan2017 import published as carastan2017_published
from schedlab.studies.carastan2017.tables import table4 as tables_experiments
from schedlab.studies.carastan2017.tables.table5 import compare_table5
from table4_case import LOG_ROW, MODEL_ROW, experiments, printed_values, published, sequences

REASONS = pd.DataFrame(
    [
        ("table4", "artefact", LOG_ROW, "SPT", "1.50", "this one"),
        ("table4", "full", "*", "*", "within 20%", "whole queue"),
    ],
    columns=comparison.REASON_COLUMNS,
)


def compare_medians(values, source="logs", drawn=False):
    """Compare the small Table 4 with `values` as medians; indexed by experiment and policy."""
    sheet = tables_experiments.sheet_frame(experiments(drawn), source=source)
    medians = tables_experiments.medians(sheet, sequences(values))
    table = carastan2017_published.compare_table4(published(), sheet, medians, REASONS)
    return table.set_index(["experiment", "dialect", "policy"])


def test_different_number_in_another_order_differs_with_its_reason():
    values = printed_values()
    values["ctc_artefact"][3] = 1.5
    table = compare_medians(values)
    number = table.loc[(LOG_ROW, "artefact", "SPT")]
    assert (number["verdict"], number["reason"]) == (DIFFERS, "this one")
    # SPT is before the five that were better: 28 pairs, 5 of them turned.
    assert number["kendall"] == round(18 / 28, 4)
    assert table.loc[(LOG_ROW, "artefact", "F1"), "verdict"] == MATCH


@pytest.mark.parametrize(("value", "known"), [(1.504, True), (1.511, False), (1.494, False)])
def test_a_reason_is_of_one_value_and_of_no_other(value, known):
    values = printed_values()
    values["ctc_artefact"][3] = value
    said = compare_medians(values).loc[(LOG_ROW, "artefact", "SPT"), "reason"]
    assert (said == "this one") is known
    assert said.startswith(UNEXPLAINED) is not known


@pytest.mark.parametrize(
    ("printed", "computed", "explained"),
    [
        *(("100", 80.0, True), ("100", 79.9, False), ("100", 120.0, True), ("100", 120.1, False)),
        *(("-100", -80.0, True), ("-100", -79.9, False), ("-100", -120.1, False)),
    ],
)
def test_a_reason_within_a_fifth_is_of_a_fifth_of_the_printed_number(printed, computed, explained):
    reasons = pd.DataFrame(
        [("fig2", "*", "*", "*", "within 20%", "known")], columns=comparison.REASON_COLUMNS
    )
    said = comparison.reason_for(reasons, "", "SAF", "none", printed, computed)
    assert (said == "known") is explained


def test_the_first_reason_that_names_a_number_is_its_reason():
    """Also where it explains another value; those of other dialects, rows or columns are none."""
    rows = [
        ("t", "full", "SAF", "none", "5", "of another dialect"),
        ("t", "run", "FCFS", "none", "5", "of another row"),
        ("t", "run", "SAF", "tight", "5", "of another column"),
        ("t", "*", "SAF", "none", "5.0", "the first"),
        ("t", "run", "*", "*", "within 900%", "the second"),
    ]
    reasons = pd.DataFrame(rows, columns=comparison.REASON_COLUMNS)
    for computed, said in (
        (5.0, "the first"),
        (6.0, f"{UNEXPLAINED}: the reason that is known expl"),
    ):
        found = comparison.reason_for(reasons, "run", "SAF", "none", "3.0", computed)
        assert found.startswith(said)
    assert comparison.reason_for(reasons, "run", "SQF", "none", "3.0", 6.0) == "the second"
    assert comparison.reason_for(reasons.iloc[:4], "run", "SQF", "a", "3", 6.0) == UNEXPLAINED


def test_reasons_and_numbers_of_one_item_are_read_as_text(tmp_path):
    path = tmp_path / "reasons.tsv"
    head = "\t".join(comparison.REASON_COLUMNS)
    lines = ["t1\t*\ta\tb\t-1.50\tno", "t2\t*\tNA\t\t3\tof two", "t2\t*\t*\t\twithin 5%\tyes"]
    path.write_text("\n".join([head, *lines]))
    assert comparison.read_reasons(path, "t2").reset_index().to_numpy().tolist() == [
        [0, "t2", "*", "NA", "", "3", "of two"],
        [1, "t2", "*", "*", "", "within 5%", "yes"],
    ]
    path.write_text(
        "item\trow\tcolumn\tvalue\twhere\n"
        "t1\tz\tF1\t9\tpage 1\n"
        "t2\tz\tF2\t1.50\tpage 2\nt2\tz\tF1\tNA\tpage 2\n"
        "t2\ta\tF2\t3\tpage 2\nt2\ta\tF1\t4.0\tpage 2\n"
    )
    table = comparison.read_published(path, "t2")
    assert (list(table.index), list(table)) == (["z", "a"], ["F2", "F1"])
    assert table.to_numpy().tolist() == [["1.50", "NA"], ["3", "4.0"]]


@pytest.mark.parametrize(
    ("computed", "explained"),
    [
        (6833115.88, True),
        (6833444.11, True),
        (6839999.0, True),
        (6840001.0, False),
        (6825001.0, True),
        (6824999.0, False),
    ],
)
def test_reason_with_an_exponent_explains_numbers_with_its_digits(tmp_path, computed, explained):
    """F3's constant has three digits: the fifth depends on the processor's logarithm."""
    path = tmp_path / "reasons.tsv"
    head = "\t".join(comparison.REASON_COLUMNS)
    path.write_text(f"{head}\ntable3\t*\tF3\tK\t6.83e6\tall digits\n")
    reasons = comparison.read_reasons(path, "table3")
    found = comparison.reason_for(reasons, "", "F3", "K", "6.86e6", computed)
    assert (found == "all digits") == explained


def test_ratio_has_four_digits_and_order_keeps_ties_in_place():
    assert comparison.ratio_of("3", 2.0) == 0.6667
    row = pd.Series([2.0, 1.0, 2.0, 1.0], index=["a", "b", "c", "d"])
    assert comparison.order_of(row) == "b d a c"


def test_differences_without_a_reason_are_counted():
    table = pd.DataFrame(
        {
            "verdict": [MATCH, DIFFERS, DIFFERS, SAME_RANKING, SAME_RANKING, NOT_AVAILABLE],
            "reason": ["", "known", "unexplained: tried", "unexplained", "known", "unexplained"],
        }
    )
    assert comparison.unexplained(table).tolist() == [False, False, True, True, False, False]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ("*	F1	29.58", "line 3: explains must be 'within 20%', for several numbers"),
        ("a	F1	within 20%", "line 3: explains must be the computed number"),
        ("a	F1	", "line 3: explains must be the computed number"),
        ("a	*	within %", "line 3: explains must be 'within 20%'"),
    ],
)
def test_a_reason_that_explains_no_number_is_refused_with_its_line(tmp_path, cells, words):
    path = tmp_path / "reasons.tsv"
    head = "\t".join(comparison.REASON_COLUMNS)
    path.write_text(f"{head}\ntable4\t*\t*\t*\twithin 2.5%\tfine\ntable4\t*\t{cells}\tno\n")
    with pytest.raises(ValueError, match=words):
        comparison.read_reasons(path, "table5")


def test_missing_log_is_reported_and_the_other_rows_are_compared():
    values = printed_values()
    del values["ctc_artefact"]
    table = compare_medians(values)
    missing = table.loc[(LOG_ROW, "artefact", "F1")]
    assert missing["verdict"] == NOT_AVAILABLE
    assert "CTC-SP2" in missing["reason"]
    assert table.loc[(LOG_ROW, "full", "F1"), "verdict"] == MATCH


def test_model_that_generates_the_papers_jobs_is_compared_by_row():
    table = compare_medians(printed_values(), source="models", drawn=True)
    verdicts = table["verdict"].groupby(level="experiment").unique()
    assert verdicts.map(list).to_dict() == {MODEL_ROW: [MATCH], LOG_ROW: [NOT_AVAILABLE]}
    sheet = tables_experiments.sheet_frame(experiments(drawn=True), source="models")
    medians = tables_experiments.medians(sheet, sequences(printed_values()))
    ranks = carastan2017_published.rank_table4(published(), sheet, medians)
    assert ranks.set_index("experiment").loc[MODEL_ROW, "kendall"].tolist() == [1, 1]
    assert ranks.set_index("experiment").loc[LOG_ROW, "kendall"].isna().all()


def test_a_row_that_the_paper_does_not_have_is_not_compared():
    """Your site is a row of Table 4, and nothing else is lost by it."""
    sheet = tables_experiments.sheet_frame(experiments())
    values = tables_experiments.medians(sheet, sequences(printed_values()))
    paper = published().drop(LOG_ROW)
    table = carastan2017_published.compare_table4(paper, sheet, values, REASONS)
    assert set(table["experiment"]) == {MODEL_ROW}
    assert set(carastan2017_published.rank_table4(paper, sheet, values)["experiment"]) == {
        MODEL_ROW
    }


def test_rank_correlation_is_one_for_the_printed_order_and_less_for_a_swap():
    values = printed_values()
    values["model_full"][:2] = values["model_full"][1::-1]
    sheet = tables_experiments.sheet_frame(experiments())
    medians = tables_experiments.medians(sheet, sequences(values))
    ranks = carastan2017_published.rank_table4(published(), sheet, medians).set_index(
        ["experiment", "dialect"]
    )
    assert ranks.loc[(MODEL_ROW, "artefact"), "kendall"] == 1
    # One of 28 pairs is turned: tau = (27 - 1) / 28; rho = 1 - 6 * 2 / (8 * 63).
    assert ranks.loc[(MODEL_ROW, "full"), "kendall"] == pytest.approx(26 / 28, abs=1e-4)
    assert ranks.loc[(MODEL_ROW, "full"), "spearman"] == pytest.approx(1 - 12 / 504, abs=1e-4)
    assert ranks.loc[(MODEL_ROW, "full"), "our_order"] == "F1 F2 F3 F4 SPT UNI FCFS WFP"


def test_facts_match_or_differ_in_any_order():
    printed = pd.DataFrame(
        {"year": "1997", "cpus": "338", "jobs": "77222", "utilisation": "85.2", "duration": "11"},
        index=["CTC SP2"],
    )
    facts = pd.DataFrame(
        [{"log": "CTC SP2", "year": 1996, "cpus": 338, "jobs": 77222} | {"utilisation": 85.1}]
    ).assign(duration=11.9)
    table = compare_table5(printed, facts, REASONS.iloc[:0]).set_index("column")
    assert table["verdict"].tolist() == [DIFFERS, MATCH, MATCH, DIFFERS, MATCH]
    assert table.loc["year", "reason"] == UNEXPLAINED
    one_more = compare_table5(printed, facts.assign(jobs=77223), REASONS.iloc[:0])
    assert one_more.set_index("column").loc["jobs", "verdict"] == DIFFERS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("item\trow\n", "line 1"),
        ("item\trow\tcolumn\tvalue\twhere\n", "no numbers of item 'table4'"),
        (
            "item\trow\tcolumn\tvalue\twhere\n"
            + "table4\ta\tF1\t1.0\tTable 4\n"
            + "table4\ta\tF1\t2.0\tTable 4\n"
            + "table4\ta\tF1\t3.0\tTable 4\n",
            "line 3: table4 has this number already",
        ),
    ],
)
def test_broken_published_files_are_refused_with_their_line(tmp_path, text, words):
    path = tmp_path / "published.tsv"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        comparison.read_published(path, "table4")
