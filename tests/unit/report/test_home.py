"""The numbers of the first page, from a scoreboard."""

from collections import Counter

import pandas as pd

from schedlab.report.home import page_numbers, unexplained_in
from schedlab.report.scoreboard import COLUMNS

ROW = dict.fromkeys(COLUMNS, "") | {"difference": float("nan"), "relative": float("nan")}


def board(*rows):
    """Make a scoreboard of these cells."""
    return pd.DataFrame([ROW | {"minutes": float("nan"), "label": "Table 1"} | row for row in rows])


def test_only_headline_tables_are_in_the_bar():
    told = page_numbers(
        board(
            {"verdict": "match", "headline": "yes", "kind": "reproduced"},
            {"verdict": "differs", "explained": "yes", "headline": "no", "label": "Table 2"},
        )
    )
    assert {name: count for name, count in told["counts"].items() if count} == {"match": 1}
    assert told["all"]["explained"] == 1
    assert told["headlines"] == ["Table 1"]
    assert told["totals"] == {"computed": "1 of 1 computed numbers match."}
    assert +Counter(told["kinds"]) == {"reproduced": 1}


def test_unexplained_numbers_are_listed_by_count_with_known_facts():
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


def test_figure_with_a_color_scale_is_marked(home):
    assert '<a class="large" href="carastan2017.html"><img class="scale" src="data:' in home()
