"""Derived rows differ in one cell from the rows that they are derived from."""

from dataclasses import dataclass

import pytest

from schedlab.comparison.toggles.rows import NEW, Toggle, apply_toggle, cell_text
from toggles_case import changed_cells


@dataclass(frozen=True)
class Row:
    """A row of a small sheet."""

    experiment: str = "one"
    tau: float = 10
    skip: tuple = (0, 7)


def test_a_derived_row_is_one_cell_away():
    other = apply_toggle(Row(), Toggle("tau", "τ = 60 s", "tau", {10: 60}))
    assert other == Row(tau=60)
    assert changed_cells(Row(), other) == ["tau"]


def test_a_cell_may_be_a_list():
    assert apply_toggle(Row(), Toggle("all", "none left out", "skip", {(0, 7): ()})) == Row(skip=())


def test_rows_with_other_values_have_no_derived_row():
    toggle = Toggle("tau", "τ = 60 s", "tau", {10: 60})
    assert apply_toggle(Row(tau=11), toggle) is None
    assert apply_toggle(Row(tau=60), toggle) is None


def test_a_column_must_be_of_the_sheet():
    with pytest.raises(ValueError, match="toggle t: the sheet has no column 'window'"):
        apply_toggle(Row(), Toggle("t", "a window", "window", {32: 64}))


@pytest.mark.parametrize(
    ("cells", "says", "message"),
    [
        ({10: 10, 20: 20}, NEW, "toggle t: 10 is changed to itself"),
        ({}, NEW, "toggle t: column 'tau': nothing is changed"),
        ({10: 60}, "maybe", "toggle t: says must be one of"),
    ],
)
def test_toggle_needs_a_change_and_a_statement_of_the_text(cells, says, message):
    with pytest.raises(ValueError, match=message):
        Toggle("t", "words", "tau", cells, says)


@pytest.mark.parametrize(
    ("cell", "text"), [((None, 5), "none,5"), (1.5, "1.5"), (60.0, "60"), ("-", "-")]
)
def test_cells_are_written_as_in_the_sheets(cell, text):
    assert cell_text(cell) == text
