"""Searches compared with Random Search, with hand-made numbers.

Where every day has one plan, a resample's mean depends on how many of one kind it draws, which is
binomial, so that the end of an interval, one of few values, is known.
"""

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from schedlab.report.words import filled
from schedlab.studies.klusacek2016 import beyond
from schedlab.studies.klusacek2016.figures.beyond import NO_GAIN, draw_searches
from schedlab.studies.klusacek2016.searches import BEFORE, COLUMNS, NEVER, PLAIN, RULES
from schedlab.studies.klusacek2016.tables import searches as tables
from search_case import comparisons, runs
from words_case import words_of

TABU = "tabu search"


def series(*values):
    return pd.Series(values, dtype=float)


def by_days(*values):
    """Estimate the mean of plans of a day each."""
    return tables.ratio(series(*values), 1, pd.Series(range(len(values))))


def test_an_interval_is_over_resampled_days():
    """Five of six days have 1: four or more of the sixth in 0.9 % of resamples, three in 6.2 %."""
    found = by_days(1, 1, 1, 1, 1, 0)
    assert found.middle == pytest.approx(5 / 6)
    assert (found.low, found.high) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("values", "low"),
    # a sum of 0 or less is drawn in 1.0 %, of 1 in 6.5 %; of 0 or less in 11.4 %, of -2 in 2.7 %
    [([1] * 6 + [-1], 1 / 7), ([1] * 6 + [-1] * 2, -2 / 8)],
)
def test_zero_is_just_left_out_or_just_not(values, low):
    for sign in (1, -1):
        found = by_days(*(sign * np.array(values)))
        assert (found.low if sign > 0 else -found.high) == pytest.approx(low)
        assert (found.p <= 0.05) == (low > 0)


@pytest.mark.parametrize(("days", "low"), [(5, -np.inf), (6, 1.0)])
def test_five_days_have_no_interval_even_if_they_agree(days, low):
    found = by_days(*[1] * days)
    assert (found.middle, found.low) == (1, low)
    assert found.p == pytest.approx(1 if days == 5 else 2 / 10_001)


def test_plans_of_one_day_are_drawn_together():
    """Two of 1, then ten days of one plan with 0: each resample has an even sum."""
    day = pd.Series([0, 0, *range(1, 11)])
    found = tables.ratio(series(1, 1, *[0] * 10), 1, day)
    assert found.middle == pytest.approx(2 / 12)
    # none of the first day in 35 % of resamples; three times in 5.7 or more, four in 1.1 %
    assert found.low == 0
    assert found.high == pytest.approx(6 / 14)


def test_a_share_is_of_sums_and_resamples_without_a_divisor_are_left_out():
    over, under = series(1, 0, 0, 0, 0, 0), series(2, 0, 0, 0, 0, 0)
    found = tables.ratio(over, under, pd.Series(range(6)))
    assert (found.middle, found.low, found.high) == (0.5, 0.5, 0.5)
    assert np.isnan(tables.ratio(over, 0, pd.Series(range(6)))).all()


def test_differences_are_paired_by_plan_and_gains_are_means_over_seeds():
    """Plans differ as 1 and 7; tabu search gains 0.1 more in each, by the mean of two seeds."""
    plain = [[one - 0.5, one + 0.5] for one in range(1, 8)]
    tabu = [[one, one + 0.2] for one in range(1, 8)]
    found = runs({PLAIN: plain, TABU: tabu}).sample(frac=1, random_state=1)
    table = tables.compare_searches(found).set_index("rule")
    assert table["gain"].to_dict() == pytest.approx({PLAIN: 4, TABU: 4.1})
    row = table.loc[TABU]
    assert row[list(tables.DIFFERENCE)].tolist() == pytest.approx([0.1, 0.1, 0.1])
    assert (row["better"], row["worse"], row["kept"]) == (7, 0, 7)
    assert np.isnan(table.at[PLAIN, "difference"])
    assert table.at[PLAIN, "better"] == ""


