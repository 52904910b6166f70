"""Predicting pairs that were not measured."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.streams import generator
from schedlab.cosched import pairs
from schedlab.studies.kellari2025 import beyond


@pytest.fixture
def multiplicative():
    """Speedups that are a row's effect times a column's, with two unknown pairs."""
    stream = generator("tests", "pairs")
    rows, columns = stream.uniform(0.8, 1.3, (2, 12))
    speedup = np.outer(rows, columns)
    holes = speedup.copy()
    holes[2, 3] = holes[3, 2] = np.nan
    return speedup, holes


@pytest.mark.parametrize("method", pairs.METHODS)
def test_row_without_known_pairs_is_still_predicted(multiplicative, method):
    _, holes = multiplicative
    holes[4] = holes[:, 4] = np.nan
    assert np.isfinite(pairs.METHODS[method](holes)).all()


@pytest.mark.slow
def test_predictions_are_of_hidden_pairs_and_the_sentence_names_the_best_method(multiplicative):
    _, holes = multiplicative
    predictions = pairs.cross_validate(holes, generator("x"))
    assert predictions.index.tolist() == list(range(len(predictions)))
    assert (predictions["actual"] == holes[predictions["row"], predictions["column"]]).all()
    found = pairs.errors(predictions)
    rmse = found.set_index(["design", "method"])["rmse"]
    assert rmse["pairs", "effects"] < rmse["pairs", "row_mean"]
    assert set(found["pairs"][found["design"] == "pairs"]) == {142}
    single, _ = beyond.errors_of(found)
    assert single["best"] == single["rmse"].idxmin() != "row_mean"
    worse = found.assign(rmse=np.where(found["method"] == "row_mean", 0.01, 0.5))
    assert beyond.errors_of(worse)[0]["best"] == "row_mean"


def test_effects_solve_the_ridge_equations():
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


def test_means_of_rows_by_hand():
    """One known pair, two, and none: then it is the mean of all that is known."""
    speedup = np.array([[2, np.nan, np.nan], [1, 4, np.nan], [np.nan] * 3])
    with np.errstate(all="raise"):
        found = pairs.row_mean(speedup)
    assert found == pytest.approx(np.repeat([[2], [2.5], [7 / 3]], 3, axis=1))


def test_the_mean_is_not_shrunk():
    """A single known pair is what every pair is taken to be."""
    speedup = np.full((2, 2), np.nan)
    speedup[0, 1] = 1.7
    assert pairs.effects(speedup) == pytest.approx(np.full((2, 2), 1.7))


def test_effects_are_shrunk_by_a_tenth_of_a_pair():
    """Known are log S = 1 and -1; (2a - 1)^2 + 0.1 * 2a^2 is least where 2a is 20/21."""
    speedup = np.array([[np.nan, np.e], [1 / np.e, np.nan]])
    assert np.log(pairs.effects(speedup)) == pytest.approx(np.array([[0, 20], [-20, 0]]) / 21)


# Three interactions without row or column effects, of strength 0.6, 0.4 and 0.3: with the variance
# s = 0.36 + 0.16 + 0.09 as ridge, what is left of a strength d is d - s / 4.
SIGNS = np.array([[1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])
SHRUNK = np.array([0.6, 0.4, 0.3]) - 0.61 / 4


@pytest.mark.parametrize(
    ("predict", "rank"),
    [
        (pairs.low_rank, 1),
        (pairs.METHODS["low_rank_1"], 1),
        (pairs.METHODS["low_rank_2"], 2),
        (lambda speedup: pairs.low_rank(speedup, 3), 3),
    ],
)
def test_factors_are_the_strongest_and_shrunk_by_the_variance(predict, rank):
    logs = np.einsum("k,ki,kj->ij", [0.6, 0.4, 0.3], SIGNS, SIGNS)
    expected = np.einsum("k,ki,kj->ij", SHRUNK[:rank], SIGNS[:rank], SIGNS[:rank])
    assert np.log(predict(2 * np.exp(logs)) / 2) == pytest.approx(expected, abs=1e-6)


def test_unmeasured_pair_does_not_affect_factors():
    """Of 0.5 on a chessboard of two by two 0.5 - 0.25 / 2 is left, whatever a third one adds."""
    speedup = np.full((3, 3), np.nan)
    speedup[:2, :2] = np.exp(0.5 * np.outer([1, -1], [1, -1]))
    found = np.log(pairs.low_rank(speedup))
    assert found[:2, :2] == pytest.approx(0.375 * np.outer([1, -1], [1, -1]))
    assert found[2] == pytest.approx([0, 0, 0])


def test_factors_take_thirty_sweeps():
    """Weak interactions are not found in fewer; one side is fitted to the other in turn."""
    strength, columns = 0.01, 0.1
    for _ in range(30):
        rows = 2 * columns * strength / (2 * columns**2 + strength**2)
        columns = 2 * rows * strength / (2 * rows**2 + strength**2)
    found = pairs.low_rank(np.exp(strength * np.outer([1, -1], [1, -1])))
    assert np.log(found[0, 0]) == pytest.approx(rows * columns, rel=1e-9)


def test_pairs_are_hidden_in_ten_parts_and_in_twenty_groups_of_five(multiplicative):
    truth, _ = multiplicative
    hidden = list(pairs.leave_out(truth, generator("x")))
    designs = [(design, number) for design, number, _ in hidden]
    assert designs == [("pairs", n) for n in range(10)] + [("groups", n) for n in range(20)]
    sizes = [int(np.triu(mask).sum()) for _, _, mask in hidden]
    assert sorted(sizes[:10]) == [7, 7, *[8] * 8]  # of 78 pairs
    assert sizes[10:] == [5 * 7] * 20
    assert all((mask == mask.T).all() for _, _, mask in hidden)
    # with all of five applications held out, no pair would be left to learn from
    few = pairs.leave_out(truth[:5, :5], generator("x"))
    assert [design for design, _, _ in few] == ["pairs"] * 10
    for _, _, mask in hidden[10:]:
        group = mask[np.argmax(mask.sum(axis=1))]  # all that one of the five is kept from
        assert group.sum() == 7
        assert (mask == (group[:, None] != group[None, :])).all()


def test_only_known_pairs_are_hidden_each_once(multiplicative):
    """Also where only one direction was measured, above the diagonal or below."""
    _, holes = multiplicative
    holes[0, 5] = holes[7, 1] = np.nan
    known = ~np.isnan(holes)
    hidden = list(pairs.leave_out(holes, generator("x")))
    assert (
        np.sum([mask for design, _, mask in hidden if design == "pairs"], axis=0) == known
    ).all()
    assert not any((mask & ~known).any() for _, _, mask in hidden)


def test_errors_by_hand():
    """Four predictions; a speedup of exactly 1 is no gain, predicted or not."""
    found = pd.DataFrame(
        {
            "design": "pairs",
            "method": ["row_mean"] * 4 + ["effects"] * 2,
            "actual": [0.8, 1.0, 1.5, 1.9, 1.0, 1.2],
            "predicted": [1.0, 1.4, 1.2, 2.1, 1.1, 1.0],
        }
    )
    first, second = pairs.errors(found).to_dict("records")
    # misses 0.2, 0.4, -0.3, 0.2; the actual ones are 0.5, 0.3, -0.2 and -0.6 from their mean 1.3
    assert (first["method"], first["pairs"]) == ("row_mean", 4)
    assert first["rmse"] == pytest.approx((0.33 / 4) ** 0.5)
    assert first["mae"] == pytest.approx(0.275)
    assert first["bias"] == pytest.approx(0.125)
    assert first["explained"] == pytest.approx(1 - 0.33 / 0.74)
    assert first["sign"] == 75
    assert (second["method"], second["sign"]) == ("effects", 0)
