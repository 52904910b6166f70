"""Chapter 6 of kellari2025 as numbers: verdicts, orderings, fronts, correlations, claims."""

import numpy as np
import pandas as pd
import pytest

from schedlab.cosched.pool import STAND_IN
from schedlab.papers.kellari2025 import claims, published
from schedlab.papers.kellari2025.tables import chapter6
from schedlab.papers.kellari2025.tables.chapter6 import METRICS, SCHEDULERS
from schedlab.report.comparison import read_reasons

PUBLISHED = "resources/kellari2025/published.tsv"
REASONS = "resources/kellari2025/reasons.tsv"


@pytest.fixture(scope="module")
def printed(root):
    return published.read_table6(root / PUBLISHED)


@pytest.fixture
def runs(printed):
    """Runs whose means are the printed ones, with a little scatter."""

    def make(workloads=10, shift=None, pool="aris-nas", scatter=0.001):
        stream = np.random.default_rng(1)
        values = printed.astype(float)
        rows = []
        for scheduler, cells in values.iterrows():
            if shift and scheduler in shift:
                cells = cells + pd.Series(shift[scheduler])
            noise = stream.normal(0, scatter, (workloads, len(METRICS)))
            noise -= noise.mean(axis=0)
            for workload in range(workloads):
                found = cells * (1 + noise[workload])
                rows.append({"scheduler": scheduler, "workload": workload, **found})
        frame = pd.DataFrame(rows)
        sd, textbook = frame["slowdown"], 0.95 * frame["makespan_speedup"]
        return frame.assign(pool=pool, slowdown_sd=sd, makespan_speedup_textbook=textbook,
                            makespan=1 / frame["makespan_speedup"])  # fmt: skip

    return make


def shift(scheduler, metric, by):
    return {scheduler: {name: by if name == metric else 0.0 for name in METRICS}}


@pytest.fixture(scope="module")
def reasons(root):
    return read_reasons(root / REASONS, "table6")


def test_printed_means_are_of_thirteen_schedulers_and_seven_metrics(printed):
    assert list(printed.index) == SCHEDULERS
    assert printed.at["SJF-Filler", "makespan_speedup"] == "1.104"
    assert printed.at["Popularity", "slowed"] == "10.10"


def test_every_reason_is_for_a_number_that_is_printed(printed, reasons):
    names = {metric.printed for metric in METRICS.values()}
    assert set(reasons["row"]) <= {"*", *printed.index}
    assert set(reasons["column"]) <= {"*", *names}


def test_equal_means_match(printed, runs, reasons):
    table = published.compare_table6(printed, runs(), runs(50), reasons)
    assert len(table) == 91
    assert set(table["verdict"]) == {"match"}
    assert set(table["reason"]) <= {"", published.BY_DEFINITION, published.IN_INTERVAL}


def test_match_that_could_be_nothing_else_says_so(printed, runs, reasons):
    table = published.compare_table6(printed, runs(scatter=0), runs(50, scatter=0), reasons)
    assert set(table["reason"]) == {published.BY_DEFINITION}


def test_page_counts_matches_by_what_they_rest_on(root):
    page = (root / "workflow/report/kellari2025/page.html.j2").read_text()
    assert f'"{published.BY_DEFINITION}"' in page
    assert f'"{published.IN_INTERVAL}"' in page


def test_mean_outside_the_interval_differs_with_its_reason(printed, runs, reasons):
    moved = shift("Popularity", "slowed", 15.0)
    table = published.compare_table6(printed, runs(10, moved), runs(50, moved), reasons)
    (row,) = table[table["verdict"] != "match"].to_dict("records")
    assert (row["scheduler"], row["metric"], row["verdict"]) == (
        *("Popularity", "slowdown (%)"),
        "differs",
    )
    assert "table6_readings" in row["reason"]


def test_mean_outside_the_interval_of_the_printed_rank_holds_its_ordering(printed, runs, reasons):
    moved = shift("LJF", "slowdown", 20.0)
    table = published.compare_table6(printed, runs(10, moved), runs(50, moved), reasons)
    (row,) = table[table["verdict"] != "match"].to_dict("records")
    assert (row["verdict"], row["reason"]) == ("ordering holds", "unexplained")


