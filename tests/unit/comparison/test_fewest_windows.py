"""The documentation's table of how many windows a verdict needs, from the rules of comparisons."""

import re

import numpy as np
import pytest

from docs_case import ROOT
from schedlab.comparison.comparing import FEWEST_WINDOWS
from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.comparison.standing import LEVEL, nemenyi
from schedlab.core.intervals import holm

ROWS = re.findall(
    r"^\| (\d+) \| (\d+) \| (\d+) \|$",
    (ROOT / "docs/papers/arena.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def sign_test(windows, rivals):
    """Adjusted p-value of being better in every window, if nothing is known of the other rivals."""
    return holm(np.array([2 * 0.5**windows, *np.ones(rivals - 1)]))[0]


def fewest(is_enough):
    return next(windows for windows in range(1, 1000) if is_enough(windows))


@pytest.mark.parametrize("row", ROWS, ids="-".join)
def test_windows_of_the_page_are_those_of_the_rules(row):
    rivals, better, ranked = map(int, row)
    assert fewest(lambda windows: sign_test(windows, rivals) < LEVEL) == better
    assert fewest(lambda windows: nemenyi(rivals + 1, windows) < (rivals + 1) / 4) == ranked


def test_page_has_one_rival_and_the_whole_arena():
    assert int(ROWS[0][0]) == 1
    assert int(ROWS[-1][0]) >= len(SCHEDULERS) - 1
    assert int(ROWS[0][1]) == FEWEST_WINDOWS
