"""The first page: what was found, what holds, on what it ran, and how to get the rest."""

import re

import numpy as np
import pytest

from page_case import FETCHED
from schedlab.report.verdicts import DEFINITIONS, GRADES, KINDS, NOT_AVAILABLE
from table4_case import printed_values


def board_rows(text):
    """Rows of the table of numbers."""
    return re.findall(r'<tr data-g="([^"]+)" data-k="([^"]*)">', text)


def test_the_first_page_tells_the_versions_of_what_computed_and_not_its_own(home):
    text = home()
    assert "1.0.99" in text
    assert "3.0.99" in text
    assert np.__version__ not in text


def test_the_first_screen_tells_what_was_found_before_anything_else(home):
    """A sentence with its numbers, a bar, the claims; then the rest."""
    values = printed_values()
    values["model_full"] = [40.0, 20.0, 30.0, 50.0, 9.0, 8.0, 5.0, 10.0]
    text = home(values=values)
    assert "leads the best ad-hoc policy by × " in text
    assert text.index("leads the best ad-hoc policy") < text.index('class="stack"')
    assert text.index('class="stack"') < text.index("What we found that the papers do not say")
    assert "claims hold</b>" in text or "no claim tested" in text
    assert '<a class="more" href="carastan2017.html">' in text


def test_numbers_are_counted_in_the_papers_own_dialect(home):
    text = home()
    assert '<span class="g-match" style="flex: 16 1 0" title="16 match">16</span>' in text
    assert board_rows(text) == [("match", "reproduced")] * 16
    assert "Of all 16 published numbers: 16 match." in text


@pytest.mark.slow
def test_a_number_that_differs_is_listed_with_what_is_not_known_of_it(home):
    values = printed_values()
    values["ctc_artefact"][7] = 400.0
    text = home(values=values)
    assert board_rows(text).count(("unexplained", "reproduced")) == 1
    assert "Table 4: 1 of 16 numbers" in text
    assert "No compared number differs" in home()


def test_every_word_leads_to_its_definition(home):
    text = home()
    for name in GRADES:
        place = f"term-{name.replace(' ', '-')}"
        assert f'href="#{place}"' in text
        assert f'<dt id="{place}">' in text
    assert all(f'<dt id="term-{kind}">' in text for kind in KINDS)
    assert all(meaning in text for word, meaning in DEFINITIONS.items() if word != "differs")


def test_discoveries_say_how_they_are_known(home):
    text = home()
    assert "A biased shuffle distorts the published scores: r = 0.09, corrected 0.97" in text
    assert "<code>draw_samplers</code>" in text
    assert 'href="../figures/carastan2017/fig_samplers.csv"' in text


def test_the_header_says_from_what_the_run_was_made(home):
    text = home()
    assert "Commit 0123abc · 1 May 2026, 12:00 UTC · 1.5 hours of computing" in text
    assert "scheduling papers, reproduced from raw job logs" in text


@pytest.mark.slow
def test_the_first_page_says_which_logs_are_missing_and_where_to_put_them(home):
    missing = FETCHED | {"status": NOT_AVAILABLE, "source": "", "message": "put it here"}
    text = home(fetched=missing)
    assert "Logs: 0 of 1 available" in text
    assert '<span class="sign">–</span>' in text
    assert '<span class="sign">✓</span>' not in text
    assert '<span class="sign">✓</span>' in home()
    assert "put it here" in text


def test_the_first_page_tells_stand_ins_and_loads_nothing(home):
    text = home(source="models")
    assert "model workloads, no real logs" in text
    assert set(board_rows(text)) == {(NOT_AVAILABLE, "")}
    sources = re.findall(r'\bsrc="([^"]{1,30})', text)
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert not re.search(r"<link|<script\s+\w|@import|url\(", text)


def test_what_is_filtered_by_a_script_is_whole_without_it(home):
    """The form is hidden until the script shows it; no row is."""
    text = home()
    assert '<form class="filters" hidden>' in text
    assert not re.search(r"<t(r|body)[^>]*hidden", text)


def test_logs_drawn_from_their_seeds_are_neither_available_nor_missing(home):
    drawn = FETCHED | {"status": "drawn from its seed", "source": "model lublin_published_256"}
    text = home(fetched=drawn)
    assert "0 of 1 available, 1 generated from its seed" in text
    assert "Logs that are not available" not in text
    assert "model lublin_published_256" in text


def test_equal_runs_give_equal_pages(home):
    assert home() == home()