def test_criteria_are_percent_less_than_before_the_search():
    """100 to 80, 4 to 3 and 50 to 49."""
    row = tables.compare_searches(runs({PLAIN: [1, 2]})).iloc[0]
    assert row[list(tables.CRITERIA)].tolist() == pytest.approx([20, 25, 2])
    assert row["iterations"] == 300


@pytest.mark.parametrize(
    ("more", "better", "worse"), [(0.0011, 1, 0), (0.0009, 0, 0), (-0.0009, 0, 0), (-0.0011, 0, 1)]
)
def test_a_plan_is_better_or_worse_from_a_thousandth_on(more, better, worse):
    row = tables.compare_searches(runs({PLAIN: [1, 2], TABU: [1 + more, 2]})).iloc[1]
    assert (row["better"], row["worse"]) == (better, worse)


def test_kinds_of_plans_and_iterations_are_compared_apart():
    found = pd.concat(
        [runs({PLAIN: [1], TABU: [2]}, kind, longest=[5]) for kind in ("these", "those")]
    )
    table = tables.compare_searches(found)
    assert len(table) == 2 * 2 * 2
    assert set(table["iterations"]) == {300, 100_000}
    assert table["difference"].dropna().tolist() == [1, 0, 1, 0]


def test_table_shows_the_papers_and_the_longest_budget_with_holm():
    """Of 0.01, 0.03 and 0.04: 0.03, 0.06, and no less."""
    table = pd.concat(
        [
            comparisons((TABU, 1, 0, 2, 0.04)),
            comparisons((TABU, 1, 0, 2, 1e-9), iterations=1000),
            comparisons((TABU, 1, 0, 2, 0.01), ("other", 1, 0, 2, 0.03), iterations=100_000),
        ]
    )
    shown = tables.by_rule(table, 300)
    assert shown["iterations"].unique().tolist() == [300, 100_000]
    assert shown["p"].dropna().tolist() == pytest.approx([0.06, 0.03, 0.06])


def test_share_of_a_budget_is_of_all_that_is_gained():
    """1 of 1 and 0 of 9: a tenth, not half."""
    table = tables.by_budget(runs({PLAIN: [1, 0], TABU: [7, 7]}, longest=[1, 9]))
    assert table["share"].tolist() == pytest.approx([10, 100])
    assert table["gain"].tolist() == pytest.approx([0.5, 5])
    assert table["reached"].tolist() == [1, 2]


def test_share_has_an_interval_over_days():
    """As the first test, in percent."""
    row = tables.by_budget(runs({PLAIN: [2] * 5 + [0]}, longest=[2] * 6)).iloc[0]
    shown = row[["share", "share_low", "share_high"]].tolist()
    assert shown == pytest.approx([500 / 6, 50, 100])


@pytest.mark.parametrize(("short", "reached"), [(0.0009, 1), (0.0011, 0)])
def test_a_plan_is_done_where_no_thousandth_is_left(short, reached):
    table = tables.by_budget(runs({PLAIN: [1 - short]}, longest=[1]))
    assert table["reached"].tolist() == [reached, 1]


def budget(*shares, kind=BEFORE, iterations=300):
    """Rows of `by_budget` at a budget, and at the longest."""
    ends = dict(zip(("share", "share_low", "share_high"), shares, strict=True))
    known = {"plans": kind, "kept": 20}
    rows = [known | ends | {"iterations": iterations}, known | {"iterations": 100_000}]
    return pd.DataFrame(rows, columns=tables.BY_BUDGET)


NONE = pd.DataFrame(columns=tables.BY_BUDGET)


def lines_of(rules, shares):
    """The first sentences, an empty line, and the others."""
    facts = beyond.facts_of(rules, shares, 300) | {"waits": ()}
    return filled(words_of("klusacek2016")["sentences"]["beyond_search"], facts).split("\n")


