"""Stories of papers, and claims with the outcomes that all papers share."""

import pandas as pd
import pytest

from schedlab.report.story import Bar, Discovery, Story, claims_of


def checked(*results):
    rows = [("said", "section 1", "a", result, "5 of 6") for result in results]
    return pd.DataFrame(rows, columns=["claim", "where", "trace", "result", "found"])


def test_claims_of_all_papers_have_the_same_outcomes():
    words = ("holds", "fails", "undecided", "log not available", "")
    told = claims_of(checked(*words), of=["trace"])
    assert told["result"].tolist() == [
        *("holds", "fails", "undecided", "log not available"),
        "log not available",
    ]
    assert told.iloc[0].tolist() == ["said", "section 1", "a", "holds", "5 of 6"]


def test_unknown_outcome_is_rejected():
    with pytest.raises(ValueError, match="result 'perhaps' is none of"):
        claims_of(checked("perhaps"))


def test_missing_claims_give_an_empty_table():
    assert claims_of(checked(), of=["trace"]).empty


def test_bars_are_scaled_to_the_longest():
    bars = (Bar("a", 1.0, "1"), Bar("b", 4.0, "4"))
    assert Discovery("h", "t", bars, "rule", "a.csv", "part").widest == 4.0
    assert Discovery("h", "t", (Bar("a", 0.0, "0"),), "rule", "a.csv", "part").widest == 1.0


def discovery(headline, **more):
    return Discovery(headline, "", (), "rule", "table.csv", "part", **more)


def test_findings_are_three_with_the_claims_last():
    story = Story("First.", claims_of(checked("holds", "fails")), (discovery("A"), discovery("B")))
    texts = [finding.text for finding in story.findings]
    assert texts == ["First.", "A.", "1 of 2 claims hold, 1 fails, 0 are undecided."]
    without = Story("First.", discoveries=(discovery("A"), discovery("B"), discovery("C")))
    assert [finding.text for finding in without.findings] == ["First.", "A.", "B."]
    assert Story().findings == []


def test_discovery_with_the_numbers_of_the_finding_is_not_repeated():
    first, second = discovery("A", of_finding=True), discovery("B", models=True)
    findings = Story("First.", discoveries=(first, second)).findings
    assert [(finding.text, finding.models) for finding in findings] == [
        ("First.", False),
        ("B.", True),
    ]
