"""The leaflet of a paper: two pages with the numbers of its tables."""

import logging
import re

import pandas as pd
import pytest
from PIL import Image
from pypdf import PdfReader

from schedlab.report.cells import like
from schedlab.report.figures.style import SMALL
from schedlab.report.leaflet import write_leaflet
from schedlab.report.story import CLAIM_COLUMNS, Discovery, Story
from schedlab.report.verdicts import NOT_AVAILABLE
from table4_case import printed_values

A4 = (595, 842)


def text_of(path):
    """Return the text of every page, in one line each."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]


def claims(count, result="holds"):
    """Return this many claims with one result."""
    rows = [(f"claim number {n} of the text", "section 1", "CTC", result, "") for n in range(count)]
    return pd.DataFrame(rows, columns=CLAIM_COLUMNS)


def context(rows=(), story=None, figures=None):
    """Return the variables of a page with a headline table of these rows."""
    paper = {"key": "one", "title": "A title", "authors": "Two authors", "venue": "SC’17"}
    paper |= {"summary": "What it is about.", "headline": ("table1_comparison", "row", "column")}
    table = {"item": "table1", "label": "Table 1", "minutes": 1.25}
    table |= {"command": "snakemake --cores all results/figures/one/table1_comparison.csv"}
    variables = {"paper": paper | {"thumbnail": "fig1"}, "story": story or Story()}
    variables |= {"tables": {"table1_comparison": list(rows)}, "figures": figures or {}}
    variables |= {"number_tables": [table], "checked": {"match": 2}}
    variables["totals"] = {"computed": "2 of 2 match.", "arithmetic on print": "3 of 3 follow."}
    return variables | {
        "scale_words": "quick scale",
        "stand_ins": False,
        "version": "0.2",
        "revision": "0123abc",
    }


def compared(count, columns=8):
    """Return the rows of a comparison with this many rows and columns."""
    return [
        {"row": f"row {row}", "column": f"c{column}", "verdict": "match", "reason": ""}
        | {"published": f"{row}.{column}5", "computed": f"{row}.{column}51"}
        for row in range(count)
        for column in range(columns)
    ]


@pytest.fixture
def leaflet(tmp_path):
    """Write the leaflet of variables, and return its path."""

    def write(variables, name="one.pdf"):
        write_leaflet(tmp_path / name, variables, "report/one.html")
        return tmp_path / name

    return write


@pytest.fixture
def figures(tmp_path):
    """A figure of the house width and a height in inches."""

    def draw(height):
        path = tmp_path / "fig1.png"
        Image.new("RGB", (1400, round(200 * height)), "white").save(path)
        return {"fig1": {"path": path, "name": "Figure 1", "item": "fig1", "spots": []}}

    return draw


@pytest.mark.slow
def test_leaflet_of_a_paper_has_the_numbers_of_its_table(levels, tmp_path):
    values = printed_values()
    values["ctc_artefact"][7] = 400.0
    first, *_ = levels(values)
    assert 'href="carastan2017/carastan2017.pdf"' in first.read_text()
    pages = text_of(tmp_path / "carastan2017/carastan2017.pdf")
    assert len(pages) == 2
    assert "15 of 16 computed numbers match; 1 differs, not explained." in pages[0]
    table = pd.read_csv(tmp_path / "table4_comparison.csv", dtype=str)
    table = table[table["dialect"] == "artefact"]
    numbers = [
        text
        for row in table.itertuples()
        for text in (like(row.computed, row.published), row.published)
    ]
    assert len(numbers) == 32
    # cells of a row follow each other: computed, and published below it
    for row in range(0, 32, 16):
        cells = numbers[row : row + 16]
        assert re.search(r"\s+".join(map(re.escape, cells)), pages[1]), cells


def test_leaflet_states_paper_verdict_table_and_commands(leaflet):
    story = Story("The finding & its number 7.", claims(2))
    one, two = text_of(leaflet(context(compared(2), story)))
    for words in (
        "A title",
        "Two authors, SC’17.",
        "2 of 2 match.",
        "3 of 3 follow.",
        "The finding & its number 7.",
    ):
        assert words in one
    assert "page 1 of 2" in one
    assert "Table 1: computed, and published below it" in two
    assert "Claims of the text: 2 of 2 claims hold, 0 fail, 0 are undecided" in two
    assert "Table 1 (1.2 minutes for all jobs, one after another):" in two
    assert "snakemake --cores all results/figures/one/table1_comparison.csv" in two
    assert "snakemake --cores all one" in two
    assert "report/one.html. Revision 0123abc." in two


@pytest.mark.parametrize("count", [0, 1, 200])
def test_leaflet_has_two_a4_pages_with_any_number_of_claims(leaflet, count):
    path = leaflet(context(compared(18), Story("A finding.", claims(count))))
    pages = PdfReader(path).pages
    assert [tuple(map(round, page.mediabox[2:])) for page in pages] == [A4, A4]
    two = text_of(path)[1]
    shown = two.count("claim number")
    more = re.search(r"and (\d+) further claims?,", two)
    assert shown + (int(more[1]) if more else 0) == count
    assert bool(more) == (count == 200)
    assert "How to reproduce" in two
    assert two.count("of the text (CTC, section 1)") == shown


def test_claims_that_fail_come_first(leaflet):
    both = pd.concat([claims(1), claims(1, "fails")])
    two = text_of(leaflet(context(compared(1), Story("", both))))[1]
    assert "Claims of the text: 1 of 2 claims hold, 1 fails, 0 are undecided" in two
    assert two.index("fails · claim") < two.index("holds · claim")


def test_texts_have_at_least_seven_points(leaflet):
    path = leaflet(context(compared(18), Story("A finding.", claims(50))))
    sizes = set()

    def note(text, _, matrix, __, size):
        if text.strip():
            sizes.add(abs(size * matrix[3]))

    for page in PdfReader(path).pages:
        page.extract_text(visitor_text=note)
    assert min(sizes) >= SMALL - 1e-6


@pytest.mark.parametrize(("height", "scaled"), [(7.0, False), (11.0, True)])
def test_figure_has_its_true_size_unless_the_page_is_too_short(
    leaflet, figures, caplog, height, scaled
):
    with caplog.at_level(logging.INFO):
        path = leaflet(context(compared(1), figures=figures(height)))
    assert ("of its size" in caplog.text) == scaled
    assert len(PdfReader(path).pages[0].images) == 1
    assert "Figure 1" in text_of(path)[0]


@pytest.mark.parametrize(("height", "shown"), [(6.0, True), (9.3, False)])
def test_discoveries_are_on_the_first_page_if_it_has_space(leaflet, figures, height, shown):
    more = Discovery("A headline", "Its explanation. " * 4, (), "rule", "file.csv", "part")
    story = Story("A finding.", claims(1), (more,))
    one = text_of(leaflet(context(compared(1), story, figures(height))))[0]
    assert ("What the paper does not report A headline. Its explanation." in one) == shown


def test_legend_has_the_verdicts_of_the_table_alone(leaflet):
    rows = compared(1, 2)
    rows[1]["verdict"] = "differs"
    two = text_of(leaflet(context(rows)))[1]
    assert "■ match ■ differs" in two
    assert "not compared" not in two


def test_number_without_a_log_is_a_dash_above_the_published_one(leaflet):
    (row,) = compared(1, 1)
    row |= {"computed": NOT_AVAILABLE, "verdict": NOT_AVAILABLE}
    assert "– 0.05" in text_of(leaflet(context([row])))[1]


def test_equal_leaflets_have_equal_bytes(leaflet, figures):
    variables = context(compared(3), Story("A finding.", claims(3)), figures(3))
    one, two = leaflet(variables, "a.pdf"), leaflet(variables, "b.pdf")
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("models", [True, False])
def test_findings_on_models_are_called_a_demonstration(leaflet, models):
    story = Story(finding="SAF is best.", models=models)
    first, _ = text_of(leaflet(context(compared(1), story)))
    assert ("A demonstration on model workloads: SAF is best." in first) == models
    assert "SAF is best." in first
