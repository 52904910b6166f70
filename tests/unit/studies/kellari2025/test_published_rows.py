"""Rows of the comparisons with chapter 6, each number by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from schedlab.cosched.pool import STAND_IN
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.tables.chapter6 import METRICS, SCHEDULERS

NO_REASONS = pd.DataFrame(columns=["item", "dialect", "row", "column", "explains", "reason"])


def runs_of(values, **others):
    """Runs in which every metric of a scheduler is 1 but for one: values by workload."""
    rows = [
        {"scheduler": scheduler, "workload": workload}
        | dict.fromkeys([*METRICS, "slowdown_sd", "makespan_speedup_textbook"], 1.0)
        | {metric: value}
        for (scheduler, metric), given in values.items()
        for workload, value in enumerate(given)
    ]
    return pd.DataFrame(rows).assign(pool="aris-nas", **others)


def printed_of(metric, **cells):
    """Printed means that are all 1.000 but for one metric."""
    table = pd.DataFrame("1.000", index=list(cells), columns=list(METRICS))
    table[metric] = list(cells.values())
    return table


def whole(values):
    """Add schedulers whose metrics are all 1, so that all of the thesis are there."""
    (metric,) = {name for _, name in values}
    count = len(next(iter(values.values())))
    return {(name, metric): [1.0] * count for name in SCHEDULERS} | values


def test_row_has_the_published_mean_and_those_of_ten_and_many_workloads():
    """Of 1, 3 and 8 the mean is 4, of two workloads of 5 and 9 it is 7, with sd sqrt(8).

    A mean over three of those lies within 12.706205 * 2.828427 / sqrt(3) = 20.749146 of 7.
    """
    printed = printed_of("slowdown", EASY="6.1", SJF="2.0")
    ten = runs_of(whole({("EASY", "slowdown"): [1, 3, 8], ("SJF", "slowdown"): [1, 3, 2]}))
    many = runs_of(whole({("EASY", "slowdown"): [5, 9], ("SJF", "slowdown"): [2, 2]}))
    table = published.compare_means(printed, ten, many, NO_REASONS)
    assert len(table) == 2 * len(METRICS)
    first, second = table[table["metric"] == "mean slowdown"].to_dict("records")
    assert first == {
        **{"scheduler": "EASY", "metric": "mean slowdown", "published": "6.1"},
        **{"computed": 4, "many": 7},
        "low": pytest.approx(7 - 20.749146, abs=1e-6),
        "high": pytest.approx(7 + 20.749146, abs=1e-6),
        "joint": pytest.approx(np.nan, nan_ok=True),  # no other mean of the row varies
        **{"ratio": 0.6557, "kendall": 1, "verdict": "consistent", "reason": ""},
    }
    assert (second["computed"], second["ratio"], second["verdict"]) == (2, 1, "match")
    assert second["reason"] == published.BY_DEFINITION


@pytest.mark.parametrize(("deviation", "reason"), [(0.95e-9, published.BY_DEFINITION), (1e-9, "")])
def test_match_is_by_definition_if_workloads_differ_only_by_rounding(deviation, reason):
    """Three workloads: a middle one, and one to either side a deviation away."""
    own = runs_of(whole({("EASY", "slowdown"): [-deviation, 0, deviation]}))
    table = published.compare_means(
        printed_of("slowdown", EASY="0.0", SJF="1.0"), own, own, NO_REASONS
    )
    row = table.set_index(["scheduler", "metric"]).loc[("EASY", "mean slowdown")]
    assert (row["verdict"], row["reason"]) == ("match", reason)


def test_only_a_match_rests_on_the_definition():
    """Many workloads are all 4, as printed, but the ten are not: that is consistent, no more."""
    ten = runs_of(whole({("EASY", "slowdown"): [4, 6]}))
    many = runs_of(whole({("EASY", "slowdown"): [4, 4]}))
    printed = printed_of("slowdown", EASY="4.0", SJF="1.0")
    row = published.compare_means(printed, ten, many, NO_REASONS).iloc[0]
    assert (row["verdict"], row["reason"]) == ("consistent", "")


def test_published_mean_of_zero_has_no_ratio():
    printed = printed_of("slowed", EASY="0.00", SJF="0.00")
    own = runs_of(whole({("EASY", "slowed"): [0, 0], ("SJF", "slowed"): [5, 5]}))
    table = published.compare_means(printed, own, own, NO_REASONS)
    rows = table[table["metric"] == "slowdown (%)"]
    assert rows["ratio"].isna().all()
    assert rows["verdict"].tolist() == ["match", "differs"]
    assert rows["reason"].tolist() == [published.BY_DEFINITION, "unexplained"]
    assert rows["kendall"].isna().all()


def test_one_workload_has_no_interval():
    own = runs_of(whole({("EASY", "slowdown"): [4]}))
    printed = printed_of("slowdown", EASY="5.0", SJF="1.0")
    row = published.compare_means(printed, own, own, NO_REASONS).iloc[0]
    assert (row["computed"], row["verdict"]) == (4, "same ranking")
    assert row[["low", "high"]].isna().all()


def test_numbers_of_a_stand_in_are_shown_without_a_verdict():
    own = runs_of(whole({("EASY", "slowdown"): [1, 3]})).assign(pool=f"{STAND_IN}, completed")
    printed = printed_of("slowdown", EASY="2.0", SJF="1.0")
    table = published.compare_means(printed, own, own, NO_REASONS)
    assert len(table) == 2 * len(METRICS)
    row = table.iloc[0].to_dict()
    assert {
        name: row[name] for name in ("scheduler", "metric", "published", "computed", "many")
    } == {
        **{"scheduler": "EASY", "metric": "mean slowdown", "published": "2.0"},
        **{"computed": 2, "many": 2},
    }
    assert row["high"] - 2 == pytest.approx(12.706205, rel=1e-6)
    assert (row["verdict"], row["reason"]) == ("log not available", f"ran on {STAND_IN}, completed")


def test_orderings_are_of_pairs_that_are_printed_apart_the_larger_first():
    """Gaps of the ten are 1, 2 and 9; of the many -1, 0, 1 and 4: two of four are larger.

    The mean of these is 1, their deviation 2.160247: 3.182446 * 2.160247 / 2 = 3.437435.
    """
    printed = printed_of("slowdown", SJF="1.0", EASY="3.0", FCFS="1.0")
    ten = runs_of({("SJF", "slowdown"): [1, 1, 1], ("EASY", "slowdown"): [2, 3, 10],
                   ("FCFS", "slowdown"): [1, 1, 1]})  # fmt: skip
    many = runs_of({("SJF", "slowdown"): [9, 9, 9, 9], ("EASY", "slowdown"): [8, 9, 10, 13],
                    ("FCFS", "slowdown"): [0, 0, 0, 0]})  # fmt: skip
    first, second = published.orderings(printed, ten, many).to_dict("records")
    assert first == {
        **{"metric": "mean slowdown", "first": "EASY", "second": "SJF", "published": 2},
        **{"computed": 4, "many": 1, "larger": 50, "survives": "undecided"},
        "low": pytest.approx(1 - 3.437435, abs=1e-6),
        "high": pytest.approx(1 + 3.437435, abs=1e-6),
    }
    assert (second["first"], second["second"]) == ("EASY", "FCFS")
    assert (second["larger"], second["survives"]) == (100, "yes")


@pytest.mark.parametrize("gap", [0.5, 0.0, -0.5])
def test_one_workload_decides_no_ordering(gap):
    printed = printed_of("slowdown", EASY="3.0", SJF="1.0")
    own = runs_of({("SJF", "slowdown"): [1.0], ("EASY", "slowdown"): [1.0 + gap]})
    (row,) = published.orderings(printed, own, own).to_dict("records")
    assert (row["low"], row["high"], row["survives"]) == (-np.inf, np.inf, "undecided")


@pytest.mark.parametrize(("middle", "survives"), [(-12.70, "undecided"), (-12.71, "no")])
def test_of_two_workloads_the_interval_is_wide(middle, survives):
    """A step of 1 to either side: 12.706205 * sqrt(2) / sqrt(2)."""
    printed = printed_of("slowdown", EASY="3.0", SJF="1.0")
    own = runs_of(
        {("SJF", "slowdown"): [20.0, 30.0], ("EASY", "slowdown"): [19.0 + middle, 31 + middle]}
    )
    (row,) = published.orderings(printed, own, own).to_dict("records")
    assert row["survives"] == survives
    assert row["high"] - row["many"] == pytest.approx(12.706205, rel=1e-6)


def test_joint_test_needs_two_means_and_has_a_row_for_every_scheduler():
    own = runs_of(whole({("EASY", "slowdown"): [0, 1, 5]}))
    printed = printed_of("slowdown", **dict.fromkeys(SCHEDULERS, "1.0"))
    table = published.joint(printed, own, own).set_index("scheduler")
    assert list(table.index) == SCHEDULERS
    assert (table.at["EASY", "means"], table.at["SJF", "means"]) == (1, 0)
    assert table[["statistic", "p", "p_inside"]].isna().all(axis=None)
    varied = own.copy()
    varied.loc[varied["scheduler"] == "EASY", "slowdown_pp"] = [3, 1, 2]
    row = published.joint(printed, varied, varied).set_index("scheduler").loc["EASY"]
    # Gaps of 1 and of 1; variances 7 and 1, covariance -0.5, for two means over three each, and
    # those of rounding to a tenth and a thousandth.
    scatter = np.array([[7, -0.5], [-0.5, 1]]) * 2 / 3 + np.diag([0.01, 1e-6]) / 12
    assert row["statistic"] == pytest.approx(np.linalg.inv(scatter).sum())
    assert row["p"] == pytest.approx(chi2.sf(row["statistic"], 2))


@pytest.mark.parametrize(("step", "means"), [(1e-9, 0), (1.05e-9, 1)])
def test_joint_test_skips_means_that_vary_only_by_rounding(step, means):
    own = runs_of(whole({("EASY", "slowdown"): [-step, 0, step]}))
    printed = printed_of("slowdown", **dict.fromkeys(SCHEDULERS, "1.0"))
    table = published.joint(printed, own, own).set_index("scheduler")
    assert table.loc["EASY", "means"] == means


def test_readings_follow_the_published_row_of_each_scheduler():
    """Means of 1 and 4, of 2 and 3, of 5; the baseline is no reading."""
    printed = printed_of("slowdown", Popularity="7.0", **{"Pop-Filler": "8.0"})
    own = pd.concat(
        [
            runs_of({("Popularity", "slowdown"): [2, 3]}, experiment="b"),
            runs_of({("Conservative", "slowdown"): [9, 9]}, experiment="b"),
            runs_of({("Popularity", "slowdown"): [1, 4, 7]}, experiment="a"),
            runs_of({("Pop-Filler", "slowdown"): [5]}, experiment="a"),
        ]
    )
    labels = pd.Series({"a": "one way", "b": "another"})
    table = published.readings(printed, own, labels)
    assert list(table) == ["scheduler", "reading", *(m.printed for m in METRICS.values())]
    assert table[["scheduler", "reading", "mean slowdown", "utilization"]].to_numpy().tolist() == [
        ["Popularity", "as published", 7, 1],
        ["Popularity", "another", 2.5, 1],
        ["Popularity", "one way", 4, 1],
        ["Pop-Filler", "as published", 8, 1],
        ["Pop-Filler", "one way", 5, 1],
    ]
    shown = published.readings(printed, own.assign(pool=f"{STAND_IN}, completed"), labels)
    assert shown["reading"].tolist() == ["another", "one way", "one way"]


def test_every_published_coefficient_has_one_row(monkeypatch):
    """Ten and many have each their coefficients, and each method its interval."""
    one, two = "utilization / mean slowdown", "utilization / mean job speedup"
    coefficients = {
        (2, "pearson"): (0.511, 0.2),
        (2, "spearman"): (0.3, -0.25),
        (5, "pearson"): (0.4, 0.1),
        (5, "spearman"): (0.6, -0.5),
    }
    limits = {"pearson": ((0.35, 0.45), (0.35, 0.45)), "spearman": ((-0.2, 0.7), (-0.2, 0.7))}

    def square(first, second):
        values = {"mean slowdown": first, "mean job speedup": second}
        return pd.DataFrame(values, index=["utilization"])

    def groups(runs, count, method):
        assert (len(runs), count) == (5, 2)
        return np.stack([np.linspace(*ends, 39) for ends in limits[method]], axis=1)[:, None, :]

    monkeypatch.setattr(
        published, "correlations", lambda runs, method: square(*coefficients[len(runs), method])
    )
    monkeypatch.setattr(published, "correlations_of_groups", groups)
    monkeypatch.setattr(published, "at_published_means", lambda runs, _: runs)
    ten = pd.DataFrame({"pool": "aris-nas", "workload": range(2)})
    many = pd.DataFrame({"pool": "aris-nas", "workload": range(5)})
    printed = pd.DataFrame()
    tables = [
        pd.DataFrame(
            {"pearson": ["0.51", "0.36"], "spearman": ["0.40", "-0.30"]}, index=[one, two]
        ),
        pd.DataFrame({"pearson": ["0.80"]}, index=[two]),
    ]
    table = published.compare_correlations(tables, printed, ten, many, NO_REASONS)
    assert (table["joint"] > 0.05).sum() == 4
    at = list(published.AT_PUBLISHED)
    assert table[at].to_numpy().tolist() == table[["low", "high", "joint"]].to_numpy().tolist()
    assert table.drop(columns=["joint", *at]).to_dict("split")["data"] == [
        [one, "pearson", "0.51", 0.511, 0.4, 0.35, 0.45, 1.002, "match", ""],
        [two, "pearson", "0.36", 0.2, 0.1, 0.35, 0.45, 0.5556, "consistent", ""],
        [one, "spearman", "0.40", 0.3, 0.6, -0.2, 0.7, 0.75, "consistent", ""],
        [two, "spearman", "-0.30", -0.25, -0.5, -0.2, 0.7, 0.8333, "differs", "unexplained"],
        [two, "pearson", "0.80", 0.2, 0.1, 0.35, 0.45, 0.25, "differs", "unexplained"],
    ]
    assert list(table) == [
        *("metrics", "coefficient", "published", "computed", "many", "low", "high", "joint"),
        *("low_at", "high_at", "joint_at", "ratio", "verdict", "reason"),
    ]
    own = published.compare_correlations(
        tables, printed, ten.assign(pool=STAND_IN), many, NO_REASONS
    )
    assert list(own) == list(table)
    assert own["metrics"].tolist() == table["metrics"].tolist()
    assert set(own["reason"]) == {f"ran on {STAND_IN}"}
    assert set(own["verdict"]) == {"log not available"}


@pytest.mark.parametrize("count", [7, 8])
def test_a_group_of_all_workloads_has_one_coefficient(count):
    """As many as there are, or more than there are."""
    stream = np.random.default_rng(3)
    names = np.tile(SCHEDULERS, 7)
    frame = pd.DataFrame(stream.normal(size=(len(names), len(METRICS))), columns=list(METRICS))
    frame = frame.assign(scheduler=names, workload=np.repeat(range(7), len(SCHEDULERS)))
    (table,) = published.correlations_of_groups(frame, count, "pearson")
    expected = frame["utilisation"].corr(frame["slowdown"])
    names = [metric.printed for metric in METRICS.values()]
    at = (names.index("utilization"), names.index("mean slowdown"))
    assert table[at] == pytest.approx(expected)
