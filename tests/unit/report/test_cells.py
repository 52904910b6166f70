"""Table cells and shared phrases as they are shown."""

import pandas as pd
import pytest

from schedlab.report.cells import cell, crossed, like
from schedlab.report.words import most_often


@pytest.mark.parametrize(
    ("computed", "printed", "shown"),
    [
        ("10315.617000", "10315.62", "10,315.617"),
        ("3630.669828", "3630.66", "3630.670"),
        ("870.962718", "8.70e2", "871.0"),
        ("0.30751", "0.3075", "0.3075"),
        ("-0.00001", "0.1", "0.00"),
        ("28663", "28663", "28663"),
        ("2012", "2011", "2012"),
        ("nan", "3.0", "nan"),
        ("sqrt(r)", "sqrt(r)", "sqrt(r)"),
        ("log not available", "7", "–"),
    ],
)
def test_computed_value_has_one_digit_more_than_published_up_to_four(computed, printed, shown):
    assert like(computed, printed) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *(("-0.001", "0.00"), ("-0.006", "-0.01"), ("9999.994", "9999.99"), ("28663", "28663")),
        *(("10315.617", "10,315.62"), ("-10315.617", "-10,315.62"), ("29.584800", "29.58")),
        *(("ran in 1.5 s", "ran in 1.5 s"), ("1.25E3", "1.25E3"), ("7.", "7.00"), ("", "")),
        *(
            ("inf", "–"),
            ("-inf", "–"),
            ("log not available", "–"),
            ("True", "yes"),
            ("False", "no"),
        ),
    ],
)
def test_fractions_are_rounded_thousands_separated_and_words_kept(text, shown):
    assert cell(text) == shown
    assert cell("-0.009701548", 4) == "-0.0097"


def number(row, column, verdict="match", reason=""):
    """Make a row of a comparison."""
    entry = {"row": row, "column": column, "published": "2.0", "computed": "2.04"}
    return entry | {"verdict": verdict, "reason": reason}


def test_cross_table_keeps_the_order_of_its_numbers():
    made = crossed([number("b", "y"), number("b", "x"), number("a", "x")], "row", "column")
    assert made["columns"] == ["y", "x"]
    assert [row["name"] for row in made["rows"]] == ["b", "a"]
    assert made["rows"][1]["cells"][0] is None
    assert made["rows"][1]["cells"][1]["shown"] == "2.04"
    assert made["reasons"] == []


def test_reason_is_listed_once_with_all_its_numbers():
    rows = [number("a", column, "differs", "cut") for column in "xy"]
    rows += [number("b", "x", "differs", "other"), number("b", "y", "match", "never shown")]
    assert crossed(rows, "row", "column")["reasons"] == [
        {"reason": "cut", "cells": ["a · x", "a · y"]},
        {"reason": "other", "cells": ["b · x"]},
    ]


@pytest.mark.parametrize(
    ("best", "told"),
    [(["F1"], ("F1", 1)), (["F2", "F1", "F1"], ("F1", 2)), (["F2", "F1"], ("F2 and F1", 1))],
)
def test_all_equally_frequent_names_are_listed(best, told):
    assert most_often(pd.Series(best)) == told
