"""Pages of papers state their results and need no other file."""

import pandas as pd
import pytest

from page_case import FETCHED, compare, frames_of_page
from schedlab.report.pages import item_name, verdict_counts
from schedlab.report.verdicts import DEFINITIONS, NOT_AVAILABLE
from schedlab.studies.carastan2017.page import context
from table4_case import LOG_ON_MODEL, MODEL_ON_MODEL, printed_values


@pytest.mark.slow
def test_computed_numbers_are_shown_with_published_ones(page):
    values = printed_values()
    values["model_artefact"][0] = 5846.8749
    text = page(values)
    assert '<span class="computed">5846.87</span>' in text
    assert "</span> 5846.87</span>" in text


@pytest.mark.slow
def test_a_missing_log_is_shown_with_the_message_that_a_user_gets(page):
    values = {name: row for name, row in printed_values().items() if name.startswith("model")}
    missing = FETCHED | {"status": NOT_AVAILABLE, "source": "", "jobs": 0}
    text = page(values, fetched=missing | {"message": "put CTC.swf into the archive & run again"})
    assert "put CTC.swf into the archive &amp; run again" in text
    assert NOT_AVAILABLE in text


@pytest.mark.slow
def test_figures_are_shown_in_proportion_to_their_size(page):
    text = page(printed_values())
    assert 'width="208" height="136"' in text
    # a picture that is decoded later is missing on paper
    assert "loading=" not in text
    assert "decoding=" not in text


@pytest.mark.slow
def test_a_figure_has_its_caption(page):
    text = page(printed_values())
    assert "Figure 9 of carastan2017: real logs, user estimates and aggressive backfilling" in text
    assert "L1 to L4 are the policies learned here." in text
    assert "Quick scale" not in text
    quick = page(printed_values(), source="models")
    assert quick.count("Quick scale: each panel names its model") == 6
    assert quick.count("Quick scale: the paper's own workloads, drawn from their seeds.") == 6


def test_items_are_named_as_papers_do():
    items = ("table4_learned", "fig4_1", "fig_sites", "correlations_comparison")
    names = ["Table 4", "Figure 4.1", "fig sites", "correlations"]
    assert [item_name(item) for item in items] == names


@pytest.mark.slow
def test_rows_on_the_papers_workload_are_compared(page):
    """Eight numbers in a dialect: those of the model row; the other row is a stand-in."""
    text = page(printed_values(), source="drawn")
    told = "<b>8 of 8 numbers of Table 4’s model rows match.</b>"
    assert text.index(told) < text.index("Numbers that need a log come from model workloads")
    assert MODEL_ON_MODEL not in text
    assert LOG_ON_MODEL in text
    assert "Every number that could be computed has the published digits" in text
    alone = page(printed_values(), source="models")
    assert "numbers of Table 4’s model rows match" not in alone
    assert "Nothing is compared: every row ran on a model stand-in." in alone


@pytest.mark.slow
def test_logs_are_acknowledged_without_local_folders(page):
    text = page(printed_values())
    assert "Dan Dwyer and Steve Hotovy" in text
    assert "cite &lt;the archive&gt;" in text
    assert "CTC.swf.gz" in text
    assert "/someone" not in text


def test_verdicts_are_counted_by_dialect():
    values = printed_values()
    values["model_full"] = [1.0] * 8
    counts = verdict_counts(compare(values))
    none = dict.fromkeys(("consistent", "same ranking", "differs", NOT_AVAILABLE, "unexplained"), 0)
    assert counts["artefact"] == {"match": 16} | none
    # 1.0 is within 100 % of every printed number, and that has a reason.
    assert (counts["full"]["differs"], counts["full"]["unexplained"]) == (8, 0)


def test_differences_without_a_reason_are_counted_with_the_verdicts():
    compared = pd.DataFrame({"verdict": ["match", "differs", "differs", "same ranking"]})
    compared["reason"] = ["", "known", "unexplained: so far", "unexplained"]
    assert verdict_counts(compared)[""]["unexplained"] == 2


def test_number_that_does_not_match_is_listed_in_any_order(page):
    values = printed_values()
    values["model_artefact"][0] *= 2
    frames = frames_of_page(values, "logs")
    shown = context({item: frame.astype(str) for item, frame in frames.items()})["not_equal"]
    assert [(row["policy"], row["verdict"]) for row in shown] == [("FCFS", "same ranking")]
    matching = frames_of_page(printed_values(), "logs")
    found = context({item: frame.astype(str) for item, frame in matching.items()})
    assert (found["not_equal"], found["any_compared"]) == ([], True)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["logs", "models"])
def test_every_page_defines_every_verdict(page, source):
    text = page(printed_values(), source)
    for word, meaning in DEFINITIONS.items():
        assert f"<b>{word}</b>: {meaning}." in text
        assert "tuned" not in text


def test_dialects_are_counted_in_the_order_of_their_rows():
    compared = pd.DataFrame({"dialect": ["b", "a"], "verdict": ["match", "differs"], "reason": ""})
    assert list(verdict_counts(compared)) == ["b", "a"]


@pytest.mark.slow
def test_windows_to_pan_and_zoom_are_linked_where_there_are_any(page):
    assert '<a href="explore/one.html">A row &amp; its window</a>' in page(printed_values())
