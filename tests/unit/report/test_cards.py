"""Number cards: anchors, pages, intervals and sheet rows of published numbers."""

import pandas as pd
import pytest

from schedlab.report.cards import (
    CARDS,
    card_ids,
    figures_by_card,
    link_cards,
    page_names,
    sentence_to_cite,
    spots_of,
    tables_of,
    total,
)
from schedlab.report.scoreboard import COLUMNS

ROW = dict.fromkeys(COLUMNS, "") | {"difference": float("nan"), "relative": float("nan")}
ROW |= {"minutes": float("nan"), "paper": "one", "item": "table1", "file": "table1_comparison.csv"}


def board(*rows):
    return pd.DataFrame([ROW | {"verdict": "match"} | row for row in rows])


def card(row, frame=None, sheet=None):
    frames = {"table1_comparison": pd.DataFrame([frame])} if frame else None
    (table,) = tables_of(board(row), frames, {"table1_comparison": sheet or []})
    return table["cards"][0]


def test_anchors_of_equal_names_are_numbered():
    names = ["a b | F1", "a-b | F1", "A b | F1", "c"]
    assert card_ids("t", names) == ["n-t-a-b-f1", "n-t-a-b-f1-2", "n-t-a-b-f1-3", "n-t-c"]


def test_page_is_full_with_its_last_card_and_the_next_has_a_page_of_its_own():
    assert set(page_names("t", CARDS)) == {"numbers-t"}
    names = page_names("t", CARDS + 1)
    assert names[CARDS - 1 :] == ["numbers-t", "numbers-t-2"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ({"relative": 0.0153}, "+1.5 %"),
        ({"relative": -2.0}, "−200 %"),
        ({"relative": 0.0004}, "0 %"),
        ({"relative": 0.0006}, "+0.1 %"),
        ({"difference": -0.25}, "−0.2"),
        ({}, ""),
    ],
)
def test_difference_is_in_percent_or_absolute(number, text):
    assert card(number)["difference"] == text


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ({"low": "1.50", "high": "2.25"}, "1.50 to 2.25"),
        ({"low": "", "high": ""}, ""),
        ({"low": "-inf", "high": "inf"}, ""),
        ({}, ""),
    ],
)
def test_interval_is_that_of_the_comparison(ends, text):
    assert card({}, {"row": "a", "published": "1", "verdict": "match"} | ends)["interval"] == text


def test_sheet_row_is_found_by_its_label_and_dialect():
    frame = {"row": "CTC", "dialect": "full", "published": "1", "verdict": "match"}
    sheet = [
        {"experiment": f"{label}_{dialect}".lower(), "label": label, "dialect": dialect}
        for label in ("CTC", "KTH")
        for dialect in ("artefact", "full")
    ]
    assert card({"cell": "CTC | F1"}, frame, sheet)["rows"] == ["ctc_full"]
    assert card({"cell": "CTC 2 | F1"}, frame, sheet)["rows"] == []


def test_only_numbers_in_the_dialect_of_the_paper_link_to_cards():
    frame = pd.DataFrame(
        [("artefact", "a"), ("full", "a"), ("artefact", "b")], columns=["dialect", "row"]
    )
    linked = link_cards(
        {"table1_comparison": frame, "other": frame}, board({"cell": "a"}, {"cell": "b"})
    )
    assert list(linked["table1_comparison"]["card"]) == ["n-table1-a", "", "n-table1-b"]
    assert "card" not in linked["other"]
    assert "card" not in frame


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({"match": 2}, "2 of 2 computed numbers match."),
        ({"match": 1, "explained": 1}, "1 of 2 computed numbers match; 1 differs, 1 explained."),
        ({"unexplained": 2}, "0 of 2 computed numbers match; 2 differ, not explained."),
        (
            {"match": 1, "consistent": 2, "same ranking": 1, "log not available": 9},
            "1 of 4 computed numbers match; 2 are consistent; 1 has the same ranking.",
        ),
        ({"log not available": 1}, "No computed number can be checked in this run."),
    ],
)
def test_total_counts_only_numbers_that_were_checked(counts, sentence):
    assert total(counts) == sentence


def test_spots_of_a_figure_link_the_cards_of_the_numbers_that_it_marks():
    numbers = board(
        {"cell": "CTC | F1", "label": "Table 1", "published": "3.5"},
        {"cell": "CTC | F1", "label": "Text", "item": "text", "file": "text.csv"},
    )
    marks = [["table1 | CTC | F1", 1.0, 2.0, 3.0, 4.0], ["table1 | unknown", 0, 0, 1, 1]]
    (spot,) = spots_of(marks, numbers)
    assert (spot["card"], spot["item"]) == ("n-table1-ctc-f1", "table1")
    assert spot["label"] == "Table 1, CTC · F1: 3.5"
    assert spot["style"] == "left: 1.0%; top: 2.0%; width: 3.0%; height: 4.0%"
    assert spots_of([], numbers) == []


def test_a_number_lists_each_figure_that_marks_it_once():
    figures = [
        {"item": "fig4", "spots": [{"card": "n-a"}, {"card": "n-b"}, {"card": "n-a"}]},
        {"item": "fig5", "spots": []},
        {"item": "fig6"},
        {"item": "fig4_learned", "spots": [{"card": "n-a"}]},
    ]
    by_card = figures_by_card(figures)
    items = {card: [drawn["item"] for drawn in own] for card, own in by_card.items()}
    assert items == {"n-a": ["fig4", "fig4_learned"], "n-b": ["fig4"]}


PAPER = {"title": "On Queues", "authors": "A. Erlang", "venue": "JSSPP 1995"}
OF_PAPER = "“On Queues” (A. Erlang, JSSPP 1995)"


@pytest.mark.parametrize(
    ("number", "frame", "label", "sentence"),
    [
        (
            {},
            {},
            "Table 4",
            f"computes 2.50 for a · b in Table 4 of {OF_PAPER}; the paper has 2.4.",
        ),
        (
            {"kind": "arithmetic on print"},
            {"low": "2.25", "high": "2.75"},
            "Text",
            "computes 2.50 (95 % interval 2.25 to 2.75, arithmetic on print) for a · b in the text "
            f"of {OF_PAPER}; the paper has 2.4.",
        ),
    ],
)
def test_sentence_to_cite_has_version_value_place_and_paper(number, frame, label, sentence):
    row = {"cell": "a | b", "published": "2.4", "computed": "2.5", "kind": "reproduced"} | number
    one = card(row, {"row": "a", "published": "2.4", "verdict": "match"} | frame)
    assert sentence_to_cite(one, label, PAPER, "9.8") == f"schedlab 9.8 {sentence}"


def test_a_number_that_was_not_computed_has_no_sentence_to_cite():
    one = card({"cell": "a", "published": "2.4", "computed": "", "kind": ""})
    assert sentence_to_cite(one, "Table 4", PAPER, "9.8") == ""


def test_cells_are_in_american_spelling_and_anchors_keep_their_key():
    one = card({"cell": "CTC | utilisation"})
    assert (one["cell"], one["card"]) == ("CTC · utilization", "n-table1-ctc-utilisation")
