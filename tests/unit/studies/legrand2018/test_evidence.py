"""Where sums of Table 2 that are not reproduced can lie."""

import numpy as np
import pandas as pd
import pytest

from period_case import ON_MODEL, WEEKS, experiment, pure, search
from schedlab.studies.legrand2018.periods import Surface
from schedlab.studies.legrand2018.statistics import evidence

# Training: weeks 2 to 4; testing: weeks 5 and 6; week 1 is in neither.
AFTER = {"SAF": "6.00", "FCFS": "24.00"}


def surface(values):
    """Return a space of three vectors with these values in every week."""
    return Surface(np.eye(3), np.arange(1, WEEKS + 1), np.array([values] * WEEKS, dtype=float))


def sums_of(published, totals, training=AFTER, **changes):
    """Return the evidence of published training and testing sums, by row, column and kind."""
    table = pd.DataFrame({"Training": training | published, "Testing": "1.00"})
    searches = pd.concat(
        [
            search().assign(setting="as used", changed_to=""),
            search().assign(
                setting="sigma", changed_to="1.0", value=lambda found: found["value"] + 1
            ),
        ]
    )
    surfaces = {"deviation": surface([1, 1, 5]), "maximum": surface([3, 4, 4])}
    found = evidence(experiment(**changes), surfaces, searches, pure(), table, pd.Series(totals))
    return found.set_index(["row", "column", "evidence"])


def test_optimum_has_the_range_of_searches_by_the_number_of_features():
    """Three features: 2 and 3 a week by searches, 1 and 3 on grids; six: 1.9 and 2.9."""
    found = sums_of({"w*": "5.70"}, {})
    three, six = (found.loc[("w*", "Training", f"searches with {n} features")] for n in (3, 6))
    assert (three["low"], three["high"]) == (3, 9)
    assert (six["low"], six["high"]) == pytest.approx((5.7, 8.7))
    assert (three["inside"], six["inside"]) == ("yes", "yes")
    assert found.loc[("w*", "Testing", "searches with 6 features"), "low"] == pytest.approx(3.8)


@pytest.mark.parametrize(
    ("text", "inside"), [("2.99", "no"), ("3.00", "yes"), ("11.00", "yes"), ("11.01", "no")]
)
def test_greedy_weights_have_the_range_of_equally_good_vectors(text, inside):
    """The vectors that are best together in weeks 1 and 3 have 1 and 5 in the next week."""
    tied = surface([1, 1, 5])
    tied.values[1::2, 1] = 5
    published = pd.DataFrame({"Training": {"w_greedy": text}, "Testing": {"w_greedy": "1"}})
    none = search().assign(setting="as used", changed_to="")
    found = evidence(experiment(), {"maximum": tied}, none, pure(), published, pd.Series())
    row = found[(found["column"] == "Training") & (found["row"] == "w_greedy")].iloc[0]
    assert row["evidence"] == "equally good vectors, scaling: maximum"
    assert (row["low"], row["high"]) == (3, 11)
    assert row["inside"] == inside


@pytest.mark.parametrize(
    ("text", "inside"), [("5.98", "no"), ("5.99", "yes"), ("6.00", "yes"), ("6.01", "no")]
)
def test_pure_policies_have_what_the_sum_over_all_weeks_leaves(text, inside):
    """SAF has 2 in each of six weeks: of 12.00 the other three leave 6, or half a unit less.

    That is cut to 5.99 or 6.00.
    """
    found = sums_of({"SAF": text}, {"SAF": "12.00", "FCFS": "48.00"})
    row = found.loc[("SAF", "Training", "remainder of Table 3")]
    assert (row["low"], row["high"]) == pytest.approx((5.995, 6.005))
    assert row["inside"] == inside
    assert found.loc[("FCFS", "Training", "remainder of Table 3"), "inside"] == "yes"


def test_numbers_of_a_stand_in_have_no_evidence():
    assert sums_of({"w*": "5.70"}, {}, **ON_MODEL).empty
