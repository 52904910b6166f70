"""Verdicts, orderings, correlations and joint tests on the published numbers of kellari2025."""

import numpy as np
import pandas as pd
import pytest

from chapter6_case import example, shift
from schedlab.cosched.pool import STAND_IN
from schedlab.files.io import write_parquet
from schedlab.report.committed import of_checkout
from schedlab.report.comparison import read_published, read_reasons
from schedlab.report.verdicts import BY_DEFINITION
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.published import compare_table6
from schedlab.studies.kellari2025.statistics import check_coscheduling_claims
from schedlab.studies.kellari2025.tables import chapter6
from schedlab.studies.kellari2025.tables.chapter6 import METRICS, SCHEDULERS, read_runs

PUBLISHED = "resources/kellari2025/published.tsv"
REASONS = "resources/kellari2025/reasons.tsv"


def test_printed_means_are_of_thirteen_schedulers_and_seven_metrics(printed):
    assert list(printed.index) == SCHEDULERS
    assert printed.at["SJF-Filler", "makespan_speedup"] == "1.104"
    assert printed.at["Popularity", "slowed"] == "10.10"


def test_every_reason_is_for_a_number_that_is_printed(printed, reasons):
    names = {metric.printed for metric in METRICS.values()}
    assert set(reasons["row"]) <= {"*", *printed.index}
    assert set(reasons["column"]) <= {"*", *names}


def test_sheet_names_the_numbers_that_are_zero_or_one_by_definition(root, printed):
    committed = of_checkout(root / "resources")
    cells = set(committed.loc[committed["kind"] == BY_DEFINITION, "cell"])
    values = printed.rename(columns={name: metric.printed for name, metric in METRICS.items()})
    exact = values.astype(float).isin([0, 1]).stack()
    assert cells == {" | ".join(place) for place in exact.index[exact]}


def test_page_counts_matches_by_definition_separately(root):
    page = (root / "resources/kellari2025/words.yaml").read_text()
    assert f'"{published.BY_DEFINITION}"' in page


def test_mean_outside_the_interval_differs_with_its_reason(printed, runs, reasons):
    moved = shift("Popularity", "slowed", 23.84 - 10.10)
    table = published.compare_means(printed, runs(10, moved), runs(50, moved), reasons)
    (row,) = table[table["verdict"] != "match"].to_dict("records")
    assert (row["scheduler"], row["metric"], row["verdict"]) == (
        *("Popularity", "slowdown (%)"),
        "differs",
    )
    assert "table6_readings" in row["reason"]


def test_same_ranking_needs_all_schedulers_in_the_published_order(printed, runs, reasons):
    moved = shift("LJF", "slowdown", 20.0)
    table = published.compare_means(printed, runs(10, moved), runs(50, moved), reasons)
    (row,) = table[table["verdict"] != "match"].to_dict("records")
    assert (row["verdict"], row["reason"]) == ("same ranking", "unexplained")
    assert row["kendall"] == 1


def test_rank_of_a_single_scheduler_is_not_the_same_ranking(printed, runs, reasons):
    """LJF has its printed rank, the last, but two others have changed ranks."""
    moved = shift("LJF", "slowdown", 20.0) | shift("SJF", "slowdown", 5.0)
    table = published.compare_means(printed, runs(10, moved), runs(50, moved), reasons)
    rows = table[table["verdict"] != "match"].set_index("scheduler")
    assert rows["verdict"].to_dict() == {"SJF": "differs", "LJF": "differs"}
    # One of 78 pairs is turned.
    assert rows.at["LJF", "kendall"] == round(76 / 78, 4)


def spread(printed, steps, shift=None):
    """Runs whose values are the printed ones, moved by metric, plus a step a workload."""
    rows = []
    for scheduler, cells in printed.astype(float).iterrows():
        for workload, step in enumerate(steps):
            own = {name: cells[name] + step for name in METRICS}
            for name, by in (shift or {}).get(scheduler, {}).items():
                own[name] += by
            rows.append({"scheduler": scheduler, "workload": workload, "makespan": 1.0} | own)
    frame = pd.DataFrame(rows).assign(pool="aris-nas", slowdown_sd=0.0)
    return frame.assign(makespan_speedup_textbook=0.0)


# Five workloads a step of 0.1 apart: their deviation is 0.1 sqrt(10 / 4), and Student's t of four
# degrees 2.776445, so that 95 percent of means over four lie within 2.776445 * 0.158114 / 2, which
# is 0.219497.
STEPS = (-0.2, -0.1, 0.0, 0.1, 0.2)


