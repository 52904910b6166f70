"""The value of learned weights on other periods."""

import numpy as np
import pandas as pd
import pytest

from schedlab.files.io import read_parquet, write_parquet
from schedlab.studies.legrand2018 import adaptation
from schedlab.studies.legrand2018.adaptation import GREEDY, OPTIMUM, TRAINED
from schedlab.studies.legrand2018.periods import PURE_COLUMNS, Surface

WEIGHTS = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])


@pytest.fixture
def surface():
    values = [[3.0, 1, 9, 4], [2, 8, 8, 4], [5, 5, 9, 5], [7, 1, 3, 4]]
    return Surface(WEIGHTS, np.arange(1, 5), np.array(values))


def pure(**columns):
    frames = [
        pd.DataFrame({"threshold": threshold, "policy": name, "piece": range(1, 5), "jobs": 10,
                      "avebsld": values})
        for name, values in columns.items()
        for threshold in (pd.NA, 200000)
    ]  # fmt: skip
    return pd.concat(frames).astype(PURE_COLUMNS)


def test_a_surface_survives_its_frame(surface, tmp_path):
    write_parquet(surface.to_frame(), tmp_path / "surface.parquet")
    again = Surface.from_frame(read_parquet(tmp_path / "surface.parquet"))
    for field in ("weights", "pieces", "values"):
        assert np.array_equal(getattr(again, field), getattr(surface, field))


def test_a_surface_without_periods_survives_its_frame():
    empty = Surface(WEIGHTS, np.array([], dtype=np.int64), np.empty((0, 4)))
    again = Surface.from_frame(empty.to_frame())
    assert (len(again), again.values.shape) == (0, (0, 4))


def test_the_optimum_of_a_period_is_its_smallest_value(surface):
    best = adaptation.optima(surface)
    assert best["value"].tolist() == [1, 2, 5, 1]
    assert best["ties"].tolist() == [1, 1, 3, 1]


def test_of_several_optima_the_one_nearest_to_their_mean_is_shown(surface):
    assert adaptation.optima(surface).loc[2, ["q", "p", "wait"]].tolist() == [0.5, 0.5, 0]


def test_nearest_to_the_mean_is_chosen_among_the_tied_only():
    """The mean of the tied is (0.425, 0.075): they are 0.58, 0.40, 0.48 and 1.43 from it.

    The first of all, which does not tie, is nearer.
    """
    weights = [[0.4, 0, 0], [1, 0, 0], [0.8, 0.2, 0], [0.9, 0.1, 0], [-1, 0, 0]]
    assert adaptation.representative(np.array(weights), np.array([1, 2, 3, 4])) == 2


def test_a_vector_without_q_is_on_both_sides_of_the_diamonds():
    weights = np.array([[-0.4, 0.6, 0], [0, 1, 0], [0.3, 0, 0.7]])
    space = Surface(weights, np.array([2, 5]), np.array([[4.0, 5, 6], [7, 8, 9]]))
    found = adaptation.diamonds(space)
    assert list(found) == ["piece", "side", "p", "wait", "avebsld"]
    assert found.index.tolist() == list(range(8))
    assert found.to_numpy().tolist() == [
        [2, "q <= 0", 0.6, 0, 4],
        [2, "q <= 0", 1, 0, 5],
        [2, "q >= 0", 1, 0, 5],
        [2, "q >= 0", 0, 0.7, 6],
        [5, "q <= 0", 0.6, 0, 7],
        [5, "q <= 0", 1, 0, 8],
        [5, "q >= 0", 1, 0, 8],
        [5, "q >= 0", 0, 0.7, 9],
    ]


def test_weights_are_learned_from_the_sum_over_the_training_periods(surface):
    assert adaptation.trained(surface, 1, 2) == 0
    assert adaptation.trained(surface, 1, 4) == 1
    assert adaptation.trained(surface, 4, 4) == 1


def test_first_period_has_no_predecessor_and_others_use_its_optimum(surface):
    worth = adaptation.after(surface, 1)
    assert np.isnan(worth[0])
    # from the third period three vectors are taken over, and their mean is what is expected
    assert worth[1:].tolist() == [8, 5, 4]


def test_a_window_looks_back_as_far_as_there_is(surface):
    assert adaptation.after(surface, 2)[1:].tolist() == [8, 5, 7]
    assert adaptation.after(surface, 99)[2:].tolist() == [5, 7]


def test_table_by_period_has_pure_and_mixed_policies(surface):
    runs = pure(saf=[4.0, 4, 4, 4], fcfs=[9.0, 9, 9, 9])
    table = adaptation.by_period(surface, runs, 200000, (1, 2))
    assert list(table) == [OPTIMUM, TRAINED, GREEDY, "saf", "fcfs"]
    assert table.index.tolist() == [1, 2, 3, 4]
    assert table[OPTIMUM].tolist() == [1, 2, 5, 1]
    assert table[TRAINED].tolist() == [3, 2, 5, 7]
    assert table[GREEDY].isna().tolist() == [True, False, False, False]
    assert table[GREEDY].tolist()[1:] == [8, 5, 4]
    assert adaptation.sums(table, 2, 4)[OPTIMUM] == 8
    assert adaptation.sums(table, 2, 4)["saf"] == 12


def test_no_threshold_is_a_separate_threshold(surface):
    runs = pure(saf=[4.0, 4, 4, 4])
    runs.loc[runs["threshold"].isna(), "avebsld"] = 1.0
    assert adaptation.pure_by_period(runs, None)["saf"].tolist() == [1.0] * 4


def test_without_periods_there_are_columns_and_no_rows(surface):
    nothing = pure(saf=[1.0] * 4).iloc[:0]
    table = adaptation.by_period(surface.between(9, 9), nothing, 200000, (1, 2))
    assert table.empty
    assert list(table) == list(adaptation.LEARNED)


def test_range_after_ties_is_that_of_the_vectors_that_were_best_together(surface):
    """In the third period vectors 0, 1 and 3 are best; in the fourth they give 7, 1 and 4."""
    ends = adaptation.after_ties(surface)
    assert np.isnan(ends[0]).all()
    assert ends[1:].tolist() == [[8, 8], [5, 5], [1, 7]]
