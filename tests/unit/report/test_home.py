"""What the first page makes of a scoreboard."""

import pandas as pd
import pytest
from PIL import Image

from schedlab.report.home import like, thumbnail, told_of, unexplained_in
from schedlab.report.scoreboard import COLUMNS

ROW = dict.fromkeys(COLUMNS, "") | {"difference": float("nan"), "relative": float("nan")}


def board(*rows):
    """Make a scoreboard of these cells."""
    return pd.DataFrame([ROW | {"minutes": float("nan"), "label": "Table 1"} | row for row in rows])


@pytest.mark.parametrize(
    ("ours", "printed", "shown"),
    [
        ("10315.617000", "10315.62", "10,315.617"),
        ("3630.669828", "3630.66", "3,630.670"),
        ("870.962718", "8.70e2", "871.0"),
        ("0.30751", "0.3075", "0.3075"),
        ("-0.00001", "0.1", "0.00"),
        ("28663", "28663", "28663"),
        ("2012", "2011", "2012"),
        ("nan", "3.0", "nan"),
        ("sqrt(r)", "sqrt(r)", "sqrt(r)"),
        ("log not at hand", "7", "log not at hand"),
    ],
)
def test_ours_has_a_digit_more_than_is_printed_and_four_at_most(ours, printed, shown):
    assert like(ours, printed) == shown


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ({"relative": 0.0153}, "+1.5 %"),
        ({"relative": -2.0}, "−200 %"),
        ({"relative": 0.0004}, "0 %"),
        ({"difference": -0.25}, "−0.2"),
        ({}, ""),
    ],
)
def test_a_difference_is_told_in_per_cent_or_as_it_is(number, said):
    (table,) = told_of(board({"verdict": "match"} | number))["tables"]
    assert table["rows"][0]["difference"] == said


def test_only_headline_tables_are_in_the_bar():
    told = told_of(
        board(
            {"verdict": "match", "headline": "yes", "kind": "reproduced"},
            {"verdict": "differs", "explained": "yes", "headline": "no", "label": "Table 2"},
        )
    )
    assert {name: count for name, count in told["counts"].items() if count} == {"match": 1}
    assert told["all"]["explained"] == 1
    assert told["headlines"] == ["Table 1"]
    assert told["kinds"] == {"reproduced": 1, "replicated": 0}


def test_what_is_unexplained_is_listed_most_first_with_what_is_known():
    odd = {"verdict": "differs", "explained": "no"}
    listed = unexplained_in(
        board(
            odd | {"paper": "one", "reason": "unexplained"},
            odd | {"paper": "two", "reason": "unexplained: perhaps cut"},
            odd | {"paper": "two", "reason": "unexplained: perhaps cut"},
            {"paper": "two", "verdict": "match"},
        )
    )
    assert [(entry["paper"], entry["count"], entry["of"], entry["known"]) for entry in listed] == [
        ("two", 2, 3, "perhaps cut"),
        ("one", 1, 1, ""),
    ]


def test_a_thumbnail_is_small_and_needs_nothing_beside_it(tmp_path):
    Image.new("RGB", (2000, 1000), "white").save(tmp_path / "fig.png")
    uri = thumbnail(tmp_path / "fig.png")
    assert uri.startswith("data:image/png;base64,")
    assert len(uri) < 3000
