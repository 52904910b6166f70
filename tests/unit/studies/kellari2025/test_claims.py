"""Claims of the thesis about chapter 6, by hand."""

import numpy as np
import pytest

from chapter6_case import example
from claim_case import claim_of, claims_of
from schedlab.cosched.pool import STAND_IN
from schedlab.studies.kellari2025 import statistics

CLAIMS = claims_of("kellari2025")


@pytest.mark.slow
def test_claims_follow_from_the_printed_tables_or_are_reported_as_failed(printed, runs):
    table = statistics.check_claims(CLAIMS, printed, runs(), runs(30), example()).set_index("claim")
    told = table["printed"]
    assert told["SJF-Filler reaches the highest makespan speedup"] == "holds"
    below = "the schedulers with a mean makespan speedup below 1 are SJF-Co"
    assert told[f"{below}, Popularity and FCFS"] == "fails"
    assert told[f"{below} and FCFS"] == "holds"
    assert told["LJF, LJF-Co and LAF-Co follow in utilization"] == "fails"
    same = table[told != ""]
    decided = same[same["computed"] != "undecided"]
    assert (decided["printed"] == decided["computed"]).all()
    assert len(decided) > 15


def test_a_resample_has_all_schedulers_of_each_workload_that_it_draws(runs):
    own = statistics.Runs.of(runs(8))
    drawn = next(own.resampled())
    assert len(drawn) == 8
    rows = {metric: values.tolist() for metric, values in own.values.items()}
    places = [rows["slowdown"].index(row) for row in drawn["slowdown"].tolist()]
    assert len(set(places)) < 8
    for metric, values in rows.items():
        assert drawn[metric].tolist() == [values[place] for place in places]
        mean = sum(values[place][0] for place in places) / 8
        assert drawn.means()[metric][statistics.SCHEDULERS[0]] == pytest.approx(mean)


def test_correlations_are_over_all_runs():
    """Ranks 1 2 3 4 and 1 2 4 3 have Spearman's 0.8."""
    pair = {"slowdown": [[1.0, 2.0], [3.0, 10.0]], "job_speedup": [[1.0, 2.0], [9.0, 3.0]]}
    found = statistics.Runs({name: np.array(values) for name, values in pair.items()})
    pearson, spearman = found.correlation("slowdown", "job_speedup")
    assert spearman == pytest.approx(0.8)
    assert pearson == pytest.approx(
        np.cov([1, 2, 3, 10], [1, 2, 9, 3])[0, 1] / (50 * 38.75 / 9) ** 0.5
    )


def claim(start):
    """Return the test of the claim whose words begin so."""
    return claim_of("kellari2025", start).test


@pytest.mark.parametrize(
    ("value", "holds"), [(28.75, True), (28.76, False), (17.25, True), (17.24, False)]
)
def test_around_23_percent_is_a_quarter_of_it_to_either_side(printed, value, holds):
    values = printed.astype(float)
    values["slowed"] = 23.0
    values.loc["LAF-Co", "slowed"] = value
    values.loc[["Filler", "Popularity"], "slowed"] = 90.0
    assert claim("the percentage of slowed jobs is around 23 %")(values)[1] is holds


@pytest.mark.parametrize(
    ("value", "holds"), [(19.0, True), (19.01, False), (17.0, True), (16.99, False)]
)
def test_about_18_percent_is_one_to_either_side(printed, value, holds):
    values = printed.astype(float)
    values.loc["SJF-Co", "slowed"] = value
    assert claim("about 18 %")(values)[1] == holds


def test_claims_are_not_tested_on_a_stand_in(printed, runs):
    own = runs(10, pool=f"{STAND_IN}, completed")
    checked = statistics.check_claims(CLAIMS, printed, own, own, example())
    assert set(checked["computed"]) == set(checked["many"]) == {"log not available"}
    assert set(checked["printed"]) == {"holds", "fails", ""}
