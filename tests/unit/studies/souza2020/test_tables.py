"""Table 1: excesses, averages, verdicts, and one run of each strategy."""

import pandas as pd
import pytest

from schedlab.report.comparison import read_published
from schedlab.report.verdicts import DIFFERS, MATCH, NOT_AVAILABLE
from schedlab.studies.souza2020.evidence import compare_means
from schedlab.studies.souza2020.figures import beyond
from schedlab.studies.souza2020.figures.beyond import predictors
from schedlab.studies.souza2020.tables.accuracy import compare, of_submissions, table2
from schedlab.studies.souza2020.tables.runs import (
    BLANKS,
    COLUMNS,
    TEXT,
    averages,
    compare_text,
    extra,
    means,
    percentages,
    recompute,
    spread,
    table1,
)
from schedlab.waits.backtest_predictors import FALLING
from souza_case import printed, runs, stage
from words_case import words_of

TWO = {
    "Montage 28": [150, 1200, 9, 300, 1500, 6, 100, 1000, 6],
    "Montage 56": [100, 1000, 10, 150, 1100, 5, 100, 1000, 5],
}
NO_REASONS = pd.DataFrame(columns=["item", "dialect", "row", "column", "explains", "reason"])
PAPERS = {("Big Job", "-"): [10, 30], ("Per-Stage", "-"): [20, 20], ("ASA", "ASA"): [10, 10]}


def test_excess_is_over_the_least_of_the_row():
    over = extra(printed(TWO))
    assert over.loc["Montage 28"].round(6).tolist() == [50, 20, 50, 200, 50, 0, 0, 0, 0]


@pytest.mark.parametrize(("least", "given"), [(30, True), (29.9, False), (0, False)])
def test_excess_over_a_tiny_wait_is_omitted(least, given):
    over = extra(printed({"BLAST 28": [least, 10, 1, 300, 20, 2, least, 10, 1]})).iloc[0]
    waits = over[["Big Job TWT", "Per-Stage TWT", "ASA TWT"]]
    assert waits.notna().tolist() == [given] * 3
    assert not given or waits.tolist() == [0, 900, 0]
    assert over.drop(waits.index).tolist() == [0, 0, 100, 100, 0, 0]


def test_averages_are_over_the_scales_that_have_a_percentage():
    table = printed(TWO | {"Montage 112": [29, 1000, 10, 900, 1000, 10, 29, 1000, 10]})
    found = averages(table).set_index("workflow").loc["Montage"]
    assert (found["Per-Stage TWT"], found["scales of TWT"]) == (125, 2)
    assert found["Per-Stage makespan"] == pytest.approx(20)
    assert (averages(printed(TWO))["scales of TWT"] == 2).all()


def test_average_is_over_scales():
    found = averages(printed(TWO)).set_index("workflow").loc["Montage"]
    assert found["Big Job TWT"] == 25
    assert found["Per-Stage makespan"] == pytest.approx(30)
    assert found["Big Job CH"] == 75


def test_printed_averages_follow_from_printed_numbers_but_for_some(root):
    path = root / "resources/souza2020/published.tsv"
    items = ("averages", "percentages")
    parts = {item: read_published(path, item) for item in items}
    found = recompute(read_published(path, "table1"), parts, dict.fromkeys(items, NO_REASONS))
    verdict = found.set_index(["row", "column"])["verdict"]
    assert verdict["Montage", "Per-Stage TWT"] == MATCH  # 81.9
    # the mean of the printed 24, 32, 65, 47, 68 and 83 %, not of whole hours, is 53.2
    assert verdict["Montage", "Big Job CH"] == MATCH
    counts = found.groupby("item")["verdict"].value_counts()
    assert counts["averages"].to_dict() == {MATCH: 25, DIFFERS: 2}
    assert counts["percentages"].to_dict() == {MATCH: 56, DIFFERS: 8}
    assert counts[BLANKS].to_dict() == {MATCH: 86, DIFFERS: 12}


@pytest.mark.parametrize(("makespan", "verdict"), [(10_149, MATCH), (10_151, DIFFERS)])
def test_blank_percentages_match_if_they_round_to_one_percent_at_most(makespan, verdict):
    row = {"BLAST 28": [100, 10_000, 10, 100, makespan, 10, 100, 10_000, 10]}
    none = pd.DataFrame(columns=["Big Job CH"], dtype=object)
    parts = {"percentages": none, "averages": pd.DataFrame()}
    found = recompute(printed(row), parts, dict.fromkeys(parts, NO_REASONS))
    assert set(found["item"]) == {BLANKS}
    assert found.set_index("column").loc["Per-Stage makespan", "verdict"] == verdict


