"""The pages of a paper in three levels: links between them, cards of numbers, old addresses."""

import json
import re
from importlib.metadata import version

import pytest

from table4_case import printed_values


@pytest.fixture
def pages(levels):
    """The text of every page by its name, of a paper with a number that differs."""
    values = printed_values()
    values["ctc_artefact"][7] = 400.0
    files = levels(values)
    return {path.stem: path.read_text(encoding="utf-8") for path in files}, files[0].parent


@pytest.mark.slow
def test_every_link_between_pages_leads_to_an_anchor(pages):
    texts, folder = pages
    checked = 0
    for name, text in texts.items():
        place = folder if name == "carastan2017" else folder / "carastan2017"
        for file, anchor in re.findall(r'href="([\w./-]*?)(?:#([^"]*))?"', text):
            if file.startswith(("../figures", "../../figures", "explore", "../explore")):
                continue
            target = (place / file).resolve() if file else None
            if target and target.name == "index.html":
                continue
            stem = target.stem if target else name
            assert stem in texts, (name, file)
            assert not anchor or f'id="{anchor}"' in texts[stem], (name, file, anchor)
            checked += 1
    assert checked > 100


@pytest.mark.slow
def test_first_page_begins_with_total_findings_and_best_figure(pages):
    text = pages[0]["carastan2017"]
    order = ["<h2>15 of 16 computed numbers match; 1 differs, not explained.</h2>"]
    order += ['class="findings"', 'id="gallery"', 'id="glance"', 'id="contents"']
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert 1 <= len(re.findall("<li>", text[places[1] : places[2]])) <= 3


@pytest.mark.slow
def test_anchors_of_the_single_page_open_the_pages_that_have_them_now(pages):
    texts, _ = pages
    moved = json.loads(re.search(r"var moved = (\{.*?\});", texts["carastan2017"])[1])
    for anchor in ("table4", "figures", "comparison", "toggles", "claims", "learning", "fig4"):
        folder, name = moved[anchor].removesuffix(".html").split("/")
        assert folder == "carastan2017"
        assert f'id="{anchor}"' in texts[name]
    assert not any(anchor.startswith("n-") for anchor in moved)


@pytest.mark.slow
def test_card_states_value_verdict_reason_command_and_source(pages):
    texts, _ = pages
    text = texts["numbers-table4"]
    rows = re.findall(r'<tr id="(n-table4-[^"]+)">(.*?)</tr>', text, re.DOTALL)
    assert len(rows) == 16
    (odd,) = [row for _, row in rows if "unexplained" in row]
    assert 'data-label="computed">400.000<' in odd
    assert 'title="Link to this number, with a sentence to cite">link, cite</a>' in odd
    cited = re.search(
        r'<p class="cite">(?:<!-- logs -->)?To cite: schedlab (\S+) computes 400.000 for (.*?);',
        odd,
    )
    assert cited[1] == version("schedlab")
    assert "in Table 4 of “" in cited[2]
    assert all(f'<a class="here" href="#{anchor}"' in row for anchor, row in rows)
    assert "<dd><code>snakemake " in text
    assert "1.2 minutes for all jobs" in text
    assert "<code>ctc_artefact</code> (line 12)" in text
    assert re.search(r"<code>make_evidence</code> in <code>src/[\w/]+\.py</code>, lines \d+", text)
    assert "Revision <code>0123abc</code>" in text
    assert '<dt>Shown in</dt><dd><a href="table4.html#table4">' in text


@pytest.mark.slow
def test_cells_of_tables_link_to_their_cards(pages):
    texts, _ = pages
    links = re.findall(r'class="card" href="numbers-table4.html#([^"]+)"', texts["table4"])
    ids = re.findall(r'<tr id="(n-[^"]+)">', texts["numbers-table4"])
    assert sorted(links) == sorted(ids)


@pytest.mark.slow
def test_marks_of_a_figure_link_to_the_cards_of_their_numbers(pages):
    texts, _ = pages
    (spot,) = re.findall(
        r'<a class="spot" href="numbers-table4.html#([^"]+)"([^>]*)>', texts["figures"]
    )
    anchor, more = spot
    assert f'<tr id="{anchor}">' in texts["numbers-table4"]
    assert anchor.endswith("-f1")
    assert 'style="left: 10.0%; top: 20.0%; width: 5.5%; height: 40.0%"' in more
    # a keyboard has one link to all numbers of the figure
    assert 'tabindex="-1" aria-hidden="true"' in more
    assert '<a href="numbers-table4.html#cards-table4">numbers of Table 4</a>' in texts["figures"]
    assert 'class="spot"' not in texts["figures-logs"]


@pytest.mark.slow
def test_cards_link_to_the_figures_that_show_their_numbers(pages):
    texts, _ = pages
    rows = re.findall(r'<tr id="(n-[^"]+)">(.*?)</tr>', texts["numbers-table4"])
    ((anchor, row),) = [(anchor, row) for anchor, row in rows if "Shown in" in row]
    assert f'href="numbers-table4.html#{anchor}"' in texts["figures"], "the figure links back"
    link = re.search(
        r'Shown in <a href="figures\.html#fig4" title="([^"]+)">Figure 4</a></p></td>', row
    )
    assert link
    assert f'alt="{link[1]}"' in texts["figures"]
    assert 'id="fig4"' in texts["figures"]


@pytest.mark.slow
def test_numbers_that_differ_are_listed_with_links_to_their_cards(pages):
    text = pages[0]["numbers"]
    listed = text[text.index('<section id="unexplained">') :]
    assert len(re.findall(r'<a href="numbers-table4\.html#n-table4-', listed)) == 1


@pytest.mark.slow
def test_pages_load_no_other_file(pages):
    for text in pages[0].values():
        assert not re.search(r"<link|<script\s+\w|@import|url\(", text)
        sources = re.findall(r'\bsrc="([^"]{1,30})', text)
        assert all(source.startswith("data:image/png;base64,") for source in sources)
