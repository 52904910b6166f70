"""Claims of papers are rows, tested on the evidence of their kind."""

import numpy as np
import pandas as pd
import pytest

from claim_case import RESOURCES
from schedlab.core.intervals import joint_chance, tail, tails
from schedlab.core.markers import NOT_AVAILABLE
from schedlab.files.config import read_yaml
from schedlab.report.claims import (
    Claim,
    Condition,
    Interval,
    Outcome,
    Sample,
    StandIn,
    all_of,
    check,
    check_results,
    count,
    counted,
    decide,
    of_resamples,
    read_claims,
    side_of,
    side_within,
)
from schedlab.report.comparison import read_published
from schedlab.report.story import Teller
from schedlab.studies.souza2020 import statistics
from schedlab.studies.souza2020.page import story


def claim(holds_if, on="", where="1", found="{value:g}"):
    """Return a claim about evidence that is a number."""
    conditions = [Condition.read(text) for text in holds_if.split(" and ")]
    return Claim("it is", where, lambda value: {"value": value}, conditions, found, on)


ABOVE = claim("value > 2")


def test_claims_are_tested_on_every_body_of_evidence_that_has_their_kind():
    claims = [claim("value > 1", where="1.2"), claim("value = 3", "many", "Table 4")]
    evidence = {"printed": {"": 0}, "computed": {"": 2, "many": 3}, "log": None}
    table = check(claims, evidence, {"in_print": "printed", "found": "computed"}, untested="")
    columns = ["claim", "where", "printed", "computed", "log", "in_print", "found"]
    assert list(table) == columns
    assert table[columns[1:]].to_numpy().tolist() == [
        ["section 1.2", "fails", "holds", NOT_AVAILABLE, "0", "2"],
        ["Table 4", "", "holds", NOT_AVAILABLE, "", "3"],
    ]


def test_claim_on_a_stand_in_is_shown_and_one_without_evidence_is_not():
    results = check_results([ABOVE, claim("value > 2", "many")], {"": StandIn(3)}, {"trace": "A"})
    assert results.to_numpy().tolist() == [
        ["A", "it is", "section 1", "3", NOT_AVAILABLE],
        ["A", "it is", "section 1", "", NOT_AVAILABLE],
    ]
    assert count(results) == "No claim was tested: nothing ran on the paper's logs."


@pytest.mark.parametrize(
    ("holds_if", "value", "expected"),
    [
        ("value > 2", 2, False),
        ("value >= 2", 2, True),
        ("value < 2", 2, False),
        ("value <= 2", 2, True),
        ("value = 2", 2.0, True),
        ("value within 1 to 2", 2, True),
        ("value within 1 to 2", 2.01, False),
        ("value prints 2.1", 2.14, True),
        ("value", None, None),
        ("value > 2", None, None),
        ("value > 2 and value < 3", 3, False),
        ("value > 2", Interval(3, 2, 4), None),
        ("value <= 2", Interval(3, 2.1, 4), False),
        ("value < 4", Interval(3, 2, 4), None),
        ("value < 2", Interval(3, 2, 4), False),
        ("value >= 2", Interval(3, 2, 4), True),
        ("value within 2 to 4", Interval(3, 2, 4), True),
        # an end that equals the bound leaves a change open, unless it is the only value
        ("value below 2", Interval(3, 2, 4), None),
        ("value above 4", Interval(3, 2, 4), None),
        ("value above 4", Interval(3, 2, 3.9), False),
        ("value above 2", Interval(3, -np.inf, np.inf), True),
        ("value at most 3", Interval(3, 3, 3), True),
        ("value below 3", Interval(3, 3, 3), False),
        ("value are b, a", ["a", "b"], True),
        ("value are b", ["a", "b"], False),
        ("value include b", ["a", "b"], True),
        ("value include c", ["a", "b"], False),
        ("value begin with a, b", ["a", "b", "c"], True),
        ("value begin with b, a", ["a", "b", "c"], False),
        ("value is a b", "a b", True),
    ],
)
def test_condition_compares_a_fact_with_a_bound(holds_if, value, expected):
    assert claim(holds_if).is_true(value) is expected


@pytest.mark.parametrize(
    ("values", "every", "some"),
    [((3, 4), True, True), ((1, 4), False, True), ((1, 2), False, False), ((3, None), None, True)],
)
def test_every_part_meets_the_condition_or_any(values, every, some):
    facts = {"parts": [{"value": value} for value in values], "bound": 2}
    assert Condition.read("value > bound").of(facts) is every
    assert Condition.read("any value > bound").of(facts) is some


