"""Rows and the rows derived from them, run in one call."""

from dataclasses import dataclass

import pandas as pd
import pytest

from schedlab.comparison.toggles.rows import NEW, Toggle
from schedlab.comparison.toggles.runs import MOVED, run_toggles


@dataclass(frozen=True)
class Row:
    """A row of a small sheet."""

    experiment: str
    tau: int = 10
    split: str = "weeks"


TOGGLES = (
    Toggle("tau", "τ = 60 s", "tau", {10: 60}, NEW),
    Toggle("split", "months", "split", {"weeks": "months"}, of=("late",)),
)
ROWS = [Row("one"), Row("two", tau=11), Row("absent")]
PRINTED = pd.Series({("one", "early", "fcfs"): "10.0"}, dtype=object)


def numbers(row):
    """Return tau early and twice it late, 1 more with months."""
    more = row.split == "months"
    cells = [("early", "fcfs", row.tau + more), ("late", "fcfs", 2 * row.tau + more)]
    return pd.DataFrame(
        cells if row.experiment != "absent" else [], columns=["column", "policy", "value"]
    )


def test_every_changed_number_has_that_of_its_unchanged_row():
    moved = run_toggles(ROWS, TOGGLES, numbers, PRINTED)
    assert list(moved) == MOVED
    assert moved[["toggle", "experiment", "column", "base", "value"]].to_numpy().tolist() == [
        ["tau", "one", "early", 10, 60],
        ["tau", "one", "late", 20, 120],
        ["split", "one", "late", 20, 21],
        ["split", "two", "late", 22, 23],
    ]
    assert moved["printed"].tolist() == ["10.0", "", "", ""]
    assert moved[["base", "value"]].dtypes.tolist() == ["int64", "int64"]  # as they were found
    assert moved[["cell", "from", "to", "says"]].iloc[0].tolist() == ["tau", "10", "60", NEW]


def test_results_do_not_depend_on_threads():
    one, many = (run_toggles(ROWS, TOGGLES, numbers, PRINTED, threads) for threads in (1, 4))
    pd.testing.assert_frame_equal(one, many)


def test_without_any_log_there_are_no_rows():
    moved = run_toggles([Row("absent")], TOGGLES, numbers, PRINTED)
    assert (len(moved), list(moved)) == (0, MOVED)


def test_two_toggles_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two toggles are called 'tau'"):
        run_toggles(ROWS, [TOGGLES[0], TOGGLES[0]], numbers, PRINTED)


def test_a_derived_row_has_the_numbers_of_its_row():
    def fewer(row):
        return numbers(row).head(1 if row.tau == 60 else 2)

    with pytest.raises(ValueError, match="toggle tau: one has other numbers than before"):
        run_toggles(ROWS, TOGGLES, fewer, PRINTED)
