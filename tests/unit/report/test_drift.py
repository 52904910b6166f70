"""Verdicts compared with the committed ones, better and worse."""

import pandas as pd
import pytest

from schedlab.report.drift import drift, read_expected
from schedlab.report.scoreboard import COLUMNS
from schedlab.report.verdicts import GRADES, grade_of, is_worse

HEADER = "paper\titem\tdialect\tcell\tverdict\texplained\n"


def board(**verdicts):
    """Make a scoreboard of one table; a verdict may be marked as explained."""
    rows = [
        {"paper": "one", "item": "table1", "cell": cell}
        | {"verdict": said.split(",")[0], "explained": "".join(said.split(",")[1:])}
        for cell, said in verdicts.items()
    ]
    return pd.DataFrame(rows).reindex(columns=COLUMNS, fill_value="")


@pytest.fixture
def known(tmp_path):
    """Write and read expected verdicts."""

    def make(*lines):
        path = tmp_path / "expected.tsv"
        path.write_text(HEADER + "".join("\t".join(line.split(";")) + "\n" for line in lines))
        return read_expected(path)

    return make


def test_equal_verdicts_are_as_expected(known):
    found = drift(board(a="match", b="differs,yes"), known("one;table1;;a;match;", DIFFERS_B))
    assert found.holds
    assert found.counts()["as expected"] == 2


DIFFERS_B = "one;table1;;b;differs;yes"


@pytest.mark.parametrize(
    ("expected", "got", "change", "holds"),
    [
        ("match;", "consistent", "worse", False),
        ("consistent;", "match", "better", True),
        ("consistent;", "same ranking,yes", "worse", False),
        ("same ranking;yes", "differs,yes", "worse", False),
        ("differs;no", "same ranking,no", "better", True),
        ("differs;yes", "differs,no", "worse", False),
        ("differs;no", "differs,yes", "better", True),
        ("match;", "log not available", "not run", True),
        ("log not available;", "differs,no", "better", True),
        ("log not available;", "log not available", "as expected", True),
    ],
)
def test_change_is_classified_in_both_directions(known, expected, got, change, holds):
    found = drift(board(a=got), known(f"one;table1;;a;{expected}"))
    assert found.of(change)["cell"].tolist() == ["a"]
    assert found.holds is holds


def test_missing_verdicts_fail_only_in_strict_mode(known):
    expected = known("one;table1;;a;match;")
    assert drift(board(a="log not available"), expected).holds
    assert not drift(board(a="log not available"), expected, strict=True).holds
    assert drift(board(a="match"), expected, strict=True).holds


def test_removed_number_fails_and_new_number_does_not(known):
    assert not drift(board(b="match"), known("one;table1;;a;match;")).holds
    found = drift(board(a="match", b="differs,no"), known("one;table1;;a;match;"))
    assert found.holds
    assert found.of("new")["cell"].tolist() == ["b"]


def test_only_the_first_dialect_is_expected_of_a_scoreboard(known):
    lines = ("one;table1;artefact;a;match;", "one;table1;full;a;differs;no")
    assert drift(board(a="match"), known(*lines)).counts()["as expected"] == 1


def test_grades_are_ordered_and_a_missing_log_is_outside():
    *order, missing = GRADES
    for place, grade in enumerate(order):
        assert [is_worse(grade, than) for than in order] == [place > i for i in range(len(order))]
        assert not is_worse(missing, grade)
        assert not is_worse(grade, missing)
    assert grade_of("same ranking", explained=False) == "same ranking"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tb\n", "columns must be"),
        (HEADER + "one\tt\t\ta\tfine\t\n", "line 2: verdict 'fine'"),
        (HEADER + "one\tt\t\ta\tfine\t\none\tt\t\tb\tgood\t\n", "line 2: verdict 'fine'"),
        (HEADER + "one\tt\t\ta\tmatch\t\n" * 2, "line 3: this number is listed already"),
        (HEADER + "one\tt\t\ta\tmatch\t\n" * 3, "line 3: this number is listed already"),
    ],
)
def test_an_expectation_with_a_mistake_is_refused_with_its_line(tmp_path, text, said):
    path = tmp_path / "expected.tsv"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"expected.tsv: .*{said}"):
        read_expected(path)


def test_missing_verdict_does_not_offset_a_worse_one(known):
    lines = ("one;table1;;a;match;", "one;table1;;b;match;")
    found = drift(board(a="differs,no", b="log not available"), known(*lines), strict=True)
    assert (found.of("worse")["cell"].tolist(), found.holds) == (["a"], False)
