"""Lists of host names."""

import pytest

from schedlab.traces.slurm.hostlist import expand


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gn1", ["gn1"]),
        ("n[001-003,090],gn1", ["n001", "n002", "n003", "n090", "gn1"]),
        ("x[1-2]y[3-4]", ["x1y3", "x1y4", "x2y3", "x2y4"]),
        ("n[9-11]", ["n9", "n10", "n11"]),
        ("n[098-101]", ["n098", "n099", "n100", "n101"]),
        (" a , b[2]-ib ", ["a", "b2-ib"]),
    ],
)
def test_names_of_a_list(text, names):
    assert expand(text) == names


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("n[1-2", r"'n\[1-2' is no name; write lists like"),
        ("n[]", "'' is no range"),
        ("n[5-3]", "'5-3' is no range"),
        ("n[1-b]", "'1-b' is no range"),
        ("a,,b", "'' is no name"),
        ("a b", "'a b' is no name"),
        ("n[1-99999999]", "is no range"),
        ("n[1-2000]x[1-2000]", "more than 1,000,000 names"),
        ("n[1-600000],m[1-600000]", "more than 1,000,000 names"),
    ],
)
def test_list_without_meaning_is_an_error(text, problem):
    with pytest.raises(ValueError, match=problem):
        expand(text)
