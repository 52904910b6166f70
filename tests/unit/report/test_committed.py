"""The committed verdicts by paper, on the first page, in the documentation and in README.md."""

import re
from pathlib import Path

import pandas as pd
import pytest

import verdict_pins
from schedlab.report.committed import (
    as_markdown,
    by_paper,
    differences,
    differences_as_markdown,
    of_checkout,
    read_committed,
    with_cards,
)
from schedlab.report.drift import EXPECTED_COLUMNS
from schedlab.report.scoreboard import COLUMNS, SCORED_COLUMNS
from schedlab.report.verdicts import KINDS
from schedlab.report.words import american

ROOT = Path(__file__).parents[3]
EXPECTED = [
    ("one", "table1", "artefact", "a | F1", "match", ""),
    ("one", "table1", "artefact", "a | F2", "differs", "no"),
    ("one", "table1", "artefact", "b | F1", "log not available", ""),
    ("one", "table1", "full", "a | F1", "differs", "no"),
    ("two", "text", "", "x", "match", ""),
    ("two", "text", "", "y", "differs", "yes"),
]
SCORED = {
    "one": [("table1_comparison", "", "Table 1", "computed", "replicated", "logs", "yes")],
    "two": [
        ("text", "", "Text", "computed", "reproduced", "logs", "yes"),
        ("text", "x", "Text", "computed", "arithmetic on print", "Table 1", "yes"),
    ],
}


@pytest.fixture
def committed(tmp_path):
    expected, scored = tmp_path / "expected.tsv", {}
    pd.DataFrame(EXPECTED, columns=EXPECTED_COLUMNS).to_csv(expected, sep="\t", index=False)
    for paper, rows in SCORED.items():
        scored[paper] = tmp_path / f"{paper}.tsv"
        pd.DataFrame(rows, columns=SCORED_COLUMNS).to_csv(scored[paper], sep="\t", index=False)
    return read_committed(expected, scored)


def test_computed_numbers_are_counted_by_paper_and_the_other_kinds_apart(committed):
    rows = [(row["paper"], row["numbers"], row["match"]) for row in by_paper(committed)]
    assert rows == [
        ("one", 3, 1),
        ("two", 1, 0),
        ("all computed", 4, 1),
        ("two, arithmetic on print", 1, 1),
        ("all", 5, 2),
    ]
    assert by_paper(committed)[0]["unexplained"] == 1
    assert by_paper(committed)[0]["log not available"] == 1


def test_numbers_that_differ_lead_to_their_cards(committed):
    row = dict.fromkeys(COLUMNS, "") | {"paper": "one", "item": "table1"}
    board = pd.DataFrame([row | {"cell": cell} for cell in ("a | F1", "a | F2")])
    listed = with_cards(differences(committed), board)
    assert [(entry["paper"], entry["grade"], entry["links"]) for entry in listed] == [
        ("one", "unexplained", [("a · F2", "one/numbers-table1.html#n-table1-a-f2")]),
        ("two", "explained", [("y", "")]),
    ]
    assert differences_as_markdown(committed).splitlines()[0] == (
        "- [one](one.md#verdicts), Table 1, 1 unexplained: a, F2."
    )


def test_readme_has_the_committed_verdicts():
    readme = verdict_pins.README.read_text(encoding="utf-8")
    assert verdict_pins.with_verdicts(readme) == readme
    assert as_markdown(of_checkout(ROOT / "resources")) in readme


def test_documentation_lists_every_number_that_differs():
    pins = pd.read_csv(ROOT / "resources/expected.tsv", sep="\t", keep_default_na=False)
    committed = of_checkout(ROOT / "resources")
    text = differences_as_markdown(committed)
    cells = committed.loc[~committed["verdict"].isin(["match", "consistent"]), "cell"]
    cells = cells[committed["verdict"] != "log not available"]
    assert all(american(cell).replace(" | ", ", ") in text for cell in cells)
    counts = [int(count) for count in re.findall(r", (\d+) (?:un)?explained: ", text)]
    first = (
        committed[["paper", "item", "cell"]]
        .merge(pins, how="left")
        .drop_duplicates(["paper", "item", "cell"])
    )
    assert sum(counts) == (first["verdict"] == "differs").sum()
    page = (ROOT / "docs/papers/index.md").read_text(encoding="utf-8")
    assert re.findall("<!-- made: (.*) -->", page) == ["totals", "differences"]


def test_every_line_of_a_sheet_names_numbers_of_a_known_kind():
    committed = of_checkout(ROOT / "resources")
    assert set(committed["kind"]) == {*KINDS, ""}
    counts = committed["kind"].value_counts()
    assert (counts["arithmetic on print"], counts["blank in the paper"]) == (118, 98)
    assert counts["true by definition"] == 16


def test_cells_that_differ_are_in_american_spelling(committed):
    odd = committed.assign(cell=committed["cell"].str.replace("F2", "utilisation"))
    assert "unexplained: a, utilization." in differences_as_markdown(odd)
    board = pd.DataFrame(columns=COLUMNS)
    (first, *_) = with_cards(differences(odd), board)
    assert first["links"][0][0] == "a · utilization"
