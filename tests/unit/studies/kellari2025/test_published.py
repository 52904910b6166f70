"""Verdicts, orderings, correlations and joint tests on the published numbers of kellari2025."""

import numpy as np
import pandas as pd
import pytest

from chapter6_case import example, shift
from schedlab.cosched.pool import STAND_IN
from schedlab.files.io import write_parquet
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.items.claims import make as make_claims
from schedlab.studies.kellari2025.items.comparison import make
from schedlab.studies.kellari2025.tables import chapter6
from schedlab.studies.kellari2025.tables.chapter6 import METRICS, SCHEDULERS

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


@pytest.mark.slow
def test_equal_means_match(printed, runs, reasons):
    table = published.compare_table6(printed, runs(), runs(50), reasons)
    assert len(table) == 91
    assert set(table["verdict"]) == {"match"}
    assert set(table["reason"]) <= {"", published.BY_DEFINITION}
    assert (table["kendall"] == 1).all()


def test_match_by_definition_is_marked(printed, runs, reasons):
    table = published.compare_table6(printed, runs(scatter=0), runs(50, scatter=0), reasons)
    assert set(table["reason"]) == {published.BY_DEFINITION}


def test_page_counts_matches_by_definition_separately(root):
    page = (root / "workflow/report/kellari2025/page.html.j2").read_text()
    assert f'"{published.BY_DEFINITION}"' in page


def test_mean_outside_the_interval_differs_with_its_reason(printed, runs, reasons):
    moved = shift("Popularity", "slowed", 23.84 - 10.10)
    table = published.compare_table6(printed, runs(10, moved), runs(50, moved), reasons)
    (row,) = table[table["verdict"] != "match"].to_dict("records")
    assert (row["scheduler"], row["metric"], row["verdict"]) == (
        *("Popularity", "slowdown (%)"),
        "differs",
    )
    assert "table6_readings" in row["reason"]


def test_same_ranking_needs_all_schedulers_in_the_published_order(printed, runs, reasons):
    moved = shift("LJF", "slowdown", 20.0)
    table = published.compare_table6(printed, runs(10, moved), runs(50, moved), reasons)
    (row,) = table[table["verdict"] != "match"].to_dict("records")
    assert (row["verdict"], row["reason"]) == ("same ranking", "unexplained")
    assert row["kendall"] == 1


