"""Claims of papers are tested on the evidence of their kind."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.intervals import joint_chance, tail, tails
from schedlab.core.markers import NOT_AVAILABLE
from schedlab.report.claims import (
    Claim,
    Outcome,
    Sample,
    all_of,
    check,
    count,
    decide,
    of_resamples,
    side_of,
    side_within,
)

CLAIMS = [
    Claim("it is above one", "1.2", lambda value: (f"{value}", value > 1)),
    Claim(
        "it has three", "2, figure 1", lambda values: (f"{len(values)}", len(values) == 3), "many"
    ),
]


def test_claims_are_tested_on_every_body_of_evidence_that_has_their_kind():
    table = check(CLAIMS, {"printed": {"": 0}, "computed": {"": 2, "many": "abc"}}, "computed")
    assert list(table.columns) == ["claim", "where", "printed", "computed", "found"]
    assert table["where"].tolist() == ["section 1.2", "section 2, figure 1"]
    assert table["printed"].tolist() == ["fails", NOT_AVAILABLE]
    assert table["computed"].tolist() == ["holds", "holds"]
    assert table["found"].tolist() == ["2", "3"]


def test_claim_without_evidence_is_not_available():
    table = check(CLAIMS, {"result": {}}, "result")
    assert table["result"].tolist() == [NOT_AVAILABLE] * 2
    assert table["found"].tolist() == ["", ""]


def test_place_that_is_not_a_section_is_kept():
    abstract = Claim("it is", "abstract", lambda value: ("", True))
    assert check([abstract], {"computed": {"": 1}}, "computed")["where"].tolist() == ["abstract"]


def test_a_number_at_the_end_of_a_name_makes_it_no_section():
    table_4 = Claim("it is", "Table 4", lambda value: ("", False))
    found = check([table_4], {"computed": {"": 1}}, "computed")
    assert found.to_dict("records") == [
        {"claim": "it is", "where": "Table 4", "computed": "fails", "found": ""}
    ]


def sample_with(evidence, true, false=2.0, total=999, count=6):
    """Return a sample of `evidence`: 3 of so many resamples are true of, the others are `false`."""
    return Sample(evidence, count, lambda: [3.0] * true + [false] * (total - true))


ABOVE = Claim("it is above two", "1", lambda value: (f"{value:g}", value > 2))


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
    (row,) = check([ABOVE], {"computed": {"": sample_with(evidence, true)}}, "computed").to_dict(
        "records"
    )
    assert row["computed"] == word
    assert row["found"] == f"{evidence:g}; true of {true / 9.99:.1f}% of resamples"


def test_six_windows_decide_and_five_do_not():
    assert decide([ABOVE], sample_with(3.0, 999))[0][1] is True
    few = decide([ABOVE], sample_with(3.0, 999, count=5))
    assert few == [("3; too few windows to decide", None)]


def test_parts_of_a_sentence_are_tested_on_the_same_resample():
    """Each is true of 98 % of the resamples, both together of 96 %."""
    pairs = [(place >= 20, not 20 <= place < 40) for place in range(999)]
    sample = Sample((True, True), 6, lambda: pairs)
    one, other, both = (
        Claim("", "1", lambda pair: ("", pair[0])),
        Claim("", "1", lambda pair: ("", pair[1])),
        Claim("", "1", lambda pair: ("", all(pair))),
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
    claim = Claim("", "1", lambda value: (f"{value}", value == 1.23), "", lambda v: [("1.23", v)])
    ((words, found),) = decide([claim], Sample(evidence, 6, lambda: numbers))
    assert found is holds
    assert ("95% CI" in words) is (holds is not True)


def test_printed_digits_need_no_windows_and_others_do():
    claim = Claim("", "1", lambda value: ("", value == 1.23), "", lambda v: [("1.23", v)])
    assert decide([claim], Sample(1.23, 1, list))[0] == ("", True)
    assert decide([claim], Sample(1.24, 1, list))[0][1] is None


def test_evidence_that_is_no_sample_decides_by_itself():
    table = check([ABOVE], {"printed": {"": 3}, "computed": {"": sample_with(3.0, 500)}}, "printed")
    assert table[["printed", "computed", "found"]].to_numpy().tolist() == [
        ["holds", "undecided", "3"]
    ]


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
    assert count(checked, "on X, {claim}") == f"{said} Those that fail: on X, b (2)."
    both = " Those that fail: b (2). Those that are undecided: c (3)."
    assert count(checked, listed=("fails", "undecided")) == said + both
    assert count(checked[3:]).startswith("No claim was tested")


@pytest.mark.parametrize(("true", "word"), [(True, "holds"), (False, "fails"), (None, "undecided")])
def test_outcome_is_holds_fails_or_undecided(true, word):
    assert Outcome.of(true) == word