@pytest.mark.parametrize(("by", "verdict"), [(0.269, "consistent"), (0.270, "same ranking")])
def test_printed_mean_is_consistent_inside_the_interval_and_half_a_digit(
    printed, reasons, by, verdict
):
    """The printed 23.6 may be half a tenth more or less: 0.219497 + 0.05 = 0.269497.

    All other means of the row are outside their intervals, so no joint test decides.
    """
    moved = {"SJF-Co": dict.fromkeys(METRICS, 50.0) | {"slowdown": by}}
    ten, many = spread(printed, [0.0] * 4, moved), spread(printed, STEPS, moved)
    table = published.compare_means(printed, ten, many, reasons)
    row = table.set_index(["scheduler", "metric"]).loc[("SJF-Co", "mean slowdown")]
    assert row["verdict"] == verdict
    assert np.isnan(row["joint"])
    assert row["low"] == pytest.approx(23.6 + by - 0.219497, abs=1e-6)
    assert row["high"] == pytest.approx(23.6 + by + 0.219497, abs=1e-6)


# All metrics of a scheduler move alike: variance 0.025 (1 / 4 + 1 / 5) of the gaps between means,
# the same between any two, and in each alone that of rounding to its last digit.
COMMON = 0.025 * (1 / 4 + 1 / 5)
ALONE = {name: 100.0 ** -METRICS[name].decimals / 12 for name in published.ROW_METRICS}


def gap_of(statistic, *metrics):
    """Return the gap of the slowdown, and of no other of these metrics, with this statistic.

    The inverse of D + c 1 1' has 1 / D - 1 / D^2 / (1 / c + sum of 1 / D) on its diagonal.
    """
    own, every = 1 / ALONE["slowdown"], sum(1 / ALONE[name] for name in metrics)
    return np.sqrt(statistic / (own - own**2 / (1 / COMMON + every)))


SIX, FIVE = 12.591587, 11.070498  # 95th per cent of chi-squares of 6 and 5


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "verdict"), [(0.999, "consistent"), (1.001, "same ranking")])
def test_means_rejected_by_the_joint_test_of_their_row_are_not_consistent(
    printed, reasons, factor, verdict
):
    moved = shift("SJF-Co", "slowdown", factor * gap_of(SIX, *published.ROW_METRICS))
    ten, many = spread(printed, [0.0] * 4, moved), spread(printed, STEPS, moved)
    table = published.compare_means(printed, ten, many, reasons)
    rows = table[table["scheduler"] == "SJF-Co"].set_index("metric")
    row = rows.loc["mean slowdown"]
    assert row["low"] <= 23.6 <= row["high"]
    assert row["verdict"] == verdict
    assert bool(row["joint"] < 0.05) is (verdict != "consistent")
    assert np.isnan(rows.at["makespan speedup", "joint"])  # Conservative's row is in it
    if verdict != "consistent":
        assert row["reason"].startswith("unexplained: inside its interval, but rejected together")
    others = table[(table["scheduler"] != "SJF-Co") & table["joint"].notna()]
    assert (others["joint"] > 0.9).all()


@pytest.mark.slow
def test_a_mean_outside_its_interval_does_not_reject_the_others_of_its_row(printed, reasons):
    """But for a scheduler that no reading matches, whose whole row is tested."""
    names = ("SJF-Co", "Popularity")
    moved = {name: {"slowdown": -0.06, "slowed": 5.0} for name in names}
    ten, many = spread(printed, [0.0] * 4, moved), spread(printed, STEPS, moved)
    table = published.compare_means(printed, ten, many, reasons)
    for name, verdict in zip(names, ("consistent", "same ranking"), strict=True):
        rows = table[table["scheduler"] == name].set_index("metric")
        assert rows.at["mean slowdown", "verdict"] == verdict
    tests = published.joint(printed, ten, many).set_index("scheduler").loc[list(names)]
    assert set(tests["together"]) == {"fails"}
    assert (tests["means"].tolist(), tests["inside"].tolist()) == ([6, 6], [5, 5])
    assert (tests["p_inside"] > 0.05).all()


