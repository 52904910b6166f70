"""Policies: the registry and expressions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.policies import REGISTRY, ExpressionError, get
from twins.expression import value


@given(
    st.sampled_from(sorted(REGISTRY)),
    st.integers(1, 10**6),
    st.integers(1, 10**5),
    st.integers(0, 10**8),
    st.integers(0, 10**6),
)
def test_registered_policies_have_the_twins_scores(name, r, n, s, w):
    policy = REGISTRY[name]
    one = [np.array([number]) for number in (r, n, s)]
    assert policy.program.scores(*one, w=float(w))[0] == value(policy.expression, r, n, s, w)


def test_orders_are_recognised():
    assert get("f1").order == "static"
    assert get("wfp3").order == get("unicef").order == "linear"
    assert get("r - w").order == "general"


def test_job_submitted_at_zero_is_first_under_f1():
    """log10(0) is minus infinity."""
    job = [np.array([number]) for number in (100, 4, 0)]
    assert get("f1").program.scores(*job)[0] == -math.inf


def test_one_processor_is_first_under_unicef():
    """log2(1) is 0: its divisor marks it as first of all."""
    assert get("unicef").divisors(np.array([1, 2, 4])).tolist() == [0, 2**57, 2**58]
    some = np.array([4, 1, 2, 2, 4, 1, 3])  # more jobs than numbers of processors
    for name in ("wfp3", "unicef"):
        one_by_one = [get(name).divisors(some[k : k + 1])[0] for k in range(len(some))]
        assert get(name).divisors(some).tolist() == one_by_one


def test_names_are_found_in_any_case_and_by_alias():
    assert get("SPF") is get("sjf") is get("spt")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wfp", "did you mean 'wfp3'"),
        ("r * q", "cannot use 'q'"),
        ("__import__('os')", "cannot use"),
        ("r.real", "cannot use 'r.real'"),
        ("r +", "invalid syntax"),
        ("min(r)", r"min takes 2 argument\(s\), has 1"),
        ("1e999 * r", "not a finite number"),
        ("r if w else n", "cannot use"),
        ("+".join(["(r"] * 40) + ")" * 40, "nested deeper"),
        ("9" * 400, "not a finite number"),
        ("-" * 999 + "r", "nested too deeply"),
        ("(" * 499 + "r" + ")" * 499, "nested"),
        ("-" * 5000 + "r", "longer than 1000 characters"),
    ],
    ids=lambda text: text[:20],
)
def test_anything_else_is_an_error_that_shows_it(text, message):
    with pytest.raises(ExpressionError, match=message):
        get(text)
