"""The first page: findings, verdicts, logs of the run, and how to get the rest."""

import re

import numpy as np
import pytest

from page_case import FETCHED
from schedlab.report.verdicts import DEFINITIONS, GRADES, KINDS, NOT_AVAILABLE
from table4_case import printed_values


def board_rows(text):
    """Rows of the table of numbers."""
    return re.findall(r'<tr data-g="([^"]+)" data-k="([^"]*)">', text)


def test_first_page_states_versions_of_the_computations_not_its_own(home):
    text = home()
    assert "1.0.99" in text
    assert "3.0.99" in text
    assert np.__version__ not in text


def test_first_page_begins_with_findings(home):
    """A sentence with its numbers, a bar, the claims; then the rest."""
    values = printed_values()
    values["model_full"] = [40.0, 20.0, 30.0, 50.0, 9.0, 8.0, 5.0, 10.0]
    text = home(values=values)
    assert "leads the best ad-hoc policy by × " in text
    assert text.index("leads the best ad-hoc policy") < text.index('class="stack"')
    assert text.index('class="stack"') < text.index("What we found that the papers do not say")
    assert re.findall(r"<b>.*claims hold</b>|no claim tested", text) == ["no claim tested"]
    assert '<a class="more" href="carastan2017.html">' in text


def test_numbers_are_counted_in_the_papers_dialect(home):
    text = home()
    assert '<span class="g-match" style="flex: 16 1 0" title="16 match">16</span>' in text
    assert board_rows(text) == [("match", "reproduced")] * 16
    assert "Of all 16 published numbers: 16 match." in text


@pytest.mark.slow
def test_number_that_differs_is_listed_as_unexplained(home):
    values = printed_values()
    values["ctc_artefact"][7] = 400.0
    text = home(values=values)
    assert board_rows(text).count(("unexplained", "reproduced")) == 1
    assert "Table 4: 1 of 16 numbers" in text
    assert "No compared number differs" in home()


def test_every_verdict_links_to_its_definition(home):
    text = home()
    for name in GRADES:
        place = f"term-{name.replace(' ', '-')}"
        assert f'href="#{place}"' in text
        assert f'<dt id="{place}">' in text
    assert all(f'<dt id="term-{kind}">' in text for kind in KINDS)
    assert all(meaning in text for word, meaning in DEFINITIONS.items() if word != "differs")


def test_discoveries_name_their_rule_and_data(home):
    text = home()
    assert "A biased shuffle distorts the published scores: r = 0.09, corrected 0.97" in text
    assert "<code>draw_samplers</code>" in text
    assert 'href="../figures/carastan2017/fig_samplers.csv"' in text


def test_header_states_commit_time_and_work_of_the_run(home):
    text = home()
    assert "Commit 0123abc · 1 May 2026, 12:00 UTC · 1.5 hours of computing" in text
    assert "scheduling papers, reproduced from raw job logs" in text


@pytest.mark.slow
def test_first_page_lists_missing_logs_and_their_folder(home):
    missing = FETCHED | {"status": NOT_AVAILABLE, "source": "", "message": "put it here"}
    text = home(fetched=missing)
    assert "Logs: 0 of 1 available" in text
    assert '<span class="sign">–</span>' in text
    assert '<span class="sign">✓</span>' not in text
    assert '<span class="sign">✓</span>' in home()
    assert "put it here" in text


def test_first_page_names_stand_ins_and_loads_no_other_file(home):
    text = home(source="models")
    assert "model workloads, no real logs" in text
    assert set(board_rows(text)) == {(NOT_AVAILABLE, "")}
    sources = re.findall(r'\bsrc="([^"]{1,30})', text)
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert not re.search(r"<link|<script\s+\w|@import|url\(", text)


def test_table_is_complete_without_the_filter_script(home):
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