def test_rank_of_a_single_scheduler_is_not_the_same_ranking(printed, runs, reasons):
    """LJF has its printed rank, the last, but two others have changed ranks."""
    moved = shift("LJF", "slowdown", 20.0) | shift("SJF", "slowdown", 5.0)
    table = published.compare_table6(printed, runs(10, moved), runs(50, moved), reasons)
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

    All schedulers are moved alike, so that the joint test is not what decides.
    """
    moved = {name: {"slowdown": by} for name in SCHEDULERS}
    ten, many = spread(printed, [0.0] * 4, moved), spread(printed, STEPS, moved)
    table = published.compare_table6(printed, ten, many, reasons)
    row = table.set_index(["scheduler", "metric"]).loc[("SJF-Co", "mean slowdown")]
    assert row["verdict"] == verdict
    assert row["joint"] > 0.5
    assert row["low"] == pytest.approx(23.6 + by - 0.219497, abs=1e-6)
    assert row["high"] == pytest.approx(23.6 + by + 0.219497, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("by", "verdict"), [(0.134, "consistent"), (0.136, "same ranking")])
def test_means_rejected_by_the_joint_test_are_not_consistent(printed, reasons, by, verdict):
    """One of 11 is moved by d, all scatter alike: alone a, in common c.

    The inverse of a I + c 1 1' has 1/a - c / (a (a + 11 c)) on its diagonal: the statistic is d^2
    times that. With a = 0.01 / 12 and c = 0.01125 that is 1092.0 d^2, and 19.6751 is the 95th per
    cent of a chi-square of 11: d = 0.13423 with 19.6751 / 1092.0.
    """
    moved = shift("SJF-Co", "slowdown", by)
    ten, many = spread(printed, [0.0] * 4, moved), spread(printed, STEPS, moved)
    table = published.compare_table6(printed, ten, many, reasons)
    own = table[table["metric"] == "mean slowdown"].set_index("scheduler")
    row = own.loc["SJF-Co"]
    assert row["low"] <= 23.6 <= row["high"]
    assert row["verdict"] == verdict
    assert bool(row["joint"] < 0.05) is (verdict != "consistent")
    joint = published.joint(printed, ten, many).set_index("metric")
    assert row["joint"] == joint.at["mean slowdown", "p"]
    # those that no reading matches have a test of their own, with all others
    assert own.at["Popularity", "joint"] != row["joint"]
    if verdict != "consistent":
        assert row["reason"].startswith("unexplained: inside its interval, but rejected together")


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


def joint_of(printed, steps, shift=None):
    """Test the means of four workloads like five; by metric."""
    many = spread(printed, steps, shift)
    return published.joint(printed, spread(printed, [0.0] * 4), many).set_index("metric")


# All schedulers move alike: variance 0.025 (1 / 4 + 1 / 5) of the gaps between means, the same
# between any two, and that of rounding to a tenth, 0.01 / 12, in each alone.
COMMON, ALONE = 0.025 * (1 / 4 + 1 / 5), 0.01 / 12


@pytest.mark.slow
def test_joint_test_accounts_for_the_common_scatter_of_means(printed):
    """With n gaps of d the statistic is n d^2 / (alone + n common)."""
    moved = {name: {"slowdown": 0.1} for name in SCHEDULERS}
    row = joint_of(printed, STEPS, moved).loc["mean slowdown"]
    assert row["schedulers"] == 11
    assert row["statistic"] == pytest.approx(11 * 0.01 / (ALONE + 11 * COMMON), rel=1e-6)
    assert (row["together"], row["off"], row["pairs"]) == ("passes", 0, 55)


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "verdict"), [(0.999, "passes"), (1.001, "fails")])
def test_joint_test_fails_below_five_percent(printed, factor, verdict):
    """One gap of d alone: d^2 (1 - common / (alone + 11 common)) / alone; 19.6751 is 5 percent."""
    share = (1 - COMMON / (ALONE + 11 * COMMON)) / ALONE
    moved = {"EASY": {"slowdown": factor * np.sqrt(19.675138 / share)}}
    row = joint_of(printed, STEPS, moved).loc["mean slowdown"]
    assert row["together"] == verdict
    assert row["p"] == pytest.approx(0.05, abs=1e-3)


@pytest.mark.slow
def test_joint_test_skips_unmatched_and_constant_schedulers(printed):
    moved = {name: {"slowdown": 50.0} for name in published.UNMATCHED}
    many = spread(printed, STEPS, moved)
    many.loc[many["scheduler"] == "SJF", "slowdown"] = 20.6
    row = published.joint(printed, many, many).set_index("metric").loc["mean slowdown"]
    assert (row["schedulers"], row["off"]) == (10, 0)
    assert row["statistic"] == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("by", "off"), [(0.099, 0), (0.101, 10)])
def test_pairs_are_off_by_more_than_rounding_both_can_do(printed, by, off):
    """All move alike, so that differences do not scatter at all: a tenth is left to rounding."""
    row = joint_of(printed, STEPS, {"EASY": {"slowdown": by}}).loc["mean slowdown"]
    assert row["off"] == off
    assert all("EASY" in pair.split(" – ") for pair in row["which"].split(", ") if pair)


def test_pairs_are_off_by_more_than_their_scatter_and_rounding(printed):
    """EASY alone varies: 0.219497 and a tenth."""
    for by, off in ((0.319, 0), (0.320, 10)):
        many = spread(printed, [0.0] * 5)
        own = many["scheduler"] == "EASY"
        many.loc[own, "slowdown"] += np.array(STEPS) + by
        others = ~own & (many["workload"] == 0)
        many.loc[others, "slowdown"] += 1e-7  # so that they vary, if hardly
        ten = spread(printed, [0.0] * 4)
        row = published.joint(printed, ten, many).set_index("metric").loc["mean slowdown"]
        assert row["off"] == off


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


def correlations_as(printed, computed, low, high, monkeypatch, pool="aris-nas"):
    """Compare one published coefficient with 39 groups that lie evenly from `low` to `high`."""
    pair = "utilization / mean slowdown"
    table = pd.DataFrame({"mean slowdown": {"utilization": computed}})
    monkeypatch.setattr(published, "correlations", lambda *_: table)
    groups = np.linspace(low, high, 39).reshape(39, 1, 1)
    monkeypatch.setattr(published, "correlations_of_groups", lambda *_: groups)
    runs = pd.DataFrame({"pool": [pool], "workload": 0})
    known = pd.DataFrame(columns=["item", "dialect", "row", "column", "explains", "reason"])
    frame = pd.DataFrame({"pearson": {pair: printed}})
    return published.compare_correlations([frame], runs, runs, known).iloc[0]


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
    runs = pd.DataFrame({"pool": ["aris-nas"], "workload": 0})
    known = pd.DataFrame(columns=["item", "dialect", "row", "column", "explains", "reason"])

    def verdicts(second):
        frame = pd.DataFrame({"pearson": dict(zip(pairs, ("0.32", second), strict=True))})
        table = published.compare_correlations([frame], runs, runs, known)
        assert table["joint"].nunique() == 1
        return table["verdict"].tolist()

    assert verdicts("0.42") == ["consistent", "consistent"]
    assert verdicts("0.60") == ["differs", "differs"]


def test_correlations_on_a_stand_in_are_not_compared_with_the_thesis(monkeypatch):
    row = correlations_as("0.09", 0.09, 0.0, 1.0, monkeypatch, f"{STAND_IN}, completed")
    assert (row["verdict"], np.isnan(row["ratio"])) == ("log not available", True)


def test_means_of_a_stand_in_are_not_compared_with_the_thesis(printed, runs, reasons):
    own = runs(10, pool=f"{STAND_IN}, completed")
    table = published.compare_table6(printed, own, own, reasons)
    assert set(table["verdict"]) == {"log not available"}
    assert table["reason"].str.contains("Table 4.1, completed").all()
    assert table[["ratio", "kendall"]].isna().all(axis=None)


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
def test_orderings_survive_reverse_or_stay_undecided(printed, runs):
    same = published.orderings(printed, runs(), runs(30))
    assert set(same["survives"]) == {"yes"}
    moved = shift("SJF", "slowdown", 10.0)
    table = published.orderings(printed, runs(10, moved), runs(30, moved))
    lost = table[table["survives"] == "no"]
    assert set(lost["first"]) == {"SJF-Co", "SJF-Filler"}
    assert set(lost["second"]) == {"SJF"}
    wide = published.orderings(printed, runs(), runs(30, scatter=0.5))
    assert "undecided" in set(wide["survives"])


@pytest.mark.slow
def test_equal_printed_values_are_no_ordering(printed, runs):
    table = published.orderings(printed, runs(), runs())
    slowed = table[table["metric"] == "slowdown (%)"]
    assert len(slowed) == 78 - 10  # five schedulers slow no job


@pytest.mark.slow
def test_ten_workloads_and_many_workloads_are_not_mixed_up(root, tmp_path, printed, runs):
    """What the rule gives as one is not taken as the other."""
    given = {"ten": runs(10), "many": runs(20, shift("SJF", "slowdown", 7.0))}
    for name, frame in given.items():
        whole = frame.assign(experiment=name, jobs=1000)
        write_parquet(whole, tmp_path / f"{name}.parquet")
    reading = given["ten"].assign(experiment="a", jobs=1000)
    write_parquet(reading, tmp_path / "readings.parquet")
    write_parquet(example().assign(scheduler="Popularity"), tmp_path / "example.parquet")
    made = make(
        labels={"a": "a reading"},
        table6=[str(tmp_path / "ten.parquet")],
        orderings=[str(tmp_path / "many.parquet")],
        readings=[str(tmp_path / "readings.parquet")],
        printed=str(root / PUBLISHED),
        reasons=str(root / REASONS),
    )
    table = made["table6_comparison"].rows.set_index(["scheduler", "metric"])
    row = table.loc[("SJF", "mean slowdown")]
    assert (round(row["computed"], 1), round(row["many"], 1)) == (20.6, 27.6)
    found = made["orderings"].rows.set_index(["metric", "first", "second"])
    assert found.loc[("mean slowdown", "SJF-Co", "SJF"), "computed"] == pytest.approx(3.0, abs=0.01)
    assert found.loc[("mean slowdown", "SJF-Filler", "SJF"), "many"] == pytest.approx(0.1, abs=0.01)
    made |= make_claims(
        table6=[str(tmp_path / "ten.parquet")],
        orderings=[str(tmp_path / "many.parquet")],
        example=str(tmp_path / "example.parquet"),
        printed=str(root / PUBLISHED),
    )
    held = made["claims"].rows.set_index("claim")
    row = held.loc["SJF has the smallest mean slowdown, followed by SJF-Co"]
    assert (row["computed"], row["many"]) == ("holds", "fails")
    assert "10 and 20 workloads of 1000 jobs" in made["joint"].note
