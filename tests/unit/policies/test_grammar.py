"""The grammar of policies: typed, limited in size, with one form for equal expressions."""

import numpy as np
import pytest

from schedlab.policies.expression import compile_expression
from schedlab.policies.grammar import (
    CONSTANT,
    NOT_NEGATIVE,
    POSITIVE,
    REAL,
    TYPES,
    canonical,
    draw_tree,
    places_of,
    replaced,
    size_of,
    text_of,
    type_of,
)

R, N, S, W = (("r",), ("n",), ("s",), ("w",))
#: jobs with the least and with large values
JOBS = (np.array([1, 9, 86_400]), np.array([1, 64, 9000]), np.array([0, 5, 10**6]))
WAITS = np.array([0, 60, 10**5])


def trees(count, most=13, kind=REAL):
    stream = np.random.default_rng(7)
    return [draw_tree(stream, int(stream.integers(1, most + 1)), kind) for _ in range(count)]


def scored(tree):
    return compile_expression(text_of(tree)).checked(*JOBS, WAITS)


@pytest.mark.parametrize("kind", TYPES)
def test_drawn_trees_have_the_type_and_at_most_the_size(kind):
    stream = np.random.default_rng(3)
    for size in (1, 2, 5, 13):
        for _ in range(50):
            tree = draw_tree(stream, size, kind)
            assert size_of(tree) <= size
            assert TYPES.index(type_of(tree)) <= TYPES.index(kind)


def test_all_sizes_and_operations_are_drawn():
    drawn = trees(2000)
    assert {size_of(tree) for tree in drawn} == set(range(1, 14))
    names = {part[0] for tree in drawn for _, part in places_of(tree)}
    assert names == {
        *("r", "n", "s", "w", "constant", "add", "sub", "mul", "div", "pow", "min", "max", "neg"),
        *("abs", "sqrt", "cbrt", "exp", "log10"),
    }


def test_typed_trees_have_scores_unless_numbers_overflow():
    for tree in trees(500):
        score, faulty = scored(tree)
        if faulty >= 0:
            # only a power or an exponential can leave the range of floats
            assert {"pow", "exp"} & {part[0] for _, part in places_of(tree)}, text_of(tree)
        if type_of(tree) == POSITIVE and faulty < 0:
            assert (score >= 0).all()


@pytest.mark.parametrize(
    ("tree", "kind"),
    [
        (R, POSITIVE),
        (W, NOT_NEGATIVE),
        (("constant", 2.0), CONSTANT),
        (("add", R, W), POSITIVE),
        (("sub", R, N), REAL),
        (("log10", W), REAL),
        (("div", R, W), None),
        (("sqrt", ("sub", R, N)), None),
        (("log10", ("neg", R)), None),
        (("pow", R, N), None),
        (("constant", -1.0), None),
        (("constant", float("inf")), None),
        (("add", R, ("div", N, S)), None),
    ],
)
def test_types(tree, kind):
    assert type_of(tree) == kind


def test_size_below_one_is_an_error():
    with pytest.raises(ValueError, match="the size of expressions is 0, must be at least 1"):
        draw_tree(np.random.default_rng(1), 0)


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (("mul", R, N), "n * r"),
        (("mul", N, R), "n * r"),
        (("sub", R, N), "r - n"),
        (("sub", N, R), "n - r"),
        (("log10", ("mul", ("constant", 5.0), ("sqrt", R))), "r"),
        (("sub", R, ("constant", 5.0)), "r"),
        (("div", ("constant", 5.0), R), "5 / r"),
        (("neg", ("neg", R)), "r"),
        (("max", R, R), "r"),
        (("abs", S), "s"),
        (("add", ("mul", R, ("add", ("constant", 2.0), ("constant", 3.0))), N), "5 * r + n"),
        (("abs", ("sub", R, N)), "abs(r - n)"),
    ],
)
def test_canonical_form(tree, text):
    assert text_of(canonical(tree)).replace(".0", "") == text.replace(".0", "")


def test_the_canonical_form_keeps_the_order_and_is_final():
    compared = 0
    for tree in trees(400):
        short = canonical(tree)
        assert size_of(short) <= size_of(tree)
        assert canonical(short) == short
        assert type_of(short) is not None
        (before, faulty), (after, faulty_after) = scored(tree), scored(short)
        # a root that overflows or flattens loses an order that the canonical form still has
        if faulty < 0 and faulty_after < 0 and len(set(before)) == len(set(after)) == 3:
            assert np.array_equal(np.argsort(before), np.argsort(after)), text_of(tree)
            compared += 1
    assert compared > 100


def test_subtrees_are_replaced_at_their_places():
    tree = ("add", ("mul", R, N), ("sqrt", W))
    places = dict(places_of(tree))
    assert places[()] == tree
    assert places[1, 2] == N
    assert replaced(tree, (1, 2), S) == ("add", ("mul", R, S), ("sqrt", W))
    assert replaced(tree, (), R) == R
