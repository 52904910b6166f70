"""Rounding of numbers in the files of toggles."""

import pandas as pd
import pytest

from schedlab.comparison.toggles.runs import MOVED
from schedlab.comparison.toggles.writing import write_toggles


@pytest.mark.slow
def test_ratios_and_ranks_have_three_decimals(tmp_path):
    """Two of three policies change places: tau is 1/3. The factor is the square root of 2."""
    rows = [
        ("t", "words", "tau", "10", "60", "neither", "e", "", policy, "", base, value)
        for policy, base, value in (("a", 2.0, 4.0), ("b", 3.0, 3.0), ("c", 8.0, 8.0 * 2**0.5))
    ]
    made = {
        name: tmp_path / f"toggles.{name}"
        for name in ("moved", "csv", "md", "txt", "pdf", "png", "drawn")
    }
    write_toggles(pd.DataFrame(rows, columns=MOVED), "Table 9", made)
    cells = [cell.strip() for cell in made["md"].read_text().split("|")]
    assert "1.414" in cells
    assert "0.333" in cells
