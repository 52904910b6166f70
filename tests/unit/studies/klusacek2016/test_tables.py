"""Table 1, its comparison, and means of whole logs; every verdict just inside and outside."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from plans_case import evidence, missing_evidence
from schedlab.report.comparison import REASON_COLUMNS, UNEXPLAINED, read_published
from schedlab.report.figures.style import numbers_of
from schedlab.report.scoreboard import cells_of
from schedlab.report.verdicts import CONSISTENT, DIFFERS, MATCH, NOT_AVAILABLE, SAME_RANKING
from schedlab.report.words import filled
from schedlab.studies.klusacek2016 import beyond
from schedlab.studies.klusacek2016.figures.sets import draw_changes, within_intervals
from schedlab.studies.klusacek2016.runs import COLUMNS
from schedlab.studies.klusacek2016.tables import means as of_means
from schedlab.studies.klusacek2016.tables.means import baselines, compare_text, means
from schedlab.studies.klusacek2016.tables.searches import BY_BUDGET, realized_metrics, waits_of
from schedlab.studies.klusacek2016.tables.sets import (
    SWITCHES,
    compare_table1,
    joint,
    over_periods,
    readings,
    table1,
)
from search_case import comparisons
from words_case import words_of

NO_REASONS = pd.DataFrame(columns=REASON_COLUMNS)
PRINTED = pd.DataFrame({"WT": ["-18.8"], "SD": ["-50.0"]}, index=["HPC2N set 1"])


def periods_with(*pairs, log="HPC2N"):
    """Busy intervals of a log: waits of Orig-BF and those of each seed of Plan-RS."""
    rows = [
        (piece, scheduler, seed, 5, float(wait), 1 + wait / 10)
        for piece, waits in enumerate(pairs, 1)
        for place, wait in enumerate(waits)
        for scheduler, seed in [("plan-rs", place - 1) if place else ("orig-bf", 0)]
    ]
    return {log: pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)}


def compare_set(one, reasons=NO_REASONS, printed=PRINTED, periods=None):
    """The two rows of one set, by column."""
    sets = [] if one is None else [one]
    table = compare_table1(printed, sets, periods or periods_with(), reasons)
    return {row["column"]: row for row in table.to_dict("records")}


@pytest.mark.parametrize(
    ("wait", "verdict"),
    [
        # -18.74 is -18.7, -18.75 may be rounded to -18.8, -18.89 is cut to it, -18.9 is not
        (8126, SAME_RANKING),
        (8125, MATCH),
        (8111, MATCH),
        (8110, SAME_RANKING),
        (9999, SAME_RANKING),
        (10_000, DIFFERS),
        (10_001, DIFFERS),
    ],
)
def test_change_is_match_same_ranking_or_differs(wait, verdict):
    found = compare_set(evidence([1000] * 10, [0] * 9 + [wait]))["WT"]
    assert found["computed"] == pytest.approx((wait - 10_000) / 100)
    assert found["verdict"] == verdict
    assert found["reason"] == ("" if verdict == MATCH else UNEXPLAINED)


@pytest.mark.parametrize(("wait", "verdict"), [(0, SAME_RANKING), (300, SAME_RANKING)])
def test_slowdown_change_is_compared_as_well(wait, verdict):
    """Of 100 s: from 11 to 1, and to 4."""
    found = compare_set(evidence([1000], [wait]))["SD"]
    assert found["computed"] == pytest.approx(100 * ((wait + 100) / 1100 - 1))
    assert found["verdict"] == verdict


#: changes of -19 to 19 %: of as few as 39 none is left out
CHANGES = periods_with(*([100, 100 + change] for change in range(-19, 20)))


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        # with a slowdown beyond all, tails of 1 and 2 of 40 are as rare as two intervals are of 39,
        # tails of 1 and 1 rarer than any
        ("-19.1", SAME_RANKING),
        ("-18.9", CONSISTENT),
        ("18.9", DIFFERS),
        ("-5.0", MATCH),
    ],
)
def test_number_with_the_same_sign_is_consistent_unless_rejected_jointly(printed, verdict):
    one = evidence([100], [95])
    found = compare_set(one, printed=PRINTED.assign(WT=printed), periods=CHANGES)["WT"]
    assert (found["low"], found["high"]) == (pytest.approx(-19), pytest.approx(19))
    assert found["joint"] == pytest.approx({"-19.1": 1, "-5.0": 7}.get(printed, 3) / 40)
    assert found["verdict"] == verdict
    assert (found["reason"] == "") == (verdict in (MATCH, CONSISTENT))


def test_median_has_no_interval_from_38_intervals_or_from_another_log():
    few = periods_with(*([100, 100 + change] for change in range(-19, 19)))
    other = periods_with(*([100, 100 + change] for change in range(-19, 20)), log="KTH-SP2")
    for periods in (few, other):
        found = compare_set(evidence([100], [95]), periods=periods)["WT"]
        assert np.isnan([found["low"], found["high"]]).all()
        assert found["verdict"] == (CONSISTENT if periods is few else SAME_RANKING)


def test_intervals_of_a_log_have_a_median_and_a_count_of_improvements():
    """To 50 and 90 of 100; to 110 of 100; no job waits; 100 to 200. Slowdowns are 11 and so on."""
    table = over_periods(
        periods_with([100, 50, 90], [100, 110], [0, 5], [100, 200]) | periods_with(log="gone")
    )
    wait, slowdown, gone, _ = table.to_dict("records")
    assert (wait["log"], wait["column"], wait["intervals"], wait["better"]) == ("HPC2N", "WT", 3, 1)
    assert wait["change"] == pytest.approx(10)
    assert wait["median low"] == pytest.approx(-30)
    assert wait["median high"] == pytest.approx(100)
    assert np.isnan([wait["low"], wait["high"]]).all()
    assert slowdown["change"] == pytest.approx(100 / 11)
    assert slowdown["median low"] == pytest.approx(-300 / 11)
    assert slowdown["median high"] == pytest.approx(1000 / 11)
    assert (gone["log"], gone["intervals"]) == ("gone", 0)
    names = ("change", "median low", "median high", "low", "high")
    assert np.isnan([gone[name] for name in names]).all()


@pytest.mark.parametrize(
    ("changes", "ends"),
    [
        # of 5 resampled 3 are the smallest with a chance of 5.8 %, of 7 are 4 with one of 1.0 %
        ([-50, -20, 0, 10, 30], (-50, 30)),
        ([-50, -20, 0, 1, 2, 10, 30], (-20, 10)),
        # half way between two
        ([-20, -10], (-20, -10)),
    ],
)
def test_median_has_a_confidence_interval_over_the_intervals(changes, ends):
    wait = over_periods(periods_with(*([100, 100 + change] for change in changes))).iloc[0]
    assert wait["change"] == pytest.approx(np.median(changes))
    assert (wait["median low"], wait["median high"]) == pytest.approx(ends)


def test_median_of_one_interval_has_no_confidence_interval():
    wait = over_periods(periods_with([100, 90], [0, 5])).iloc[0]
    assert (wait["intervals"], wait["change"]) == (1, pytest.approx(-10))
    assert np.isnan([wait["median low"], wait["median high"]]).all()


def test_without_any_intervals_there_are_columns():
    table = over_periods({})
    assert table.empty
    assert list(table) == list(over_periods(periods_with([1, 2])))
    found = compare_table1(PRINTED, [evidence([100], [95])], {}, NO_REASONS)
    assert found["verdict"].tolist() == [SAME_RANKING] * 2


def test_published_rise_is_confirmed_by_a_computed_rise():
    printed = PRINTED.assign(WT="4.0")
    up, down = (compare_set(evidence([100], [wait]), printed=printed)["WT"] for wait in (105, 95))
    assert (up["verdict"], down["verdict"]) == (SAME_RANKING, DIFFERS)


def test_row_has_published_and_computed_value_interval_and_ratio():
    found = compare_set(evidence([1000], [900], [700]), periods=CHANGES)["WT"]
    assert found == {
        "set": "HPC2N set 1", "column": "WT", "ran_on": "HPC2N", "published": "-18.8",
        "computed": pytest.approx(-20), "low": pytest.approx(-19), "high": pytest.approx(19),
        "tail": pytest.approx(0.1), "joint": pytest.approx(0.075),
        "ratio": 1.0638, "verdict": CONSISTENT, "reason": "",
    }  # fmt: skip


def test_change_is_undefined_if_no_job_waits_under_orig_bf():
    found = compare_set(evidence([0], [0]))
    assert np.isnan(found["WT"]["computed"])
    assert np.isnan(found["WT"]["ratio"])
    assert found["WT"]["verdict"] == DIFFERS
    assert found["WT"]["reason"] == "no job waits under Orig-BF"
    assert (found["SD"]["computed"], found["SD"]["verdict"]) == (0, DIFFERS)


def test_a_reason_is_given_where_it_explains_this_number():
    reason = ("table1", "*", "HPC2N set 1", "WT", "-10.0", "why")
    reasons = pd.DataFrame([reason], columns=REASON_COLUMNS)
    known, other = (compare_set(evidence([100], [wait]), reasons)["WT"] for wait in (90, 80))
    assert known["reason"] == "why"
    assert other["reason"].startswith(f"{UNEXPLAINED}: the reason that is known explains -10.0")
    assert compare_set(evidence([1000], [812]), reasons)["WT"]["reason"] == ""


def test_wagap_sets_are_shown_with_zewura_but_not_compared():
    printed = PRINTED.set_axis(["Zewura set 3"])
    row = {"label": "wagap set 3", "source": "wagap-2013"}
    found = compare_set(evidence([1000], [812], row=row), printed=printed)["WT"]
    assert (found["set"], found["ran_on"]) == ("Zewura set 3", "wagap-2013")
    assert found["computed"] == pytest.approx(-18.8)
    assert (found["verdict"], found["reason"]) == (NOT_AVAILABLE, "")


def test_stand_in_is_not_compared_with_the_paper():
    row = {"is_model": True, "source": "lublin_users_240"}
    found = compare_set(evidence([1000], [812], row=row))["WT"]
    assert (found["ran_on"], found["verdict"]) == ("lublin_users_240", NOT_AVAILABLE)
    assert found["ratio"] == 1
    unaffected = compare_set(evidence([0], [0], row=row))["WT"]
    assert (unaffected["verdict"], unaffected["reason"]) == (NOT_AVAILABLE, "")


def test_a_log_that_is_not_available_and_a_set_that_is_not_run():
    found = compare_set(missing_evidence())["WT"]
    assert (found["ran_on"], found["verdict"]) == ("HPC2N", NOT_AVAILABLE)
    assert np.isnan([found[name] for name in ("computed", "low", "high", "ratio")]).all()
    assert (compare_set(None)["WT"]["ran_on"], compare_set(None)["WT"]["verdict"]) == (
        "",
        NOT_AVAILABLE,
    )


def test_every_published_set_has_a_computed_one(root):
    printed = read_published(root / "resources/klusacek2016/published.tsv", "table1")
    labels = [name.replace("Zewura", "wagap") for name in printed.index]
    sets = [evidence([10], [9], row={"label": label, "source": label[:3]}) for label in labels]
    table = compare_table1(printed, sets[::-1], periods_with(), NO_REASONS)
    assert table["set"].tolist() == [name for name in printed.index for _ in range(2)]
    assert table["ran_on"].tolist() == [label[:3] for label in labels for _ in range(2)]
    assert (table["verdict"] == NOT_AVAILABLE).tolist() == [True] * 8 + [False] * 8


READING = {
    "experiment": "kth_one", "label": "KTH-SP2 set", "source": "KTH-SP2", "intervals": "simulated",
    "queues": "one", "factor": 7, "cycle": None, "iterations": 300, "scope": "machine",
}  # fmt: skip


def test_a_reading_has_a_row_per_set_with_changes_and_ends():
    """100 s to 90 and 110, 80 and 60; a slowdown of 2 to 1, 3 and then 4 to 5, 5."""
    rows = [
        (1, "orig-bf", 0, 9, 100, 2), (1, "plan-rs", 0, 9, 90, 1), (1, "plan-rs", 1, 9, 110, 3),
        (2, "orig-bf", 0, 4, 100, 4), (2, "plan-rs", 0, 4, 80, 5), (2, "plan-rs", 1, 4, 60, 5),
    ]  # fmt: skip
    found = readings([READING], [pd.DataFrame(rows, columns=list(COLUMNS))], {"KTH-SP2": 2})
    assert found["set"].tolist() == ["KTH-SP2 set 1", "KTH-SP2 set 2"]
    cells = ["ran_on", "intervals", "queues", "factor", "jobs", "seeds"]
    assert found[cells].iloc[1].tolist() == ["KTH-SP2", "simulated", "one", 7, 4, 2]
    assert found["WT"].tolist() == pytest.approx([0, -30])
    assert found["SD"].tolist() == pytest.approx([0, 25])
    assert found[["WT low", "WT high"]].iloc[1].tolist() == pytest.approx([-40, -20])
    assert found[["SD low", "SD high"]].iloc[1].tolist() == pytest.approx([25, 25])


def test_reading_without_waits_has_no_change_and_a_missing_one_no_row():
    rows = [(1, "orig-bf", 0, 9, 0, 1), (1, "plan-rs", 0, 9, 0, 1)]
    ran = pd.DataFrame(rows, columns=list(COLUMNS))
    found = readings([READING, READING], [ran, ran.iloc[:0]], {"KTH-SP2": 2})
    assert len(found) == 1
    assert found[["WT", "WT low", "SD", "SD high"]].isna().all(axis=None)


def test_table_1_has_means_changes_and_ends():
    one = evidence([1000, 0], [900, 0], [700, 0])
    other = missing_evidence(label="gone")
    row, gone = table1([one, other]).to_dict("records")
    assert row == {
        "set": "HPC2N set 1", "ran_on": "HPC2N", "intervals": "simulated", "queues": "limits",
        "factor": 1, "jobs": 2, "seeds": 2,
        "wait Orig-BF": 500, "wait Plan-RS": 400, "WT": pytest.approx(-20),
        "WT low": pytest.approx(-30), "WT high": pytest.approx(-10),
        "slowdown Orig-BF": 6, "slowdown Plan-RS": 5, "SD": pytest.approx(-100 / 6),
        "SD low": pytest.approx(-25), "SD high": pytest.approx(-100 / 12),
    }  # fmt: skip
    assert (gone["set"], gone["jobs"], gone["seeds"]) == ("gone", 0, 0)
    assert np.isnan(gone["WT"])


@pytest.mark.parametrize("table", [table1, means])
def test_tables_have_all_columns_where_no_log_is_available(table):
    assert list(table([missing_evidence()])) == list(table([evidence([10], [9], [8])]))


def test_means_have_a_row_per_experiment_and_scheduler_with_intervals():
    one = evidence([1000] * 2, [900] * 2, [700] * 2, recorded=[0, 750], row={"label": "mine"})
    orig, plan, gone = means([one, missing_evidence(label="gone")]).to_dict("records")
    assert (orig["experiment"], orig["scheduler"], orig["seeds"]) == ("mine", "Orig-BF", 1)
    assert (plan["experiment"], plan["scheduler"], plan["seeds"]) == ("mine", "Plan-RS", 2)
    assert (orig["wait"], plan["wait"]) == (1000, 800)
    assert (plan["wait low"], plan["wait high"]) == (700, 900)
    assert np.isnan([orig["wait low"], orig["wait high"]]).all()
    assert plan["nuwt"] == pytest.approx(8)
    # 50 s of both jobs with one seed
    assert plan["utilisation"] == pytest.approx(100 / 7500 / 2)
    assert (plan["utilisation low"], plan["utilisation high"]) == (0, pytest.approx(100 / 7500))
    for measure in of_means.WITH_INTERVAL:
        assert plan[f"{measure} low"] <= plan[measure] <= plan[f"{measure} high"]
    assert (gone["experiment"], gone["scheduler"], gone["seeds"]) == ("gone", NOT_AVAILABLE, 0)


def test_numbers_of_the_text_are_of_plan_rs_and_of_its_users():
    """10 processors for 250 s: 150 of them, and 200 and 150 with the seeds."""
    one = evidence([200, 0], [100, 0], [200, 0], recorded=[0, 250])
    assert one.mean("orig-bf", "utilisation") == pytest.approx(0.06)

    def number(what, ran=one):
        return of_means.NUMBERS[what][1](ran)

    # from 6 to 7 %, in points, of 240 hours a day
    assert number("utilisation, increase (points)") == pytest.approx(1)
    assert number("CPU hours a day, increase") == pytest.approx(2.4)
    assert number("CPUs fully used more") == pytest.approx(0.1)
    assert number("mean wait of Plan-RS (h)") == pytest.approx(75 / 3600)
    assert number("jobs that wait less than that (%)") == 50
    # a user with a NUWT of 1 is not below it
    fair = "users with NUWT below 1 (%)"
    assert number(fair) == 50
    assert number(fair, evidence([0, 0], [99, 100], [100, 101])) == 25


def test_numbers_of_the_text_have_computed_values_of_another_log(root):
    printed = read_published(root / "resources/klusacek2016/published.tsv", "text")
    recorded = evidence([200, 0], [100, 0], recorded=[0, 250], row={"source": "A"})
    costs = pd.DataFrame({"both": [0.1e6, 0.2e6, 1.9e6, 2e6]})
    reacting = evidence([0, 0, 0], [5760, 11_520, 0], row={"source": "B", "users": "reacting"})
    table = compare_text(printed, recorded, reacting, costs).set_index("what")
    assert table["ran_on"].tolist() == ["A"] * 8 + ["B"] * 3
    assert table["users"].tolist() == ["recorded"] * 8 + ["reacting"] * 3
    assert (table["verdict"] == NOT_AVAILABLE).all()
    assert (table["reason"] == "").all()
    assert table.loc["mean wait of Plan-RS (h)", ["published", "computed", "ratio"]].tolist() == [
        "1.6",
        pytest.approx(1.6),
        1,
    ]
    # 150 and 200 of 2500 processor seconds
    assert table.loc["utilisation, increase (points)", "computed"] == pytest.approx(2)
    assert table.loc["CPU hours a day, increase", "computed"] == pytest.approx(4.8)
    assert table.loc["CPUs fully used more", "computed"] == pytest.approx(0.2)
    assert table.loc["jobs that ask for more than 4 h (%)", "computed"] == 0
    within = [f"jobs planned in less than {seconds} s (%)" for seconds in (0.2, 1, 2)]
    assert table.loc[within, "computed"].tolist() == [25, 50, 75]
    assert table.loc["jobs that wait less than that under Orig-BF (%)", "computed"] == 100
    assert table.loc["users with NUWT below 1 (%)", "computed"] == 50
    # the mean itself is no longer than the mean
    assert table.loc["jobs that wait less than that (%)", "computed"] == pytest.approx(100 / 3)


def test_numbers_of_the_text_have_no_computed_values_without_the_log(root):
    printed = read_published(root / "resources/klusacek2016/published.tsv", "text")
    table = compare_text(printed, missing_evidence(), missing_evidence(), pd.DataFrame())
    assert table[["computed", "ratio"]].isna().all(axis=None)
    assert (table["verdict"] == NOT_AVAILABLE).all()


def test_readings_with_the_same_switches_are_one_row_of_both_logs():
    """Three intervals of each log; both changes fall in two of them, and in all."""
    first = periods_with([100, 90], [100, 80], [100, 110])["HPC2N"]
    second = periods_with([100, 90], [100, 80], [100, 70])["HPC2N"]
    printed = PRINTED.set_axis(["HPC2N set 1"])
    printed = pd.concat([printed, printed.set_axis(["KTH-SP2 set 1"])])
    rows = [READING | {"source": "HPC2N"}, READING, READING | {"queues": "arrival"}]
    table = joint(printed, rows, [first, second, second.iloc[:0]])
    one, gone = table.to_dict("records")
    assert (one["queues"], one["HPC2N intervals"], one["KTH-SP2 intervals"]) == ("one", 3, 3)
    assert (one["HPC2N WT"], one["HPC2N both fall"]) == (pytest.approx(-10), pytest.approx(200 / 3))
    assert one["all fall"] == pytest.approx(2 / 3)
    assert 0 < one["joint tail"] <= 1
    assert (gone["queues"], gone["KTH-SP2 intervals"]) == ("arrival", 0)
    assert np.isnan([gone["KTH-SP2 WT"], gone["all fall"], gone["joint tail"]]).all()
    columns = [*SWITCHES, "all fall", "joint tail"]
    assert list(joint(PRINTED, [], [])) == columns


def test_each_baseline_is_compared_with_the_same_runs_of_plan_rs():
    plans = evidence([100], [80], [60], row={"queues": "marking", "experiment": "a"})
    base, gone = evidence([200], [9]), missing_evidence(queues="one")
    table = baselines([plans], [base, evidence([1], [1], row={"users": "reacting"}), gone])
    assert table["queues"].tolist() == ["marking", "limits", "one"]
    assert table["wait change"].tolist()[:2] == pytest.approx([-30, -65])
    assert table[["wait low", "wait high"]].iloc[1].tolist() == pytest.approx([-70, -60])
    assert table["seeds"].tolist() == [2, 2, NOT_AVAILABLE]


def said_of(waits):
    """What the text on searches says of realized waits, without the searches."""
    facts = beyond.facts_of(comparisons(), pd.DataFrame(columns=BY_BUDGET), 300)
    facts["waits"] = waits_of(waits, {})
    said = filled(words_of("klusacek2016")["sentences"]["beyond_search"], facts)
    return said.partition("\n")[0].removeprefix(beyond.NO_PLANS).strip()


def test_realised_waits_are_ratios_to_no_search_and_the_longest_one():
    rows = [{"label": "A", "iterations": n} for n in (0, 10, 300)]
    waits = {0: (100, 300), 10: (50, 160), 300: (50, 150)}
    runs = [
        pd.DataFrame([(k, "plan-rs", 0, 1, w, 1.0) for k, w in enumerate(pair)], columns=COLUMNS)
        for pair in waits.values()
    ]
    table = realized_metrics(rows, runs)
    own = table[table["what"] == "mean wait"].set_index("iterations")
    assert own["to none"].tolist() == [1, 0.525, 0.5]
    assert own["to most"].tolist() == [2, 1.05, 1]
    assert (own.loc[10, "to most low"], own.loc[10, "to most high"]) == (
        1,
        pytest.approx(160 / 150),
    )
    assert said_of(table) == (
        "Realized waits on busy intervals. A: with 10, 300 iterations, 0.53, 0.50 of the mean wait "
        "without a search; 10 reach 95 % of the decrease with 300."
    )
    assert realized_metrics(rows, [run.iloc[:0] for run in runs]).empty
    assert said_of(realized_metrics([], [])) == ""


@pytest.mark.parametrize(("ends", "count"), [((-18.8, 0.0), 1), ((-18.7, 0.0), 0)])
def test_title_counts_published_changes_inside_the_range(ends, count):
    table = compare_table1(PRINTED, [evidence([100], [95])], {}, NO_REASONS).iloc[:1]
    table = table.assign(low=ends[0], high=ends[1])
    assert within_intervals(table).startswith(f"{count} of 1 published changes lie within")


@pytest.mark.parametrize(("wait", "count"), [(99, 1), (100, 0)])
def test_title_without_comparable_changes_counts_falling_waits(wait, count):
    table = compare_table1(PRINTED, [evidence([100], [wait])], {}, NO_REASONS)
    assert within_intervals(table).startswith(f"The mean wait falls in {count} of 1 sets, none")


@pytest.mark.parametrize("on_log", [True, False])
def test_published_changes_are_drawn_only_for_sets_on_the_papers_log(on_log):
    table = compare_table1(PRINTED, [evidence([100], [95])], {}, NO_REASONS)
    table = table if on_log else table.assign(verdict=NOT_AVAILABLE)
    figure = draw_changes(table, "what ran on which data", {})
    drawn = [segment[0, 0] for axes in figure.axes for lines in axes.collections
             if isinstance(lines, LineCollection) for segment in lines.get_segments()
             if len(segment) and not np.isnan(segment).any()]  # fmt: skip
    assert drawn == ([-18.8, -50.0] if on_log else [])
    names = [f"table1 | {name}" for name in cells_of(table.astype(str))]
    assert [name for name, *_ in numbers_of(figure)] == (names if on_log else [])
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert ("published" in labels) == on_log


def test_sets_on_models_have_short_names_in_the_figure():
    table = compare_table1(PRINTED, [evidence([100], [95])], {}, NO_REASONS)
    names = {"HPC2N set 1": "model, 240 processors (stands in for HPC2N), set 1"}
    for known, label in ((names, "model, 240 proc., set 1"), ({}, "HPC2N set 1")):
        figure = draw_changes(table, "what ran on which data", known)
        assert label in [text.get_text() for text in figure.axes[0].get_yticklabels()]