def test_condition_on_a_fact_that_is_missing_names_the_facts():
    with pytest.raises(ValueError, match="holds_if: no fact 'ratio' among value"):
        claim("ratio > 1").test(1)


def test_result_repeats_what_is_in_brackets_for_each_part():
    facts = {"parts": [{"name": "a", "by": 1.23}, {"name": "b", "by": 4}], "total": 5}
    both = Claim(
        "it is", "1", lambda _, digits: facts, (), "[{name} {by:.{digits}f}|; ] of {total}",
        arguments={"digits": 1},
    )  # fmt: skip
    assert both.test(None) == ("a 1.2; b 4.0 of 5", True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\tgrowth_of_waits\t", "\tgrowth\t", "line 10: statistic: no function 'growth'"),
        # it is imported from another module
        ("\tgrowth_of_waits\t", "\tinterval\t", "line 10: statistic: no function 'interval'"),
        ("\tsystem: 2\t", "\tsystem: [2\t", r"line 13: arguments: 'system: \[2' is no YAML"),
        ("\twhere\t", "\tplace\t", "line 1: columns must be"),
    ],
)
def test_wrong_row_is_named(tmp_path, old, new, message):
    path = tmp_path / "claims.tsv"
    path.write_text((RESOURCES / "souza2020/claims.tsv").read_text().replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        read_claims(path, statistics)


NEW = "Big Job on 28 cores uses most\t4.7\tTable 1\t\tpublished_row\trun: Montage 28\t"
NEW += "Big Job CH > ASA CH\t{Big Job CH:.0f} and {ASA CH:.0f} core-hours\n"


def test_new_claim_and_a_changed_word_are_one_edit(tmp_path):
    printed = {"Table 1": read_published(RESOURCES / "souza2020/published.tsv", "table1")}
    path = tmp_path / "claims.tsv"
    words = read_yaml(RESOURCES / "souza2020/words.yaml")

    def results(text):
        path.write_text(text)
        table, summary = counted(check_results(read_claims(path, statistics), printed, {}))[
            "claims"
        ]
        arithmetic = pd.DataFrame(columns=["item", "verdict", "reason"], dtype=str)
        told = {"arithmetic_comparison": arithmetic, "claims": table.rows}
        return table.rows, summary, story(told, True, Teller(words["story"]))

    text = (RESOURCES / "souza2020/claims.tsv").read_text()
    rows, summary, _ = results(text)
    more, new_summary, new_story = results(text + NEW)
    assert len(more) == len(rows) + 1
    assert more.iloc[-1].to_list() == [
        "Big Job on 28 cores uses most", "section 4.7", "9 and 7 core-hours", "holds",
    ]  # fmt: skip
    assert (summary[:15], new_summary[:15]) == ("0 of 4 claims h", "1 of 5 claims h")
    assert new_story.claim_counts.startswith("1 of 5 claims hold")
    assert "Big Job on 28 cores uses most" in set(new_story.claims["claim"])
    changed, _, _ = results(text.replace("always uses", "invariably uses"))
    assert "in Table 1, Big Job invariably uses more core-hours" in set(changed["claim"])


def sample_with(evidence, true, false=2.0, total=999, count=6):
    """Return a sample of `evidence`: 3 of so many resamples are true of, the others are `false`."""
    return Sample(evidence, count, lambda: [3.0] * true + [false] * (total - true))


@pytest.mark.parametrize(
    ("evidence", "true", "word"),
    [
        # (24 + 1) / 1000 of resamples are 2.5 %, (25 + 1) / 1000 more than that
        (3.0, 975, "holds"),
        (3.0, 974, "undecided"),
        (3.0, 0, "undecided"),
        (2.0, 24, "fails"),
        (2.0, 25, "undecided"),
        (2.0, 999, "undecided"),
    ],
)
def test_sentence_is_decided_if_resamples_exclude_the_opposite(evidence, true, word):
    (row,) = check_results([ABOVE], {"": sample_with(evidence, true)}, {}).to_dict("records")
    assert row["result"] == word
    assert row["found"] == f"{evidence:g}; true of {true / 9.99:.1f}% of resamples"


def test_six_windows_decide_and_five_do_not():
    assert decide([ABOVE], sample_with(3.0, 999))[0][1] is True
    few = decide([ABOVE], sample_with(3.0, 999, count=5))
    assert few == [("3; too few windows to decide", None)]


A, B = Condition.read("a"), Condition.read("b")


def test_parts_of_a_sentence_are_tested_on_the_same_resample():
    """Each is true of 98 % of the resamples, both together of 96 %."""
    pairs = [(place >= 20, not 20 <= place < 40) for place in range(999)]
    sample = Sample((True, True), 6, lambda: pairs)
    one, other, both = (
        Claim("", "1", lambda pair: dict(zip("ab", pair, strict=True)), conditions, "")
        for conditions in ([A], [B], [A, B])
    )
    assert [holds for _, holds in decide([one, other, both], sample)] == [True, True, None]


@pytest.mark.parametrize(
    ("evidence", "numbers", "holds"),
    [
        # the digits are printed, whatever resamples have
        (1.23, [9.0] * 999, True),
        # 24 lie below the printed 1.23, the interval begins at 1.0
        (1.5, [1.0] * 25 + [1.6] * 974, None),
        # the 25th lies above it by more than half a digit
        (1.5, [1.0] * 24 + [1.2351] * 975, False),
        (1.5, [1.0] * 24 + [1.2349] * 975, None),
    ],
)
def test_published_numbers_hold_by_digits_and_fail_outside_the_interval(evidence, numbers, holds):
    ((words, found),) = decide([claim("value prints 1.23")], Sample(evidence, 6, lambda: numbers))
    assert found is holds
    assert ("95% CI" in words) is (holds is not True)


def test_printed_digits_need_no_windows_and_others_do():
    digits = claim("value prints 1.23")
    assert decide([digits], Sample(1.23, 1, list)) == [("1.23", True)]
    assert decide([digits], Sample(1.24, 1, list))[0][1] is None


def test_sides_of_intervals_are_open_where_a_bound_is_inside():
    assert [side_of(*ends, 1) for ends in ((1.01, 2), (1, 2), (0, 1.01), (0, 1))] == [
        True, None, None, False,
    ]  # fmt: skip
    found = [side_within(*ends, (0, 3)) for ends in ((0, 3), (-0.1, 3), (0, 3.1), (3.1, 4))]
    assert found == [True, None, None, False]
    assert side_within(-2, -0.1, (0, 3)) is False
    assert [all_of(parts) for parts in ([], [True, None], [None, False])] == [True, None, False]


def test_an_untrue_sentence_is_not_made_true_by_its_resamples():
    assert of_resamples(False, np.ones(999, dtype=bool)) is None
    assert of_resamples(None, np.zeros(999, dtype=bool)) is False


def test_joint_chance_has_the_dependence_of_its_numbers():
    one = np.arange(39.0)
    alike = np.stack([one, one], axis=1)
    inside, outside = np.array([19.0, 19.0]), np.array([-1.0, -1.0])
    assert joint_chance(inside, alike) == 1
    assert joint_chance(outside, alike) == 1 / 40
    # 0 and 38 are as far out as each other: two of 39 rows, and the numbers themselves
    assert joint_chance(np.array([0.0, 0.0]), alike) == 3 / 40
    # where they do not depend on each other, two tails of 0.1 are together as rare as 0.056
    many = np.arange(1999.0)
    apart = np.stack([many, np.random.default_rng(3).permutation(many)], axis=1)
    tenth = np.full(2, 99.0)
    assert tail(99.0, many) == 0.101
    assert joint_chance(tenth, np.stack([many, many], axis=1)) == 0.1005
    assert 0.04 < joint_chance(tenth, apart) < 0.07
    assert np.isnan(joint_chance(inside, alike[:1]))


def test_tails_compare_each_number_with_the_others():
    values = np.array([1.0, 5.0, 5.0, 2.0, 9.0])
    wanted = [tail(value, np.delete(values, place)) for place, value in enumerate(values)]
    assert tails(values).tolist() == wanted


def test_claims_are_counted_by_outcome_and_selected_ones_are_listed():
    rows = [
        ("a", "holds", "1"),
        ("b", "fails", "2"),
        ("c", "undecided", "3"),
        ("d", NOT_AVAILABLE, ""),
    ]
    checked = pd.DataFrame(rows, columns=["claim", "result", "found"])
    said = "1 of 3 claims hold, 1 fails, 1 is undecided."
    assert count(checked, listed=()) == said
    assert (
        count(checked.assign(trace="X")[["trace", *checked]])
        == f"{said} Those that fail: X, b (2)."
    )
    both = " Those that fail: b (2). Those that are undecided: c (3)."
    assert count(checked, listed=("fails", "undecided")) == said + both
    assert count(checked[3:]).startswith("No claim was tested")


@pytest.mark.parametrize(("true", "word"), [(True, "holds"), (False, "fails"), (None, "undecided")])
def test_outcome_is_holds_fails_or_undecided(true, word):
    assert Outcome.of(true) == word
