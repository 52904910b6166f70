"""Pages in a browser: addresses of the earlier single page open the pages of details."""

import pytest

from axe_case import DESKTOP, height, show
from check_pages import LONGEST
from chromium import Page
from page_case import TEMPLATES
from schedlab.report.pages import write_page
from table4_case import printed_values


@pytest.mark.slow
@pytest.mark.parametrize(
    ("anchor", "name"), [("toggles", "why"), ("fig4", "figures"), ("glance", "carastan2017")]
)
def test_old_address_of_a_section_opens_the_page_that_has_it(levels, anchor, name):
    first, *_ = levels(printed_values())
    with Page() as page:
        page.send("Page.navigate", url=f"{first.resolve().as_uri()}#{anchor}")
        page.wait_for(f"location.href.endsWith('/{name}.html#{anchor}')")
        page.wait_for(f"document.getElementById('{anchor}') !== null")
        assert not page.errors


def page_of_rows(folder, count):
    """Write a page with a table of this many rows, and return its file."""
    text = (
        '{% from "macros.html.j2" import table %}{% extends "base.html.j2" %}'
        "{% block main %}<section id='rows'><h2>Rows</h2>{{ table(rows) }}</section>{% endblock %}"
    )
    for path in TEMPLATES.glob("*.j2"):
        (folder / path.name).write_text(path.read_text())
    template = folder / "rows.html.j2"
    template.write_text(text)
    paper = {"key": "one", "title": "A title", "authors": "A", "venue": "B", "summary": "C."}
    rows = [{"log": f"log {number}", "mean wait": "12.5"} for number in range(count)]
    context = {"paper": paper, "rows": rows, "scale_words": "", "stand_ins": False, "version": ""}
    write_page(template, context, folder / f"rows{count}.html")
    return folder / f"rows{count}.html"


@pytest.mark.slow
@pytest.mark.parametrize("count", [40, 41, 500])
def test_page_of_a_table_is_short_with_any_number_of_rows(tmp_path, count):
    file = page_of_rows(tmp_path, count)
    assert ('class="scroll tall"' in file.read_text()) == (count > 40)
    with Page(DESKTOP, 900) as page:
        show(page, file)
        assert height(page) < LONGEST / 2


@pytest.mark.slow
def test_click_on_a_mark_of_a_figure_opens_the_card_of_its_number(levels):
    first, *_ = levels(printed_values())
    with Page() as page:
        show(page, first.parent / "carastan2017/figures.html")
        spot = "document.querySelector('#fig4 .spot').getBoundingClientRect()"
        image = "document.querySelector('#fig4 img').getBoundingClientRect()"
        place = page.value(f"({spot}.left - {image}.left) / {image}.width")
        assert place == pytest.approx(0.1, abs=0.001)
        middle = "document.elementFromPoint(box.left + box.width / 2, box.top + 9)"
        page.value(f"(box => {middle}.click())({spot})")
        page.wait_for("location.href.includes('/numbers-table4.html#n-table4-')")
        page.wait_for("document.querySelector(':target') !== null")
        shown = "[...document.querySelectorAll('.cite')].filter(one => one.offsetHeight).length"
        assert page.value(shown) == 1, "the sentence to cite is that of this number"
