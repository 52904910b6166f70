"""The first page: findings, verdicts, logs of the run, its numbers, and how to get the rest."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from page_case import FETCHED
from schedlab.report.home import page_numbers, unexplained_in
from schedlab.report.scoreboard import COLUMNS
from schedlab.report.verdicts import DEFINITIONS, GRADES, KINDS, NOT_AVAILABLE
from table4_case import printed_values


def board_bars(text):
    return re.findall(
        r'<td class="bar-of">\s*<a href="[^"]*" class="stack" aria-label="([^"]*)"', text
    )


def test_first_page_states_versions_of_the_computations_not_its_own(home):
    text = home()
    assert "1.0.99" in text
    assert "3.0.99" in text
    assert np.__version__ not in text


def test_first_page_begins_with_findings(home):
    values = printed_values()
    values["model_full"] = [40.0, 20.0, 30.0, 50.0, 9.0, 8.0, 5.0, 10.0]
    text = home(values=values)
    assert "leads the best ad-hoc policy by × " in text
    order = ["16 of 16 computed", "leads the best ad-hoc policy"]
    order += ["Scoreboard: every", "What we found that"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert "<b>No claim was tested.</b>" in text
    assert '<a href="carastan2017.html">Full page' in text


def test_numbers_are_counted_in_the_papers_dialect(home):
    text = home()
    assert '<span class="g-match" style="flex: 16 1 0" title="16 match">16</span>' in text
    assert board_bars(text) == ["16 match"]
    # bars lead to the cards of their numbers
    bars = re.findall(r'<a href="([^"]+)" class="stack"', text)
    assert bars == ["#scoreboard", "carastan2017/numbers.html", "carastan2017/numbers-table4.html"]
    assert "<h2>This run: 16 of 16 computed numbers match.</h2>" in text
    assert '16 numbers are <a href="#term-reproduced">' in text


def test_every_verdict_links_to_its_definition(home):
    text = home()
    for name in GRADES:
        place = f"term-{name.replace(' ', '-')}"
        assert f'href="#{place}"' in text
        assert f'<dt id="{place}">' in text
    assert all(f'<dt id="term-{kind.replace(" ", "-")}">' in text for kind in KINDS)
    assert all(meaning in text for word, meaning in DEFINITIONS.items() if word != "differs")


def test_discoveries_name_their_rule_and_data(home):
    text = home()
    assert "A biased shuffle distorts the published scores: r = 0.09, corrected 0.97" in text
    assert "<code>draw_samplers</code>" in text
    assert 'href="../figures/carastan2017/fig_samplers.csv"' in text
    assert 'How we know: <a href="carastan2017.html#fig_samplers">' in text


def test_header_states_commit_time_and_work_of_the_run(home):
    text = home()
    assert "Commit 0123abc · 1 May 2026, 12:00 UTC · 1.5 hours of computing" in text
    assert "scheduling papers, reproduced from raw job logs" in text


@pytest.mark.parametrize(
    ("hours", "words"), [(0.02, "1 minute"), (0.03, "2 minutes"), (0.9, "54 minutes")]
)
def test_header_states_a_short_run_in_minutes(home, hours, words):
    assert f" · {words} of computing in total" in home(hours=hours)


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
    assert board_bars(text) == [f"16 {NOT_AVAILABLE}"]
    assert "<h2>This run: No computed number can be checked in this run.</h2>" in text
    sources = re.findall(r'\bsrc="([^"]{1,30})', text)
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert not re.search(r"<link|<script\s+\w|@import|url\(", text)


def test_numbers_that_cannot_be_checked_are_folded_away(home):
    text = home(source="models")
    start, end = text.index("<details><summary>16 of 16 published"), text.index("</details>")
    assert "model workload replaces it" in text[start:end]
    assert "cannot be checked in this run</summary>" not in home()


def test_bar_of_the_total_has_only_numbers_that_were_checked(home):
    text = home(source="models")
    total = text[text.index('<section id="total">') : text.index('<section id="committed">')]
    assert 'class="stack"' not in total
    total = home()[home().index('<section id="total">') : home().index('<section id="committed">')]
    assert 'aria-label="16 match"' in total


def test_numbers_of_a_stacked_row_of_the_scoreboard_have_labels(home):
    """On a phone rows are stacked, without the headings of the columns."""
    board = home().partition('<table class="scores stacks">')[2].partition("</table>")[0]
    labels = re.findall(r'<td(?: class="number")?(?: data-label="([^"]*)")?>', board)
    assert labels == ["", "numbers", "computed from", "minutes"]


def test_main_result_has_a_figure_with_its_finding_and_a_command(home):
    text = home()
    assert 'alt="carastan2017, Figure 4: The finding of fig4"' in text
    assert "<code>snakemake --cores all results/figures/carastan2017/fig4.png</code>" in text


def test_menu_has_further_pages_that_exist(home):
    assert "Documentation</a>" not in home()
    assert '<a href="../../build/site/index.html">Documentation</a>' in home(
        linked={"../../build/site/index.html": "Documentation"}
    )


def test_logs_drawn_from_their_seeds_are_neither_available_nor_missing(home):
    drawn = FETCHED | {"status": "drawn from its seed", "source": "model lublin_published_256"}
    text = home(fetched=drawn)
    assert "0 of 1 available, 1 generated from its seed" in text
    assert "Logs that are not available" not in text
    assert "model lublin_published_256" in text


def test_equal_runs_give_equal_pages(home):
    assert home() == home()


@pytest.mark.slow
@pytest.mark.parametrize("has_manual", [True, False])
def test_first_page_has_a_way_in_by_role(home, has_manual):
    pages = {"arena.html": "Arena"} | (
        {"../site/index.html": "Documentation"} if has_manual else {}
    )
    text = home(linked=pages)
    (ways,) = re.findall(r'<section id="ways">(.*?)</section>', text, re.DOTALL)
    roles = ["You check a number", "You add a policy", "You run a site"]
    assert re.findall(r"<b>(.*?)</b>", ways) == roles
    for name in ("reproduce", "policy", "site"):
        assert (f'href="../site/howto/{name}.html"' in ways) == has_manual
        assert (f"<code>docs/howto/{name}.md</code>" in ways) != has_manual
    assert ways.count('<a href="arena.html">Arena</a>') == 2
    for anchor in re.findall(r'href="#([^"]+)"', ways):
        assert f'id="{anchor}"' in text


ROW = dict.fromkeys(COLUMNS, "") | {"difference": float("nan"), "relative": float("nan")}


def board(*rows):
    return pd.DataFrame([ROW | {"minutes": float("nan"), "label": "Table 1"} | row for row in rows])


def test_only_headline_tables_are_in_the_bar():
    told = page_numbers(
        board(
            {"verdict": "match", "headline": "yes", "kind": "reproduced"},
            {"verdict": "differs", "explained": "yes", "headline": "no", "label": "Table 2"},
        )
    )
    assert {name: count for name, count in told["counts"].items() if count} == {"match": 1}
    assert told["all"]["explained"] == 1
    assert told["headlines"] == ["Table 1"]
    assert told["totals"] == {"computed": "1 of 1 computed numbers match."}
    assert +Counter(told["kinds"]) == {"reproduced": 1}


def test_unexplained_numbers_are_listed_by_count_with_known_facts():
    odd = {"verdict": "differs", "explained": "no"}
    listed = unexplained_in(
        board(
            odd | {"paper": "one", "reason": "unexplained"},
            odd | {"paper": "two", "reason": "unexplained: perhaps cut"},
            odd | {"paper": "two", "reason": "unexplained: perhaps cut"},
            {"paper": "two", "verdict": "match"},
        )
    )
    assert [(entry["paper"], entry["count"], entry["of"], entry["known"]) for entry in listed] == [
        ("two", 2, 3, "perhaps cut"),
        ("one", 1, 1, ""),
    ]


def test_figure_with_a_color_scale_is_marked(home):
    assert '<a class="large" href="carastan2017.html"><img class="scale" src="data:' in home()