def test_only_core_hours_of_big_job_are_compared_with_the_paper():
    row = {"Montage 28": [150, 1287, 9, 258, 1408, 7, 132, 1277, 7]}
    hours = {key: [8.5, 9.4] for key in PAPERS}
    found = compare_means(printed(row), table1(runs(PAPERS, hours=hours)), COLUMNS, NO_REASONS)
    verdict = found.set_index("column")["verdict"]
    assert verdict.pop("Big Job CH") == MATCH
    assert set(verdict) == {NOT_AVAILABLE}


@pytest.mark.parametrize(("hours", "verdict"), [(8.5, MATCH), (8.4, DIFFERS), (10.0, DIFFERS)])
def test_core_hours_match_when_they_round_to_print(hours, verdict):
    row = {"Montage 28": [150, 1287, 9, 258, 1408, 7, 132, 1277, 7]}
    used = {key: [hours, hours] for key in PAPERS}
    found = compare_means(printed(row), table1(runs(PAPERS, hours=used)), COLUMNS, NO_REASONS)
    assert found.set_index("column").loc["Big Job CH", "verdict"] == verdict


def test_means_are_over_replicates_and_within_their_intervals():
    found = means(runs(PAPERS)).set_index("strategy")["makespan"]
    assert found.to_dict() == {"Big Job": 20, "Per-Stage": 20, "ASA": 10}
    ends = means(runs(PAPERS)).set_index("strategy").loc["Big Job"]
    assert (ends["makespan_low"], ends["makespan_high"]) == (10, 30)


def test_spread_counts_replicates_on_either_side():
    row = {"Montage 28": [150, 1287, 9, 258, 1408, 7, 132, 1277, 7]}
    found = spread(printed(row), runs(PAPERS)).set_index("against")
    big, stage = found.loc["Big Job"], found.loc["Per-Stage"]
    assert (big["printed"], stage["printed"]) == (-10, -131)
    assert (big["shorter"], big["equal"], big["longer"]) == (50, 50, 0)
    assert (stage["shorter"], stage["computed"], stage["low"], stage["high"]) == (
        100,
        -10,
        -10,
        -10,
    )


def test_numbers_of_the_text_are_recomputed_from_print():
    said = pd.DataFrame({"value": ["2", "0.2", "43", "20", "4", "6", "25", "4", "9"]}, list(TEXT))
    rows = {
        "BLAST 28": [100, 100, 10, 100, 125, 6, 100, 101, 6],
        "Montage 28": [125, 104, 10, 100, 106, 6, 100, 100, 6],
    }
    found = compare_text(said, printed(rows), pd.DataFrame(), NO_REASONS).set_index("row")
    # 201 of 204 s, 12 of 12 h and of 20 h; of Montage waits 100 of 125 s and 100 of 104 s, and
    # Per-Stage's 6 % of which ASA saves all; of BLAST its 25 % of which 1 % is left
    expected = [-100 * 3 / 204, 0, 40, 20, 100 * 4 / 104, 6, 25, 6, 24]
    assert found["recomputed"].tolist() == pytest.approx(expected)
    words = found["verdict"].tolist()
    assert words == [DIFFERS] * 3 + [MATCH] * 4 + [DIFFERS] * 2


def test_tables_without_a_log_have_no_computed_values(root):
    path = root / "resources/souza2020/published.tsv"
    printed_table = read_published(path, "table1")
    none = runs({})
    table = table1(none)
    assert table.empty
    found = compare_means(printed_table, table, COLUMNS, NO_REASONS)
    assert set(found["verdict"]) == {NOT_AVAILABLE}
    assert found["computed"].isna().all()
    assert averages(table).empty
    assert percentages(table).empty
    assert spread(printed_table, none).empty
    assert predictors(none, {28: "System 1"}).empty
    said = beyond.headline(
        predictors(none, {}), words_of("souza2020")["sentences"]["beyond_predictors"]
    )
    assert said == "Nothing ran: the log behind the systems is not available."


def found_of(rows, alternatives=(10, 1800, 7200)):
    return of_submissions(pd.DataFrame(rows), alternatives)


def submission(number=0, **later):
    """A stage on all cores, one on one core, and another on all cores."""
    first = stage(number=number, wait=3600, estimate=7200, perceived=3600, hit=False)
    narrow = {"cores": 1, "wait": 0, "estimate": 10, "perceived": 0, "hit": False, "resubmitted": 1}
    second = {"wait": 1800, "estimate": 1800, "perceived": 900, "hit": True}
    return [first, stage(number=number) | narrow, stage(number=number) | second | later]