def test_stand_in_is_not_held_against_the_thesis(printed, runs, reasons):
    own = runs(10, pool=f"{STAND_IN}, completed")
    table = published.compare_table6(printed, own, own, reasons)
    assert set(table["verdict"]) == {"log not at hand"}
    assert table["reason"].str.contains("Table 4.1, completed").all()


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


def test_equal_printed_values_are_no_ordering(printed, runs):
    table = published.orderings(printed, runs(), runs())
    slowed = table[table["metric"] == "slowdown (%)"]
    assert len(slowed) == 78 - 10  # five schedulers slow nobody


def test_makespan_speedup_is_over_the_same_workload():
    frame = pd.DataFrame(
        {
            "experiment": "x",
            "workload": [0, 0, 1, 1],
            "scheduler": ["Conservative", "SJF"] * 2,
            "makespan": [10.0, 5.0, 6.0, 4.0],
        }
    )
    found = chapter6.with_speedups(frame)
    assert found["makespan_speedup"].tolist() == [1, 2, 1, 1.5]
    assert found["makespan_speedup_textbook"].isna().all()


def brute_front(points, x, y):
    """Slow, obvious: a point is optimal if none is as good in both and better in one."""
    values = points[[x, y]].to_numpy() * [1 if METRICS[name].high else -1 for name in (x, y)]
    return [
        not any((other >= own).all() and (other > own).any() for other in values) for own in values
    ]


@pytest.mark.parametrize("axes", [("slowdown", "makespan_speedup"), ("slowed", "slowdown")])
@pytest.mark.parametrize("seed", range(5))
def test_front_is_what_the_definition_says(axes, seed):
    stream = np.random.default_rng(seed)
    names = stream.choice(SCHEDULERS, 60)
    values = stream.integers(0, 8, (60, 2)).astype(float)
    points = pd.DataFrame(
        {"scheduler": names, "workload": 0, **dict(zip(axes, values.T, strict=True))}
    )
    found = chapter6.front(points, *axes)
    assert found["optimal"].tolist() == brute_front(points, *axes)


def test_correlations_are_between_minus_one_and_one_with_themselves_one(runs):
    table = chapter6.correlations(runs(), "kendall")
    assert np.allclose(np.diag(table), 1)
    assert table.abs().to_numpy().max() <= 1 + 1e-12


def test_correlations_are_of_the_theses_schedulers_and_a_readers_own(runs):
    own = runs()
    wild = own[own["scheduler"] == "EASY"].assign(scheduler="wild")
    wild = wild.assign(**{name: 1000.0 * np.arange(len(wild)) for name in METRICS})
    both = pd.concat([own, wild])
    pd.testing.assert_frame_equal(
        chapter6.correlations(both, "pearson"), chapter6.correlations(own, "pearson")
    )
    counted = chapter6.correlations(both, "pearson", ["wild"])
    assert (counted.to_numpy() > 0.99).all()


def example(early=1.2, late=1.0):
    """Return a schedule whose job speedups change half way."""
    end = np.arange(1.0, 101.0)
    speedup = np.where(end <= 50, early, late)
    return pd.DataFrame({"start": end - 1.0, "end": end, "time": speedup})


def test_claims_follow_from_the_printed_tables_or_are_reported_as_failed(printed, runs):
    table = claims.check(printed, runs(), runs(30), example()).set_index("claim")
    told = table["printed"]
    assert told["SJF-Filler reaches the highest makespan speedup"] == "holds"
    below = "the schedulers with a mean makespan speedup below 1 are SJF-Co"
    assert told[f"{below}, Popularity and FCFS"] == "fails"
    assert told[f"{below} and FCFS"] == "holds"
    assert told["LJF, LJF-Co and LAF-Co follow in utilization"] == "fails"
    same = table[told != ""]
    assert (same["printed"] == same["ten"]).all()


def test_claim_fails_when_the_numbers_say_otherwise(printed, runs):
    moved = shift("Filler", "makespan_speedup", 0.1)
    table = claims.check(printed, runs(10, moved), runs(), example(1.0, 1.2)).set_index("claim")
    row = table.loc["SJF-Filler reaches the highest makespan speedup"]
    assert (row["ten"], row["many"]) == ("fails", "holds")
    assert "Filler 1.186" in row["found"]
    assert table["ten"].iloc[-1] == "fails"
