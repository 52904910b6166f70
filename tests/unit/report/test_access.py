"""Tables for screen readers and keyboards, and what axe-core finds on rendered pages."""

import json

import pytest

from axe_case import COLORS, DESKTOP, PHONE, color, show, violations, width
from chromium import Page
from schedlab.report.access import complete_tables
from table4_case import printed_values


def test_table_without_a_caption_is_named_by_the_heading_above_it():
    page = complete_tables("<h2>Waits &amp; <i>more</i></h2><p>text</p><table><tr></tr></table>")
    assert '<table><caption class="unseen">Waits &amp; more</caption><tr>' in page


def test_caption_has_no_mark_of_the_link_to_its_heading():
    heading = '<h2 id="a">Waits<a class="headerlink" href="#a" title="Link">&para;</a></h2>'
    assert '<caption class="unseen">Waits</caption>' in complete_tables(f"{heading}<table></table>")


def test_scrolling_table_is_a_named_region_with_the_focus():
    table = '<div class="scroll wide">\n<table id="t"></table>'
    page = complete_tables(f"<summary>All</summary>{table}")
    assert '<div class="scroll wide" tabindex="0" role="region" aria-label="All">' in page
    assert '<table id="t"><caption class="unseen">All</caption>' in page


def test_caption_of_a_table_stays_and_names_its_region():
    given = '<h2>A</h2><div class="scroll"><table><caption>Mean &lt; 1</caption></table></div>'
    page = complete_tables(given)
    assert page.count("<caption") == 1
    assert 'aria-label="Mean &lt; 1"' in page


def test_tables_below_one_heading_have_different_names():
    page = complete_tables("<h3>A</h3><table></table><table></table><h3>B</h3><table></table>")
    names = ["A", "A, table 2", "B"]
    assert [name for name in names if f'"unseen">{name}</caption>' in page] == names


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_axe_finds_nothing_serious_on_any_kind_of_page(levels, home, tmp_path, size):
    values = printed_values()
    values["ctc_artefact"][7] = 400.0
    home(values=values)
    first, *details = levels(values)
    with Page(size, 900) as page:
        for path in [tmp_path / "index.html", first, *details]:
            show(page, path)
            assert violations(page) == [], path.name
            assert width(page) <= size, path.name
            color(page, "dark")
            assert violations(page, runOnly=COLORS) == [], path.name
            assert not page.errors


@pytest.mark.slow
def test_axe_reports_a_picture_without_text(tmp_path):
    path = tmp_path / "bad.html"
    path.write_text('<!DOCTYPE html><html lang="en"><title>T</title><img src="data:,x">')
    with Page() as page:
        show(page, path)
        assert any(line.startswith("image-alt") for line in violations(page))


def test_words_of_a_script_stay_as_they_are():
    page = '<h2>Waits</h2><script>a = "<table><tr>"; b = "<h3>No</h3>";</script><table></table>'
    made = complete_tables(page)
    assert 'a = "<table><tr>"; b = "<h3>No</h3>";' in made
    assert made.endswith('<table><caption class="unseen">Waits</caption></table>')


@pytest.mark.slow
def test_dark_pages_invert_drawn_figures_but_no_color_scale(levels):
    """Figure 5 records a color scale, in the gallery of the first page and on its own page."""
    first, *details = levels(printed_values())
    filters = """JSON.stringify(Array.from(document.querySelectorAll("main img"), img => [
        /fig5(.png)?$/.test(img.closest("a").href), getComputedStyle(img).filter]))"""
    seen = set()
    with Page() as page:
        for path in [first, *details]:
            show(page, path, "dark")
            shown = {(scale, text.split("(")[0]) for scale, text in json.loads(page.value(filters))}
            assert shown <= {(True, "none"), (False, "invert")}, path.name
            seen |= {(path == first, scale) for scale, _ in shown}
            color(page, "light")
            assert {text for _, text in json.loads(page.value(filters))} <= {"none"}
    assert seen == {(True, True), (True, False), (False, True), (False, False)}
