"""The claims on the page of klusacek2016."""

import pandas as pd

from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016.page import claims_sentence, context

COLUMNS = ["experiment", "claim", "where", "result"]


def checked(*rows):
    return pd.DataFrame(rows, columns=COLUMNS)


CLAIMS = checked(
    ("sets", "z in every set", "table 1", "holds"),
    ("b, by node", "waits fall", "section 4.1", "holds"),
    ("b, by node", "moves are small", "section 4.1", "fails"),
    ("a, by node", "waits fall", "section 4.1", "fails"),
)


def test_claims_are_rows_in_order_and_experiments_are_columns():
    """Neither is sorted; who was not asked has an empty cell."""
    found = context({"claims": CLAIMS})
    assert list(found["claim_columns"].items()) == [
        ("claim", "Claim"),
        ("where", "Where"),
        ("sets", "sets"),
        ("b, by node", "b, by node"),
        ("a, by node", "a, by node"),
    ]
    assert [list(row.values()) for row in found["claim_rows"]] == [
        ["z in every set", "table 1", "holds", "", ""],
        ["waits fall", "section 4.1", "", "holds", "fails"],
        ["moves are small", "section 4.1", "", "fails", ""],
    ]
    assert all(list(row) == list(found["claim_columns"]) for row in found["claim_rows"])


def test_claims_sentence_counts_each_experiment():
    assert context({"claims": CLAIMS})["claims_sentence"] == (
        "Claims that hold: 1 of 1 with sets, 1 of 2 with b, by node, 0 of 1 with a, by node."
    )


def test_claims_not_tested_are_not_counted():
    one = checked(
        ("a", "x", "y", NOT_AVAILABLE), ("b", "x", "y", NOT_AVAILABLE), ("b", "z", "y", "fails")
    )
    assert claims_sentence(one) == "Claims that hold: 0 of 1 with b."
    assert claims_sentence(one[:2]) == ("No claim was tested: nothing ran on a log.")
