"""The claims on the page of klusacek2016."""

import pandas as pd

from schedlab.studies.klusacek2016.page import context

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