def test_measures_except_overhead_are_of_stages_on_all_cores():
    found = found_of(submission()).iloc[0]
    assert (found["WT"], found["ASA WT"]) == (0.75, 1.25)
    # the first stage's prediction was too long, and cost nothing; the narrow one's does not count
    assert (found["PWT"], found["WT ahead"]) == (0.25, 0.5)
    assert (found["hit"], found["miss"], found["OV"]) == (100, 0, 0)


@pytest.mark.parametrize(("hit", "share"), [(True, 100), (False, 0)])
def test_hits_are_of_the_first_stage_if_only_it_uses_all_cores(hit, share):
    rows = submission()[:2]
    rows[0]["hit"] = hit
    found = found_of(rows).iloc[0]
    assert (found["WT"], found["hit"]) == (1, share)
    assert found[["PWT", "WT ahead", "miss"]].isna().all()
    row = table2(found_of(rows)).iloc[0]
    assert row[["PWT", "PWT low", "PWT high", "miss", "miss low", "miss high"]].isna().all()


def test_stages_on_all_cores_count_after_a_first_that_is_not():
    rows = [row | {"cores": cores} for row, cores in zip(submission(), (1, 28, 28), strict=True)]
    found = found_of(rows).iloc[0]
    assert (found["WT"], found["WT ahead"], found["PWT"]) == (0.25, 0.25, 0.125)
    assert (found["hit"], found["miss"]) == (50, 50)


def test_miss_is_a_resubmission_and_idle_time_of_any_stage_is_overhead():
    rows = submission(hit=False, resubmitted=1, idle_core_seconds=7200)
    rows[1]["idle_core_seconds"] = 3600
    found = found_of(rows).iloc[0]
    assert (found["hit"], found["miss"], found["OV"]) == (0, 100, 3)


def test_a_prediction_too_long_of_an_allocation_in_time_is_neither():
    found = found_of(submission(hit=False)).iloc[0]
    assert (found["hit"], found["miss"]) == (0, 0)


def test_means_and_deviations_are_over_submissions():
    rows = submission(0) + submission(1, resubmitted=1, hit=False, idle_core_seconds=7200)
    row = table2(found_of(rows)).iloc[0]
    assert (row["run"], row["submissions"]) == ("Montage 28", 2)
    assert (row["hit"], row["miss"], row["OV"], row["OV sd"]) == (50, 50, 1, 1)


def test_waits_of_other_queues_are_not_compared_with_the_paper():
    table = table2(found_of(submission()))
    printed = pd.DataFrame(
        [["1", "2", "0.25", "100", "0", "0"]],
        index=["Montage 28"],
        columns=["WT", "ASA WT", "PWT", "hit", "miss", "OV"],
    )
    found = compare(printed, table).set_index("column")
    assert set(found["verdict"]) == {NOT_AVAILABLE}
    assert found.loc["WT", "computed"] == pytest.approx(0.75)


def test_resubmitted_hit_is_not_a_miss():
    found = found_of(submission(hit=True, resubmitted=1)).iloc[0]
    assert (found["hit"], found["miss"]) == (100, 0)


@pytest.mark.parametrize(
    ("wait", "estimate", "closest", "below"),
    [(9, 10, 100, 100), (10, 10, 100, 0), (15, 10, 100, 0), (15, 20, 100, 0), (14, 20, 0, 0),
     (16, 10, 0, 0), (0, 20, 0, 100), (0, 10, 100, 100), (90, 20, 100, 0)],
)  # fmt: skip
def test_a_prediction_is_closest_where_no_alternative_is_closer(wait, estimate, closest, below):
    """And no hit is possible where the least of them exceeds the wait."""
    rows = submission(wait=wait, estimate=estimate, hit=estimate <= wait)
    found = found_of(rows, (10, 20)).iloc[0]
    assert (found["closest"], found["no hit possible"]) == (closest, below)
    alone = [rows[2], rows[1]]
    found = found_of(alone, (10, 20)).iloc[0]
    assert (found["closest"], found["no hit possible"]) == (closest, below)


def test_table_is_of_the_learner_with_the_configured_rates():
    falling = [row | {"estimator": FALLING} for row in submission(hit=False, resubmitted=1)]
    found = found_of(submission() + falling)
    assert found.set_index("estimator")["hit"].to_dict() == {"ASA": 100, FALLING: 0}
    table = table2(found)
    assert (len(table), table["submissions"].item(), table["hit"].item()) == (1, 1, 100)