@pytest.mark.slow
@pytest.mark.parametrize(("gap", "survives"), [(0.1964, "yes"), (0.1962, "undecided")])
def test_ordering_survives_if_the_interval_of_the_mean_excludes_zero(printed, gap, survives):
    """Over five workloads it is 2.776445 * 0.158114 / sqrt(5) = 0.196324 to either side."""
    many = spread(printed, STEPS)
    still = many["scheduler"] == "SJF"
    many.loc[still, "slowdown"] = 20.6
    many.loc[many["scheduler"] == "SJF-Co", "slowdown"] = [20.6 + gap + step for step in STEPS]
    table = published.orderings(printed, many, many)
    row = table[(table["first"] == "SJF-Co") & (table["second"] == "SJF")].iloc[0]
    assert row["metric"] == "mean slowdown"
    assert (row["survives"], round(row["published"], 4)) == (survives, 3.0)
    assert row["low"] == pytest.approx(gap - 0.196324, abs=1e-6)
    # Those of which the step is not below the gap by more than it is long.
    assert row["larger"] == 80


@pytest.mark.slow
def test_joint_test_skips_constant_metrics_and_the_makespan_speedup(printed):
    moved = shift("SJF", "slowdown", gap_of(FIVE, *set(published.ROW_METRICS) - {"slowed"}))
    many = spread(printed, STEPS, moved)
    own = many["scheduler"] == "SJF"
    many.loc[own, "slowed"] = 7.0
    many.loc[own, "makespan_speedup"] += 50
    row = published.joint(printed, spread(printed, [0.0] * 4), many).set_index("scheduler")
    assert row.at["SJF", "means"] == 5
    assert row.at["SJF", "p"] == pytest.approx(0.05, abs=1e-6)


def identity_of(printed, cells):
    """Return `identity` of published cells, and of 25 workloads of which ten are one set."""
    table = printed.copy()
    for (scheduler, metric), value in cells.items():
        table.at[scheduler, metric] = value
    stream = np.random.default_rng(5)
    rows = []
    for workload, work in enumerate(stream.uniform(0.91, 0.92, 25)):
        for scheduler in table.index:
            speedup, weighted = stream.uniform(0.99, 1.1, 2)
            used = work * speedup / weighted
            rows.append((scheduler, workload, used, weighted, speedup))
    columns = ["scheduler", "workload", "utilisation", "weighted_speedup", "makespan_speedup"]
    return published.identity(table, pd.DataFrame(rows, columns=columns), 10)


def test_identity_has_the_limits_of_rounding(printed):
    """EASY's weighted speedup and Conservative's makespan speedup are 1 by definition."""
    table = identity_of(printed, {}).set_index("scheduler")
    assert table.at["EASY", "low"] == pytest.approx(0.9255 / 1.0065)
    assert table.at["EASY", "high"] == pytest.approx(0.9265 / 1.0055)
    assert table.at["Conservative", "low"] == pytest.approx(0.9215)
    assert table.at["Conservative", "high"] == pytest.approx(0.9225)
    assert table.at["Filler", "low"] == pytest.approx(0.9645 * 1.0395 / 1.0865)
    assert table.at["Filler", "high"] == pytest.approx(0.9655 * 1.0405 / 1.0855)
    assert table["computed"].between(0.90, 0.93).all()


def test_published_rows_contradict_one_set_of_workloads(printed, monkeypatch):
    """LJF and Filler do; rows that agree within rounding and the computed spread do not."""
    table = identity_of(printed, {}).assign(spread=0.00026)
    found = published.contradiction(table)
    assert "at most 0.92134 for LJF and at least 0.92278 for Filler" in found
    assert "differ by at most 0.00026" in found
    gap = table["low"].max() - table["high"].min()
    for spread_of_rows, contradicts in ((gap - 1e-6, True), (gap + 1e-6, False)):
        found = published.contradiction(table.assign(spread=spread_of_rows))
        assert ("No number fits" in found) is contradicts
        assert ("do not contradict" in found) is not contradicts


def test_spread_is_the_largest_difference_of_rows_over_groups():
    """Two groups of two, a fifth workload in a third: of the means 2, 4 and 1; 2, 3 and 8."""
    values = {"SJF": [1, 3, 2, 6, 1], "LJF": [2, 2, 3, 3, 8]}
    rows = [(name, at, one) for name, given in values.items() for at, one in enumerate(given)]
    runs = pd.DataFrame(rows, columns=["scheduler", "workload", "utilisation"])
    runs = runs.assign(weighted_speedup=1.0, makespan_speedup=1.0)
    table = pd.DataFrame("1.000", index=["SJF", "LJF"], columns=list(METRICS))
    made = published.identity(table, runs, 2)
    assert made["computed"].tolist() == [2, 2]
    assert made["spread"].tolist() == [1, 1]