def test_first_sentence_compares_random_search_and_its_budget():
    rules = pd.concat(
        [
            comparisons(
                ("a", -0.02, -0.03, -1e-9, 0.01),
                ("b", 0.05, 1e-9, 0.1, 0.01),
                ("c", -0.01, -0.02, 0.0, 0.06),
                # significant, and by no more than is worth it
                ("d", 0.001, 0.0005, 0.002, 0.01),
            ),
            comparisons(("a", -0.3, -0.4, -0.2, 0.01), kind="of another kind", gain=0.9),
            comparisons(("a", -0.3, -0.4, -0.2, 0.01), iterations=100_000),
        ]
    )
    shares = pd.concat(
        [budget(70.4, 50.5, 90.6), budget(88, -np.inf, np.inf, kind="of another kind")]
    )
    assert lines_of(rules, shares)[0] == (
        "Random Search is compared with other searches at 300 iterations. On plans searched before "
        "it gains 0.200 and beats a (-0.0200), is beaten by b (+0.0500), is indistinguishable from "
        "c (-0.0100) and d (+0.0010). On plans of another kind it gains 0.900 and beats a "
        "(-0.3000). It gains 70 % (50 to 91) on plans searched before and 88 % on plans of another "
        "kind of its gain with 100,000 iterations. Gains are by estimates, without further "
        "arrivals."
    )


def test_first_sentence_states_that_there_is_nothing_to_gain():
    shares = budget(np.nan, np.nan, np.nan)
    said = lines_of(comparisons(("a", 0, 0, 0, 1)), shares)[0]
    assert " It gains nothing (no gain is possible) on plans searched before of" in said


def test_further_sentences_compare_each_search_with_random_search():
    rules = comparisons(
        ("a", -0.02, -0.03, -0.01, 0.01), ("b", 0.05, 0.01, 0.1, 0.05), ("c", 0, -1, 1, 0.051)
    )
    assert lines_of(rules, NONE)[2:] == [
        "Plans searched before, 300 iterations: Random Search gains 0.200 (0.100 to 0.300). A "
        "gains less (-0.0200, -0.0300 to -0.0100; better in 4, worse in 3 of 20 plans). B gains "
        "more (+0.0500, +0.0100 to +0.1000; better in 4, worse in 3 of 20 plans). C is "
        "indistinguishable from it (+0.0000, -1.0000 to +1.0000; better in 4, worse in 3 of 20 "
        "plans).",
        "2 of 3 comparisons have a 95 % interval that excludes 0; one in twenty may by chance. "
        "After Holm's correction, 2 are significant, 2 of them with a difference of more than "
        "0.001.",
    ]


def test_chance_is_counted_as_the_intervals_and_the_table_have_it():
    rules = comparisons(
        ("a", 1, 1e-9, 2, 0.0501),
        ("b", 1, 0.0, 2, 0.05),
        ("c", -1, -2, -1e-9, 0.2),
        ("d", 0.001, 0.0, 2, 0.05),
    )
    chance = lines_of(rules, NONE)[-1]
    assert chance.startswith("2 of 4 comparisons have a 95 % interval that excludes 0")
    assert "correction, 2 are significant, 1 of them with a difference of more" in chance


def test_sentences_without_an_interval_state_none():
    rules = comparisons((TABU, -0.00001, -np.inf, np.inf, 1.0)).assign(gain_low=-np.inf)
    assert lines_of(rules, NONE)[2:] == [
        "Plans searched before, 300 iterations: Random Search gains 0.200. Tabu search is "
        "indistinguishable from it (+0.0000; better in 4, worse in 3 of 20 plans).",
        "0 of 1 comparisons have a 95 % interval that excludes 0; one in twenty may by chance. "
        "After Holm's correction, 0 are significant, 0 of them with a difference of more than "
        "0.001. Plans of fewer than 6 days have no intervals, so none is significant.",
    ]


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([89.9, 90, 98.9, 99, 100], ". 90 % {takes} 30 iterations. 99 % {takes} 300 iterations."),
        ([90.1, 91, 92, 93, 98.9], ". 90 % {takes} 10 iterations."),
        ([np.nan] * 5, "."),
    ],
)
def test_gain_left_after_a_budget_is_stated_for_every_kind_of_plans(shares, said):
    steps = [10, 30, 100, 300, 1000]
    rows = {"plans": BEFORE, "iterations": steps, "share": shares, "kept": 20}
    table = pd.DataFrame(rows | {"reached": [1, 2, 3, 14, 20]}, columns=tables.BY_BUDGET)
    both = pd.concat([table, table.assign(plans="of another kind")])
    told = lines_of(comparisons((TABU, 1, 0, 2, 1)), both)[2:]
    said = said.format(takes="of the longest search's gain takes")
    assert told[2] == (
        "Plans searched before, Random Search: with 300 iterations, the remaining gain is at most "
        f"0.001 in 14 of 20 plans{said}"
    )
    assert told[3].startswith("Plans of another kind, Random Search: with 300")
    assert len(told) == 4


