"""Tables as text: rounding, text cells and alignment."""

import numpy as np
import pandas as pd
import pytest

from schedlab.report import tables

MIXED = pd.DataFrame({"name": ["a", "b"], "jobs": [7, 12], "mean": [1.2345, np.nan]})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.2345, "1.23"),
        (1.235001, "1.24"),
        (np.float32(1.5), "1.50"),
        (np.nan, ""),
        (np.float32("nan"), ""),
        (12, "12"),
        ("1.2345", "1.2345"),
        (None, "None"),
    ],
)
def test_a_cell_has_two_decimals_where_it_has_any(value, text):
    assert tables.show(value) == text


def test_cell_has_the_given_number_of_decimals():
    assert tables.show(1.2345, 3) == "1.234"
    assert tables.show(1.2345, 0) == "1"


def test_numbers_are_right_aligned_and_names_left():
    assert tables.markdown(MIXED).splitlines() == [
        "| name   |   jobs |   mean |",
        "|:-------|-------:|-------:|",
        "| a      |      7 |   1.23 |",
        "| b      |     12 |        |",
    ]
    assert tables.markdown(MIXED).endswith("|\n")


def test_column_with_a_number_among_words_is_right_aligned():
    frame = pd.DataFrame(
        {"one": [np.int64(3), "-"], "two": ["-", np.float32(1)], "text": ["3.50", "1.5"]},
        dtype=object,
    )
    assert tables.markdown(frame).splitlines()[1:] == [
        "|------:|------:|:-------|",
        "|     3 |     - | 3.50   |",
        "|     - |  1.00 | 1.5    |",
    ]


def test_decimals_are_of_all_columns_or_of_those_that_are_named():
    frame = pd.DataFrame({"a": [1.23456], "b": [1.23456]})
    assert tables.markdown(frame, 3).splitlines()[2] == "| 1.235 | 1.235 |"
    assert tables.markdown(frame, {"a": 1}).splitlines()[2] == "| 1.2 | 1.23 |"


def test_csv_has_six_decimals_and_empty_cells_for_nan(tmp_path):
    frame = MIXED.assign(
        mixed=pd.Series([np.float32(0.5), "log not available"], dtype=object),
        half=[0.1234566, 1e-7],
    )
    tables.write_csv(frame, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == (
        "name,jobs,mean,mixed,half\n"
        "a,7,1.234500,0.500000,0.123457\n"
        "b,12,,log not available,0.000000\n"
    )


def test_a_markdown_file_has_a_title_and_a_note_where_there_is_one(tmp_path):
    frame = pd.DataFrame({"a": [1.2345]})
    rows = "|    a |\n|-----:|\n| 1.23 |\n"
    tables.write_markdown(frame, tmp_path / "a.md", "Title")
    assert (tmp_path / "a.md").read_text() == f"# Title\n\n{rows}"
    tables.write_markdown(frame, tmp_path / "a.md", "Title", "Note.")
    assert (tmp_path / "a.md").read_text() == f"# Title\n\n{rows}\nNote.\n"
    tables.write_markdown(frame, tmp_path / "a.md", "Title", decimals=1)
    assert (tmp_path / "a.md").read_text().endswith("| 1.2 |\n")