def test_joint_test_is_skipped_on_a_stand_in(printed, runs):
    own = runs(10, pool=f"{STAND_IN}, completed")
    table = published.joint(printed, own, own)
    assert set(table["together"]) == {"log not available"}
    assert table["p"].isna().all()


def test_correlations_scatter_as_those_of_groups_of_as_many_workloads():
    """Six workloads by twos: what is left over, the seventh, is in no group."""
    stream = np.random.default_rng(3)
    names = np.tile(SCHEDULERS, 7)
    frame = pd.DataFrame(stream.normal(size=(len(names), len(METRICS))), columns=list(METRICS))
    frame = frame.assign(scheduler=names, workload=np.repeat(range(7), len(SCHEDULERS)))
    groups = published.correlations_of_groups(frame, 2, "pearson")
    names = [metric.printed for metric in METRICS.values()]
    at = (names.index("utilization"), names.index("mean slowdown"))
    assert groups[:, at[0], at[1]].tolist() == [
        chapter6.correlations(frame[frame["workload"].isin(pair)], "pearson").iloc[at]
        for pair in ((0, 1), (2, 3), (4, 5))
    ]


def correlations_as(printed, computed, low, high, monkeypatch, pool="aris-nas", at=None):
    """Compare one published coefficient with 39 groups that lie evenly from `low` to `high`.

    `at` are the limits with the unmatched schedulers at their published means.
    """
    pair = "utilization / mean slowdown"
    table = pd.DataFrame({"mean slowdown": {"utilization": computed}})
    monkeypatch.setattr(published, "correlations", lambda *_: table)
    groups = np.linspace(low, high, 39).reshape(39, 1, 1)
    shifted = groups if at is None else np.linspace(*at, 39).reshape(39, 1, 1)
    runs = pd.DataFrame({"pool": [pool], "workload": 0})
    monkeypatch.setattr(published, "at_published_means", lambda *_: runs.assign(shifted=True))
    monkeypatch.setattr(
        published,
        "correlations_of_groups",
        lambda runs, *_: shifted if "shifted" in runs else groups,
    )
    known = pd.DataFrame(
        [("fig6_14", "*", pair, "pearson", str(computed), "depends on two")],
        columns=["item", "dialect", "row", "column", "explains", "reason"],
    )
    frame = pd.DataFrame({"pearson": {pair: printed}})
    means = pd.DataFrame()
    return published.compare_correlations([frame], means, runs, runs, known).iloc[0]


@pytest.mark.parametrize(
    ("printed", "low", "verdict"),
    [
        ("0.09", 0.0, "match"),
        # the least of 39 groups rounds to the printed digits, or does not
        ("0.40", 0.404, "consistent"),
        ("0.40", 0.406, "differs"),
        # Of the same sign, and both near nothing: that is no order.
        ("0.02", 0.03, "differs"),
    ],
)
def test_correlation_verdict_is_match_consistent_or_differs(monkeypatch, printed, low, verdict):
    row = correlations_as(printed, 0.09, low, 0.9, monkeypatch)
    assert row["verdict"] == verdict
    assert row["reason"] == ("unexplained" if verdict == "differs" else "")


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        # the least of the shifted groups rounds to the printed digits, or does not
        ((0.404, 0.6), "depends on two"),
        ((0.406, 0.6), "unexplained"),
        # without the shift the coefficient is outside too, so nothing depends on it
        (None, "unexplained"),
    ],
)
def test_difference_depends_on_unmatched_schedulers_only_if_their_published_means_remove_it(
    monkeypatch, at, reason
):
    row = correlations_as("0.40", 0.09, 0.5, 0.9, monkeypatch, at=at)
    assert (row["verdict"], row["reason"]) == ("differs", reason)


def test_unmatched_schedulers_are_shifted_to_their_published_means(printed, runs):
    moved = shift("Popularity", "slowed", 13.0) | shift("SJF", "slowdown", 2.0)
    run = runs(10, moved)
    shifted = published.at_published_means(run, printed)
    own = shifted["scheduler"] == "Popularity"
    assert shifted.loc[own, "slowed"].mean() == pytest.approx(10.10)
    gaps = run.loc[own, "slowed"] - shifted.loc[own, "slowed"]
    assert gaps.to_numpy() == pytest.approx(13.0)
    others = ~shifted["scheduler"].isin(published.UNMATCHED)
    assert shifted[others].equals(run[others])
    assert run.loc[own, "slowed"].mean() == pytest.approx(23.10)


