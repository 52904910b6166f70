"""The page to explore: its charts, its bytes, and what it shows without JavaScript."""

import json
from html import unescape

import pandas as pd
import pytest
import vl_convert

from schedlab.studies.arena.charts import SAME, STATES, YOURS, charts
from schedlab.studies.arena.explore import (
    LICENSE,
    as_json,
    compared_numbers,
    library,
    ratios_by_window,
    user_policies,
)

#: columns of the rows that the page's script makes
COLUMNS = {"log", "metric", "metric_label", "scheduler", "state", "ratio", "low", "high", "other"}
COLUMNS |= {"rank", "rank_low", "rank_high", "dim", "named", "best"}
#: of the chart of windows, and of that of numbers with the ends of its line
COLUMNS |= {"window", "published", "computed", "published_text", "computed_text", "grade", "cell"}
COLUMNS |= {"href", "low", "high"}


def fields_of(spec):
    """Names of the columns that a specification uses."""
    if isinstance(spec, dict):
        own = {value for key, value in spec.items() if key == "field"}
        return own.union(*map(fields_of, spec.values()))
    return set().union(*map(fields_of, spec)) if isinstance(spec, list) else set()


@pytest.mark.slow
@pytest.mark.parametrize("name", charts())
def test_chart_is_valid_and_uses_columns_that_exist(name, capfd):
    spec = charts()[name]
    assert fields_of(spec) <= COLUMNS
    made = vl_convert.vegalite_to_vega(spec)
    assert capfd.readouterr().err == ""
    assert made["description"].endswith("The table next to it or below has the same numbers.")


@pytest.mark.slow
def test_page_has_equal_bytes_each_time_and_loads_nothing(explore_page):
    first, second = explore_page("one.html"), explore_page("two.html")
    assert first.read_bytes() == second.read_bytes()
    text = first.read_text(encoding="utf-8").replace(library(), "")
    for address in (" src=", "@import", "url("):
        assert address not in text
    assert LICENSE in text


@pytest.mark.slow
def test_menu_marks_the_page_to_explore_and_not_the_arena(explore_page):
    text = explore_page().read_text(encoding="utf-8")
    menu = text.partition('<nav class="shelf"')[2].partition("</nav>")[0]
    assert '<a href="explore.html" aria-current="page">Explore</a>' in menu
    assert menu.count("aria-current") == 1


def test_states_of_the_legend_have_distinct_colors_and_easy_none():
    assert len(set(STATES.values())) == len(STATES)
    assert SAME not in STATES


@pytest.mark.slow
def test_page_without_javascript_says_so_and_links_to_the_tables(explore_page):
    text = explore_page().read_text(encoding="utf-8")
    notice = text.partition("<noscript>")[2].partition("</noscript>")[0]
    assert "need JavaScript" in notice
    assert 'href="#files"' in notice
    for name in ("cells", "bsld", "max_wait"):
        assert f'href="../figures/arena/{name}.csv"' in text


def test_json_of_a_page_cannot_end_its_script_and_has_no_infinity():
    assert as_json({"a": "</script>"}) == '{"a":"\\u003c/script>"}'
    with pytest.raises(ValueError, match="JSON"):
        as_json(float("inf"))


def test_numbers_that_were_compared_lead_to_their_cards(board):
    found = compared_numbers(board)
    assert list(found["board"]) == ["one2020, Table 1"] * 2 + ["one2020, Text"]
    assert list(found["published"]) == [200, 50, -3]
    assert list(found["computed"]) == [100, 50.04, -3.2]
    assert list(found["published_text"]) == ["200", "50.0", "-3"]
    assert list(found["computed_text"]) == ["100", "50.04", "-3.2"]
    assert list(found["grade"]) == ["explained", "match", "match"]
    assert found["href"].iloc[1] == "one2020/numbers-table1.html#n-table1-saf"


def test_ratios_by_window_keep_four_digits_and_gaps():
    rows = [("A", "wait", "10", "SAF", "1", "0.123456"), ("A", "wait", "9", "SAF", "1", "")]
    columns = ["log", "metric", "window", "scheduler", "value", "ratio"]
    found = ratios_by_window(pd.DataFrame(rows, columns=columns))
    assert found == {"A": {"wait": {"windows": [9, 10], "ratios": {"SAF": [None, 0.1235]}}}}


@pytest.mark.slow
def test_page_of_the_arena_alone_names_the_command_that_computes_the_papers(
    explore_page, board, facts_of
):
    page = explore_page(board=board.iloc[:0])
    text = page.read_text(encoding="utf-8")
    section = text.partition('<section id="published">')[2].partition("</section>")[0]
    assert "make report" in section
    assert "<select" not in section
    assert "numbers" not in facts_of(page)["charts"]
    whole = explore_page().read_text(encoding="utf-8")
    section = whole.partition('<section id="published">')[2].partition("</section>")[0]
    assert "one2020, Table 1 (2)" in section
    assert "2 more were not compared" in section
    # a number that no run decides is not among them
    assert "one2020, Text (1)" in section
    assert "Numbers that no run decides are left out: 1 arithmetic on print." in section


@pytest.mark.slow
def test_recommendation_rule_and_reasons_are_on_the_page(explore_page, small_arena):
    text = unescape(explore_page().read_text(encoding="utf-8"))
    answer = text.partition('<section id="answer">')[2].partition("</section>")[0]
    assert "Recommendation: run " in answer
    assert "The rule: of all candidates" in answer
    for condition in small_arena.choice.conditions:
        assert f"<li>It {condition.clause}.</li>" in answer
    assert len(small_arena.why_not) > 1
    for row in small_arena.why_not.itertuples():
        assert f">{row.why}</td>" in answer


def test_policies_of_the_configuration_are_marked_in_charts(small_arena):
    labels = list(dict.fromkeys(small_arena.cells["scheduler"]))
    assert user_policies(labels) == ["mine"]
    marked = charts(user_policies(labels))
    for name in ("ratios", "ranks", "metrics", "logs", "windows"):
        assert 'indexof([\\"mine\\"], datum.value)' in json.dumps(marked[name]), name
        assert YOURS in json.dumps(marked[name])