def test_plans_are_summarized_by_number_days_and_jobs():
    found = runs({PLAIN: [1, 1, 1]}, days=[4, 4, 9])
    assert beyond.kept_of(found) == "3 plans searched before (of 2 days, 30 to 32 jobs)"


def test_missing_plans_are_the_only_statement():
    none = runs({})
    rules, shares = tables.by_rule(tables.compare_searches(none), 300), tables.by_budget(none)
    assert rules.empty
    assert shares.empty
    assert lines_of(rules, shares)[0] == (
        "No plans: the log is not available, or never has 20 jobs planned."
    )
    assert lines_of(rules, NONE)[1:] == [""]
    assert beyond.kept_of(none) == "no plans"


def searched(days):
    """Plans of so many days, searched by every rule with 0 to 1000 iterations."""
    rows = [
        (kind, plan, plan * 86_400, 20, rule, 0, steps, 90.0, 2.0, 3.0, steps / 1000 + place)
        for kind in (BEFORE, NEVER)
        for plan in range(days)
        for place, rule in enumerate(RULES)
        for steps in (0, 10, 100, 300, 1000)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def figure_and_texts(found):
    """Draw the figure; return it and its texts, and fail if anything is cut off."""
    figure = draw_searches(tables.compare_searches(found), tables.by_budget(found), 300, "a title")
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    box = figure.get_tightbbox(canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert min(box.x0, box.y0) >= -0.02
    assert box.x1 <= width + 0.02
    assert box.y1 <= height + 0.02
    return figure, {text.get_text() for text in figure.findobj(Text) if text.get_text().strip()}


@pytest.mark.slow
def test_every_rule_has_a_line_of_gains_and_every_other_its_differences():
    figure, texts = figure_and_texts(searched(7))
    assert len(figure.axes) == 6
    gains, differences, shares = figure.axes[:3]
    lines = {line.get_label(): line for line in gains.get_lines()}
    for place, rule in enumerate(RULES):
        assert lines[rule].get_xdata().tolist() == [10, 100, 300, 1000]
        assert lines[rule].get_ydata() == pytest.approx(
            [place + 0.01, place + 0.1, place + 0.3, place + 1]
        )
    points = [line for line in differences.get_lines() if line.get_marker() == "o"]
    assert [line.get_ydata().tolist() for line in points] == [
        pytest.approx([place] * 4) for place in (1, 2, 3)
    ]
    assert shares.get_lines()[0].get_ydata() == pytest.approx([1, 10, 30, 100])
    assert {f"7 plans {BEFORE}", f"7 plans {NEVER}", "300 iterations", *RULES} < texts


@pytest.mark.slow
@pytest.mark.parametrize("days", [1, 5])
def test_means_are_drawn_without_intervals(days):
    figure, texts = figure_and_texts(searched(days))
    assert len(figure.axes) == 6
    assert "a title" in texts


@pytest.mark.parametrize(("gain", "count"), [(0.0, 1), (1.0, 0)])
def test_panel_of_shares_states_that_random_search_gains_nothing(gain, count):
    found = searched(7)
    found.loc[found["plans"] == BEFORE, "gain"] *= gain
    figure, _ = figure_and_texts(found)
    notes = [text for axes in figure.axes for text in axes.texts if text.get_text() == NO_GAIN]
    assert len(notes) == count


def test_figure_without_plans_is_marked():
    none = pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    assert figure_and_texts(none)[1] == {"a title", beyond.NO_PLANS}
