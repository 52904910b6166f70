"""Chapter 6 of kellari2025 as numbers: makespan speedups, fronts, correlations."""

import numpy as np
import pandas as pd
import pytest

from schedlab.cosched.pool import read_pool
from schedlab.report.comparison import read_published, read_reasons
from schedlab.studies.kellari2025.figures import grids
from schedlab.studies.kellari2025.tables import chapter6
from schedlab.studies.kellari2025.tables.chapter6 import METRICS, SCHEDULERS


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
def test_front_equals_that_of_a_brute_force_search(axes, seed):
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


def test_correlations_include_user_schedulers_only_when_named(runs):
    own = runs()
    wild = own[own["scheduler"] == "EASY"].assign(scheduler="wild")
    wild = wild.assign(**{name: 1000.0 * np.arange(len(wild)) for name in METRICS})
    both = pd.concat([own, wild])
    pd.testing.assert_frame_equal(
        chapter6.correlations(both, "pearson"), chapter6.correlations(own, "pearson")
    )
    counted = chapter6.correlations(both, "pearson", ["wild"])
    assert (counted.to_numpy() > 0.99).all()


PUBLISHED = "resources/kellari2025/published.tsv"
REASONS = "resources/kellari2025/reasons.tsv"


@pytest.fixture(scope="module")
def compare(root):
    def against(pool):
        printed = read_published(root / PUBLISHED, "table4_1")
        reasons = read_reasons(root / REASONS, "table4_1")
        return grids.compare_table4_1(printed, grids.table4_1(pool), pool.label, reasons)

    return against


def test_table4_1_is_every_pair_of_one_application(pool):
    table = grids.table4_1(pool)
    assert len(table) == 31
    assert set(table["name_A"]) == {"bt.D.256"}
    assert table["co_A_B"].isna().sum() == table["co_B_A"].isna().sum() == 4


def test_table4_1_is_not_compared_with_itself(pool, compare):
    assert set(compare(pool)["verdict"]) == {"log not available"}


@pytest.mark.logs
def test_published_part_of_the_heatmap_follows_from_the_pool(raw_pool, compare):
    table = compare(read_pool(raw_pool("aris-nas"), "aris-nas"))
    assert len(table) == 31 + 2 * 27
    other = table[table["verdict"] != "match"]
    assert set(other["name_B"]) == {"bt.D.256"}
    assert other["reason"].str.contains("two copies").all()


def test_problem_sizes_have_their_exponents_and_applications_are_counted(root, pool):
    sizes = pd.read_csv(root / "resources/kellari2025/table4_2.tsv", sep="\t", dtype=str)
    table = grids.table4_2(sizes, pool).set_index(["benchmark", "parameter"])
    assert table.at[("EP", "no. of random-number pairs"), "class_d"] == "2^36"
    assert table.at[("IS", "no. of keys"), "class_e"] == "2^35"
    assert table.loc["BT", "applications_d"].tolist() == [3, 3, 3]
    assert table.loc["EP", "applications_d"].tolist() == [0]


def test_pairs_are_grouped_by_the_next_power_of_two(pool):
    groups = grids.by_processes(pool).drop_duplicates("name_A").set_index("name_A")["processes"]
    assert groups["bt.D.512"] == 512
    assert groups["bt.E.2048"] == 2048
    assert set(groups) == {64, 128, 256, 512, 1024, 2048}
