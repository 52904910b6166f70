"""Expressions as sums, and their static part."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.exports.slurm.sums import ONE, static_equivalent, terms
from schedlab.policies import ExpressionError
from schedlab.policies.expression import compile_expression

atoms = st.sampled_from(["r", "n", "s", "w", "2", "0.25", "7.5"])
SUMS = st.recursive(
    atoms,
    lambda parts: st.one_of(
        st.tuples(parts, st.sampled_from("+-*"), parts).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(parts, st.sampled_from("rn")).map(lambda t: f"({t[0]} / {t[1]})"),
        parts.map(lambda one: f"(-{one})"),
    ),
    max_leaves=6,
)
columns = st.tuples(*[st.lists(st.integers(1, 50), min_size=6, max_size=6)] * 3)


@pytest.mark.slow
@given(SUMS, columns, st.integers(0, 50))
def test_terms_add_up_to_the_expression(expression, columns, wait):
    r, n, s = (np.array(column, dtype=float) for column in columns)
    found = sum(
        value * r**a * n**b * s**c * float(wait) ** d
        for (a, b, c, d), value in terms(expression).items()
    )
    np.testing.assert_allclose(
        compile_expression(expression).scores(r, n, s, float(wait)), found, rtol=1e-9, atol=1e-6
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("s", {(0, 0, 1, 0): 1.0}),
        ("r * n - n * r + 2", {ONE: 2.0}),
        ("+r / n / 4", {(1, -1, 0, 0): 0.25}),
        ("(r + n)**2", {(2, 0, 0, 0): 1.0, (1, 1, 0, 0): 2.0, (0, 2, 0, 0): 1.0}),
        ("r**8", {(8, 0, 0, 0): 1.0}),
        ("r**0", {ONE: 1.0}),
        ("r**9", None),
        ("r**0.5", None),
        ("r**-1", None),
        ("1 / (r + n)", None),
        ("1 / (r - r)", None),
        ("log10(s)", None),
        ("r + max(n, s)", None),
        ("2 - sqrt(n)", None),
        ("sqrt(n) * r", None),
    ],
)
def test_terms_by_hand(expression, expected):
    assert terms(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("r * n", "r * n"),
        ("log10(s) + n", "log10(s) + n"),
        ("r - 0.1 * w", "r - 0.1 * -s"),
        ("-w", "--s"),
        ("w / 2 + n * s", "-s / 2 + n * s"),
        ("w / r", None),
        ("r + w * n", None),
        ("w**2", None),
        ("sqrt(w)", None),
    ],
)
def test_static_part_by_hand(expression, expected):
    assert static_equivalent(expression) == expected


@given(columns, st.integers(50, 90), st.sampled_from(["r - 0.1 * w", "n * 2 - w / 3 + s", "-w"]))
def test_static_order_equals_that_of_any_moment(columns, now, expression):
    r, n, s = (np.array(column, dtype=float) for column in columns)
    moving = compile_expression(expression).scores(r, n, s, now - s)
    resting = compile_expression(static_equivalent(expression)).scores(r, n, s)
    np.testing.assert_allclose(np.diff(moving), np.diff(resting), rtol=1e-9, atol=1e-9)


def test_incomplete_expression_is_rejected():
    with pytest.raises(ExpressionError):
        terms("r +")
