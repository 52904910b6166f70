"""Drift: changes of verdicts from the expected ones (worse, better, not run)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from schedlab.report.scoreboard import check_verdicts, grades, of_the_paper
from schedlab.report.verdicts import NOT_AVAILABLE, is_worse

EXPECTED_COLUMNS = ["paper", "item", "dialect", "cell", "verdict", "explained"]
KEY = ["paper", "item", "cell"]
WORSE, BETTER, GONE, NEW, NOT_RUN, SAME = "worse", "better", "gone", "new", "not run", "as expected"
CHANGES = {
    WORSE: "the verdict is worse than the committed one",
    GONE: "is expected and not on the scoreboard any more",
    BETTER: "the verdict is better than the committed one",
    NEW: "is on the scoreboard but not in the expected verdicts",
    NOT_RUN: "has an expected verdict and was not run on the paper’s own data",
    SAME: "the verdict is the committed one",
}


@dataclass(frozen=True)
class Drift:
    """Change of every expected number; if `strict`, a number that was not run is a failure as well.

    Columns of `numbers`: paper, item, cell, expected, got (both of
    `schedlab.report.verdicts.GRADES`, empty if missing), change (of `CHANGES`), published, computed
    and command.
    """

    numbers: pd.DataFrame
    strict: bool = False

    def of(self, change: str) -> pd.DataFrame:
        """Return the numbers that have this change."""
        return self.numbers[self.numbers["change"] == change]

    def counts(self) -> dict[str, int]:
        """Count the numbers of each of `CHANGES`."""
        by_change = self.numbers["change"].value_counts()
        return {change: int(by_change.get(change, 0)) for change in CHANGES}

    @property
    def holds(self) -> bool:
        """Whether no number got worse."""
        counts = self.counts()
        failed = counts[WORSE] + counts[GONE] + (counts[NOT_RUN] if self.strict else 0)
        return failed == 0


def read_expected(path: str | Path) -> pd.DataFrame:
    """Read the committed verdict of every number in every dialect, the dialect of the paper first.

    Raises ValueError if the columns differ, a verdict is unknown or a number appears twice.
    """
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    if list(frame.columns) != EXPECTED_COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {EXPECTED_COLUMNS}")
    check_verdicts(frame, path)
    if (again := frame[frame.duplicated([*KEY, "dialect"])]).size:
        raise ValueError(f"{path}: line {again.index[0] + 2}: this number is listed already")
    return frame


def drift(board: pd.DataFrame, expected: pd.DataFrame, strict: bool = False) -> Drift:
    """Compare the verdicts of a scoreboard with the expected ones.

    Only the first dialect counts, as on the scoreboard. If `strict`, a number that was not run
    counts as worse.
    """
    items = [of_the_paper(item) for _, item in expected.groupby(["paper", "item"], sort=False)]
    paper_rows = pd.concat(items) if items else expected
    paper_rows = paper_rows.assign(expected=grades(paper_rows))[[*KEY, "expected"]]
    computed = board.assign(got=grades(board))[[*KEY, "got", "published", "computed", "command"]]
    merged = paper_rows.merge(computed, on=KEY, how="outer", sort=False).fillna("")
    pairs = zip(merged["expected"], merged["got"], strict=True)
    return Drift(merged.assign(change=[_change(*pair) for pair in pairs]), strict)


def _change(expected: str, got: str) -> str:
    if not expected:
        return NEW
    if not got:
        return GONE
    if expected == got:
        return SAME
    if got == NOT_AVAILABLE:
        return NOT_RUN
    return WORSE if is_worse(got, expected) else BETTER
