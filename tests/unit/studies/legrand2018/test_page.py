"""The page of legrand2018 and its captions."""

import base64

import pandas as pd
import pytest

from schedlab.files.config import read_yaml
from schedlab.report import tables
from schedlab.report.pages import render
from schedlab.studies.legrand2018.page import context

NUMBERED = [f"table{number}" for number in range(1, 8)]
TABLES = [*NUMBERED, *(f"{table}_comparison" for table in NUMBERED)]
TABLES += ["ranks", "coverings", "table2_evidence", "conclusions", "claims", "online"]
TABLES += ["sensitivity", "toggles"]
FIGURES = [*(f"fig{number}" for number in range(1, 16)), "fig_online", "fig_table2", "fig_toggles"]
OWN_TABLES, OWN_FIGURES = ["table3_own", "table_mine"], ["fig2_own", "fig_mine_best"]
COMPARED = {"row": "SAF", "column": "20 hours", "published": "2.0", "computed": 2.0, "ratio": 1.0}
COMPARED |= {"verdict": "match", "reason": "", "printed_as": ""}
RANKS = ["table", "column", "printed", "kendall"]
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def page(root, tmp_path):
    """Render the page with some items beyond the paper's; return its text."""

    def make(more_tables=(), more_figures=()):
        items = {"tables": [*TABLES, *more_tables], "figures": [*FIGURES, *more_figures]}
        row = pd.DataFrame([COMPARED])
        for item in items["tables"]:
            frame = row if item.endswith("_comparison") else row.iloc[:0]
            tables.write_csv(frame, tmp_path / f"{item}.csv")
        tables.write_csv(pd.DataFrame(columns=RANKS), tmp_path / "ranks.csv")
        for item in items["figures"]:
            (tmp_path / f"{item}.png").write_bytes(PICTURE)
        for item in ("claims", "online", "toggles"):
            (tmp_path / f"{item}.txt").write_text("said\n")
        own = dict.fromkeys([*more_tables, *more_figures], "SITE, with mine")
        paper = {"key": "legrand2018", "title": "T", "authors": "A", "venue": "V", "summary": "S"}
        paper |= {"names": {}}
        render(
            root / "workflow/report",
            read_yaml(root / "resources/legrand2018/words.yaml"),
            paper | items | {"further": {"tau": "60", "own": own}},
            [path for path in tmp_path.iterdir() if path.suffix != ".html"],
            {"fig1": "Distribution of *slowdowns*."},
            [],
            {"source": "logs", "scale": "papers"},
            tmp_path / "page.html",
            context,
        )
        return (tmp_path / "page.html").read_text()

    return make


@pytest.mark.slow
def test_user_policies_are_last_on_the_page(page):
    text = page(OWN_TABLES, OWN_FIGURES)
    assert text.index('id="own"') > text.index('id="setting"')
    for item in OWN_FIGURES:
        assert text.index(f'id="{item}"') > text.index('id="own"')
    for words in ("SITE, with mine", "slowdown (τ = 60 s)", "Distribution of <em>slowdowns</em>."):
        assert words in text
    assert 'id="own"' not in page()


def test_rank_correlations_use_owners_if_a_column_was_sorted():
    rows = [("table3", "a", "as printed", "0.9"), ("table3", "b", "as printed", "0.1")]
    rows += [("table3", "b", "by owner", "1.0"), ("table4", "a", "as printed", "")]
    ordered = context({"ranks": pd.DataFrame(rows, columns=RANKS)})["ordered"]
    assert ordered == {"kendall": 0.95, "columns": 2}


def test_page_omits_rank_correlations_that_were_not_computed():
    rows = pd.DataFrame([("table3", "a", "as printed", "")], columns=RANKS)
    assert context({"ranks": rows}) == {"ordered": None}
