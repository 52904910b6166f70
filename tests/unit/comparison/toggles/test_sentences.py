"""Sentences on the effects of toggles state the numbers of their table."""

import numpy as np
import pandas as pd
import pytest

from schedlab.comparison.toggles.effects import summary
from schedlab.comparison.toggles.runs import MOVED
from schedlab.comparison.toggles.sentences import SHOWN, WORDS, _percent, discovery, facts_of
from schedlab.report.words import filled
from toggles_case import numbers_with


def two_with(name, factor, says="neither", printed="2.00"):
    """Return two numbers of 2 that go up by a factor."""
    return numbers_with([2 * factor, 4 * factor - 2], name, says, printed)


def summary_of(*frames):
    return summary(pd.concat(frames))


def answer(*frames):
    return filled(WORDS["answer"], facts_of(summary_of(*frames), "Table 9"))


OPEN, STATED, STILL = (
    two_with("window", 1.2, "the new value"),
    two_with("sure", 1.5, "the old value"),
    two_with("still", 1.0),
)


def test_largest_effect_of_unstated_choices_is_first():
    said = answer(STATED, OPEN, STILL)
    assert said.startswith(
        "2 choices that the text leaves open or contradicts were changed, one at a time. The "
        "largest effect on Table 9: words of window (median factor of a number: 1.30). "
        "The median change is 30 %, the largest, that of e B, 40 %. 0 of 2 numbers keep "
        "their published digits. The best policy changes in 0 of 1 rankings."
    )
    stated = "Among 1 choice that the text states, the largest effect has words of sure (a factor"
    assert f"{stated} of 1.73)." in said
    assert said.endswith("No effect: words of still.")


def test_largest_effect_of_stated_choices_is_named():
    said = answer(OPEN, STATED, two_with("small", 1.01, "the old value"))
    assert "Among 2 choices that the text states, the largest effect has words of sure" in said


def test_largest_effect_is_named_if_the_text_states_all_choices():
    said = answer(STATED)
    assert "The largest effect on Table 9: words of sure" in said
    assert "that the text states" not in said


def test_answer_omits_digits_without_published_numbers():
    assert "published digits" not in answer(two_with("x", 1.1, printed=""))


def test_numbers_that_gain_their_published_digits_are_counted():
    first = two_with("x", 1.5, printed="3.00")
    assert "published digits" not in answer(first)
    first.loc[1, "printed"] = "2.00"
    kept = "0 of 1 numbers keep their published digits, and 1 others gain them."
    assert kept in answer(first)


def test_effects_without_rows_are_not_available():
    empty = pd.DataFrame(columns=MOVED)
    assert answer(empty) == "Table 9: no data was available."
    assert discovery(summary(empty), "T", "r", False) is None
    assert discovery(None, "T", "r", False) is None


@pytest.mark.parametrize("models", [True, False])
def test_first_page_shows_only_unstated_choices(models):
    written = summary_of(STATED, OPEN, STILL).map(
        lambda cell: f"{cell:g}" if isinstance(cell, float) else cell
    )
    told = discovery(written, "Table 9", "toggle_nine", models)
    assert told.headline.startswith(
        "Why does it differ? Open or contradicted choice with the largest effect on Table 9: words"
    )
    bars = [(bar.label, bar.shown) for bar in told.bars]
    assert bars == [("window", "× 1.30"), ("still", "× 1.00")]
    assert [bar.value for bar in told.bars] == pytest.approx([np.log(1.2 * 1.4) / 2, 0], rel=1e-4)
    assert (told.rule, told.csv, told.models) == ("toggle_nine", "toggles.csv", models)
    assert told.text.startswith("3 choices")


def test_a_change_to_a_tenth_is_shown_as_larger_than_one_to_the_double():
    table = summary_of(two_with("double", 1.5), two_with("tenth", 0.5005))
    told = discovery(table, "Table 9", "r", False)
    assert [bar.label for bar in told.bars] == ["tenth", "double"]
    assert told.bars[0].value > told.bars[1].value


def test_the_first_page_shows_those_that_move_most():
    many = [two_with(f"t{place}", 1 + place / 10) for place in range(1, SHOWN + 3)]
    told = discovery(summary_of(*many), "Table 9", "r", False)
    assert [bar.label for bar in told.bars] == [f"t{place}" for place in range(SHOWN + 2, 2, -1)]


def test_a_title_begins_with_a_capital():
    title = facts_of(summary_of(OPEN, STILL), "Table 9")["title"]
    assert title.startswith("Largest effect on Table 9: words of window (median")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0 %"), (0.0499, "less than 0.1 %"), (0.05, "0.1 %"), (9.94, "9.9 %"),
        (9.95, "10 %"), (1234.5, "1,234 %"),
    ],
)  # fmt: skip
def test_small_changes_are_worded_as_small(value, words):
    assert _percent(value) == words
