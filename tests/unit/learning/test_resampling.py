"""Fits of resampled tuples, by hand: the weighted solution, the error and the best form."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.intervals import resampled_places
from schedlab.core.streams import generator
from schedlab.learning.forms import Form
from schedlab.learning.resampling import (
    COLUMNS,
    _errors,
    _solve,
    best_of_weighted,
    resampled_policies,
)
from schedlab.learning.tuples import TASKS_OF_QUEUE

TURNS = np.tile([1.0, -1.0], TASKS_OF_QUEUE // 2)


def rows_of(*values):
    """Return 32 rows a tuple, all with the tuple's value."""
    return np.repeat(np.array(values, dtype=float), TASKS_OF_QUEUE)


@pytest.mark.parametrize(
    ("weights", "counts", "expected"),
    [
        ((1, 1), (1, 1), 2.0),
        ((1, 1), (3, 1), 1.5),
        ((1, 1), (0, 2), 3.0),
        # weights count as squares, as in equation 4: (4 * 1 + 3) / 5
        ((2, 1), (1, 1), 1.4),
    ],
)
def test_a_constant_is_the_weighted_mean_of_the_tuples(weights, counts, expected):
    """Scores are 1 in the first tuple and 3 in the second."""
    terms, score = np.full((64, 1), 2.0), rows_of(1, 3)
    found = _solve(terms, score, rows_of(*weights), np.array([counts], dtype=float))
    assert found == pytest.approx(np.array([[expected / 2]]))


def test_two_terms_are_separated_and_a_zero_term_gets_zero():
    terms = np.column_stack([np.ones(32), TURNS, np.zeros(32)])
    score = 5 - 3 * TURNS
    found = _solve(terms, score, np.ones(32), np.ones((2, 1)))
    assert found == pytest.approx(np.array([[5, -3, 0]] * 2))


@pytest.mark.parametrize(("share", "expected"), [(1.05e-13, [-1.0, 1.0]), (0.95e-13, [0.0, 0.0])])
def test_terms_that_differ_by_rounding_count_as_the_same(share, expected):
    """Terms of 1 and of 1 and d by turns: of their squares d^2 / 4 is what they do not share."""
    step = 2 * np.sqrt(share) * TURNS
    found = _solve(np.column_stack([np.ones(32), 1 + step]), step, np.ones(32), np.ones((1, 1)))
    assert found[0] == pytest.approx(expected, abs=0.02)


# Six tuples, more than are added up at a time; every score of the k-th is k. With all tuples once
# and a prediction of 0 the mean error is 2.5; with the last one twice and one of 2 it is 3.
TERMS, SCORE = np.ones((192, 1)), rows_of(0, 1, 2, 3, 4, 5)
COUNTS = np.array([[1.0] * 6, [0.0] * 5 + [2.0]])
ERRORS = np.array([2.5, 3.0])


@pytest.mark.parametrize(
    ("least", "expected"),
    [
        ((np.inf, np.inf), (2.5, 3.0)),
        ((2.500001, 3.000001), (2.5, 3.0)),
        ((2.5, 3.0), (np.inf, np.inf)),
        # left after the first four tuples: 0 + 1 + 2 + 3 are over 6 times 0.9 already
        ((0.9, 4.0), (np.inf, 3.0)),
        ((4.0, 0.0), (2.5, np.inf)),
    ],
)
def test_error_is_computed_only_below_the_least(least, expected):
    found = _errors(TERMS, np.array([[0.0], [2.0]]), SCORE, COUNTS, np.array(least))
    assert found.tolist() == list(expected)


def test_errors_are_sizes_of_residuals_above_and_below():
    """A prediction of 1: 1, 0, 1, 2, 3 and 4, of which the mean is 11 / 6."""
    found = _errors(TERMS, np.array([[1.0]]), SCORE, COUNTS[:1], np.array([np.inf]))
    assert found == pytest.approx([11 / 6])


def test_unpredictable_form_has_an_infinite_error():
    found = _errors(TERMS, np.array([[np.nan]]), SCORE, COUNTS[:1], np.array([np.inf]))
    assert found.tolist() == [np.inf]


def tuples_with(*functions):
    """Tuples whose scores are functions of run time, processors and submit time."""
    rng, tuples = np.random.default_rng(1), []
    for function in functions:
        r, n = rng.integers(1, 1000, 32), rng.integers(1, 64, 32)
        s = np.sort(rng.integers(1, 9000, 32))
        tuples.append(
            pd.DataFrame({"runtime": r, "procs": n, "submit": s, "score": function(r, n, s)})
        )
    return pd.concat(tuples, ignore_index=True).astype(float)


def test_each_resample_has_the_form_and_coefficients_of_its_tuples():
    """The first tuple's scores are 2 log10(r) n + 3 s, the second's 5 sqrt(r) + 7 n + s."""
    scores = tuples_with(
        lambda r, n, s: 2 * np.log10(r) * n + 3 * s, lambda r, n, s: 5 * np.sqrt(r) + 7 * n + s
    )
    found = best_of_weighted(scores, np.array([[2, 0], [0, 1]]))
    assert list(found) == list(COLUMNS)
    assert found["resample"].tolist() == [0, 1]
    assert found["function"].tolist() == ["log10(r) * n + s", "sqrt(r) + n + s"]
    first, second = found[["c1", "c2", "c3"]].to_numpy()
    # Of a product one coefficient cannot be distinguished from the other.
    assert first == pytest.approx([2, 1, 3], rel=1e-5)
    assert second == pytest.approx([5, 7, 1], rel=1e-5)
    assert found["rank_error"].tolist() == pytest.approx([0, 0], abs=1e-4)
    assert found["formula"].tolist() == [
        "log10(r) * n + 1.50e0 * s",
        "sqrt(r) + 1.40e0 * n + 2.00e-1 * s",
    ]
    form = Form("sqrt", "id", "id", "+", "+")
    assert found["policy"].tolist()[1] == form.policy(second)


def test_resamples_are_the_places_that_the_stream_draws_of_whole_tuples():
    scores = tuples_with(*[lambda r, n, s: r * n + 0.1 * s + np.cos(r)] * 3)
    drawn = resampled_places(3, 5, generator("key", 1))
    counts = np.array([[(row == place).sum() for place in range(3)] for row in drawn])
    assert (counts[:, 2] == 0).any()
    expected = best_of_weighted(scores, counts)
    pd.testing.assert_frame_equal(resampled_policies(scores, 5, "key", 1), expected)


def test_without_a_tuple_there_are_columns_and_no_rows():
    none = resampled_policies(tuples_with(lambda r, _n, _s: r).iloc[:0], 5, "key")
    assert list(none) == list(COLUMNS)
    assert none.dtypes.astype(str).to_dict() == COLUMNS
    assert none.empty
