"""Predicting pairs that nobody measured."""

import numpy as np
import pytest

from schedlab.cosched import pairs
from schedlab.papers.kellari2025 import beyond
from schedlab.workloads.streams import generator


@pytest.fixture
def multiplicative():
    """Speedups that are a row's effect times a column's, with two unknown pairs."""
    stream = generator("tests", "pairs")
    rows, columns = stream.uniform(0.8, 1.3, (2, 12))
    speedup = np.outer(rows, columns)
    holes = speedup.copy()
    holes[2, 3] = holes[3, 2] = np.nan
    return speedup, holes


def test_effects_find_a_multiplicative_truth(multiplicative):
    truth, holes = multiplicative
    found = pairs.effects(holes)
    assert found[2, 3] == pytest.approx(truth[2, 3], rel=0.02)
    assert abs(found[2, 3] - truth[2, 3]) < abs(pairs.row_mean(holes)[2, 3] - truth[2, 3])


def test_row_mean_is_over_what_is_known(multiplicative):
    _, holes = multiplicative
    assert pairs.row_mean(holes)[2, 3] == pytest.approx(np.nanmean(holes[2]))


def test_low_rank_finds_an_interaction_that_effects_miss():
    stream = generator("tests", "rank")
    left, right = stream.choice([-1, 1], (2, 20))
    truth = np.exp(0.2 * np.outer(left, right))
    holes = truth.copy()
    holes[0, 1] = holes[1, 0] = np.nan
    missed = [abs(predict(holes)[0, 1] - truth[0, 1]) for predict in pairs.METHODS.values()]
    assert missed[2] < 0.3 * missed[1]


@pytest.mark.parametrize("method", pairs.METHODS)
def test_row_of_which_nothing_is_known_is_still_predicted(multiplicative, method):
    _, holes = multiplicative
    holes[4] = holes[:, 4] = np.nan
    assert np.isfinite(pairs.METHODS[method](holes)).all()


def test_both_directions_of_a_pair_are_hidden_together_and_each_pair_once(multiplicative):
    _, holes = multiplicative
    hidden = [
        mask for design, _, mask in pairs.leave_out(holes, generator("x")) if design == "pairs"
    ]
    assert all((mask == mask.T).all() for mask in hidden)
    assert (np.sum(hidden, axis=0) == ~np.isnan(holes)).all()


def test_errors_are_of_hidden_pairs_alone(multiplicative):
    _, holes = multiplicative
    found = pairs.errors(pairs.cross_validate(holes, generator("x")))
    rmse = found.set_index(["design", "method"])["rmse"]
    assert rmse["pairs", "effects"] < rmse["pairs", "row_mean"]
    assert set(found["pairs"][found["design"] == "pairs"]) == {142}


def test_sentence_says_which_method_errs_least_whichever_it_is(multiplicative):
    _, holes = multiplicative
    found = pairs.errors(pairs.cross_validate(holes, generator("x")))
    said = beyond.pair_sentences(found)
    assert "row and column" not in said[0]
    assert "against" in said[0]
    worse = found.assign(rmse=np.where(found["method"] == "row_mean", 0.01, 0.5))
    assert "no method beats the mean of the row" in beyond.pair_sentences(worse)[0]


def test_effects_are_shrunk_by_a_tenth_of_a_pair():
    """S(0|0) = S(1|1) = 1, S(0|1) = e, S(1|0) unknown: five equations, (D'D + 0.1 I') b = D'y."""
    speedup = np.array([[1.0, np.e], [np.nan, 1.0]])
    # columns: mu, r0, r1, c0, c1; rows: the pairs (0, 0), (0, 1), (1, 1)
    design = np.array([[1, 1, 0, 1, 0], [1, 1, 0, 0, 1], [1, 0, 1, 0, 1.0]])
    normal = design.T @ design + np.diag([0, 0.1, 0.1, 0.1, 0.1])
    mu, r0, r1, c0, c1 = np.linalg.solve(normal, design.T @ [0, 1, 0])
    wanted = np.exp([[mu + r0 + c0, mu + r0 + c1], [mu + r1 + c0, mu + r1 + c1]])
    assert pairs.effects(speedup) == pytest.approx(wanted)
    # twice as much shrinkage, or half, is told from it
    for other in (0.2, 0.05):
        beta = np.linalg.solve(normal + np.diag([0, *[other - 0.1] * 4]), design.T @ [0, 1, 0])
        assert pairs.effects(speedup)[0, 1] != pytest.approx(np.exp(beta[[0, 1, 4]].sum()), 1e-3)