def test_coefficients_are_tested_together_with_their_printed_digits():
    """Beyond all 99 groups by one digit, and within it."""
    drawn = np.linspace(0.31, 0.404, 99)[:, None]
    assert published.joint_of_printed(pd.Series(["0.41"]), drawn) == 1 / 100
    assert published.joint_of_printed(pd.Series(["0.40"]), drawn) > 0.05


def test_no_coefficient_is_consistent_where_all_together_are_rejected(monkeypatch):
    """The first has a tail of a fifth, the second is beyond all groups; they are independent."""
    pairs = ["utilization / mean slowdown", "utilization / mean job speedup"]
    computed = pd.DataFrame(0.0, ["utilization"], ["mean slowdown", "mean job speedup"])
    monkeypatch.setattr(published, "correlations", lambda *_: computed)
    even = np.linspace(0.3, 0.5, 99)
    other = np.random.default_rng(1).permutation(even)
    groups = np.stack([even, other], axis=1)[:, None, :]
    monkeypatch.setattr(published, "correlations_of_groups", lambda *_: groups)
    monkeypatch.setattr(published, "at_published_means", lambda runs, _: runs)
    runs = pd.DataFrame({"pool": ["aris-nas"], "workload": 0})
    known = pd.DataFrame(
        [("fig6_14", "*", pairs[0], "pearson", "0.0", "depends on two")],
        columns=["item", "dialect", "row", "column", "explains", "reason"],
    )

    def verdicts(second):
        frame = pd.DataFrame({"pearson": dict(zip(pairs, ("0.32", second), strict=True))})
        table = published.compare_correlations([frame], pd.DataFrame(), runs, runs, known)
        assert table["joint"].nunique() == 1
        # nor does one depend on the unmatched schedulers, although it is in its interval
        assert not table["reason"].str.startswith("depends").any()
        return table["verdict"].tolist()

    assert verdicts("0.42") == ["consistent", "consistent"]
    assert verdicts("0.60") == ["differs", "differs"]


@pytest.mark.slow
def test_orderings_of_a_stand_in_are_not_compared_with_the_thesis(printed, runs):
    own = runs(10, pool=f"{STAND_IN}, completed")
    table = published.orderings(printed, own, own)
    assert set(table["survives"]) == {"log not available"}
    assert table["published"].isna().all()
    few = own[own["scheduler"].isin(["Popularity"])].assign(experiment="a")
    shown = published.readings(printed, few, pd.Series({"a": "one reading"}))
    assert shown["reading"].tolist() == ["one reading"]


@pytest.mark.slow
def test_ten_workloads_and_many_workloads_are_not_mixed_up(root, tmp_path, printed, runs):
    """What the rule gives as one is not taken as the other."""
    given = {"ten": runs(10), "many": runs(20, shift("SJF", "slowdown", 7.0)), "a": runs(10)}
    for name, frame in given.items():
        whole = frame.assign(experiment=name, jobs=1000)
        write_parquet(whole, tmp_path / f"{name}.parquet")
    ten, many, reading = (read_runs([tmp_path / f"{name}.parquet"]) for name in given)
    made = compare_table6(
        *(ten, many, reading, {"a": "a reading"}, printed),
        *(read_published(str(root / PUBLISHED), name) for name in ("fig6_14", "fig6_15")),
        *(read_reasons(str(root / REASONS), name) for name in ("table6", "fig6_14")),
    )
    table = made["table6_comparison"].rows.set_index(["scheduler", "metric"])
    row = table.loc[("SJF", "mean slowdown")]
    assert (round(row["computed"], 1), round(row["many"], 1)) == (20.6, 27.6)
    found = made["orderings"].rows.set_index(["metric", "first", "second"])
    assert found.loc[("mean slowdown", "SJF-Co", "SJF"), "computed"] == pytest.approx(3.0, abs=0.01)
    assert found.loc[("mean slowdown", "SJF-Filler", "SJF"), "many"] == pytest.approx(0.1, abs=0.01)
    jobs = example().assign(scheduler="Popularity")
    sentences = str(root / "resources/kellari2025/claims.tsv")
    claims = check_coscheduling_claims(ten, many, jobs, printed, sentences)
    held = claims.rows.set_index("claim")
    row = held.loc["SJF has the smallest mean slowdown, followed by SJF-Co"]
    assert (row["computed"], row["many"]) == ("holds", "fails")
    assert "10 and 20 workloads of 1000 jobs" in made["joint"].facts["on"]
    table, finding = made["identity"]
    assert finding == published.contradiction(table.rows)
