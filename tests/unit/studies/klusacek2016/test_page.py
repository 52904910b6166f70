"""The claims on the page of klusacek2016."""

import pandas as pd
import pytest

from schedlab.report.verdicts import NOT_AVAILABLE
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


@pytest.mark.parametrize(
    ("results", "counts"),
    [
        (
            "sets holds, b holds, b fails, a fails",
            {
                "all experiments": "2 of 4 claims hold, 2 fail, 0 are undecided",
                "sets": "1 of 1 claims hold, 0 fail, 0 are undecided",
                "b": "1 of 2 claims hold, 1 fails, 0 are undecided",
                "a": "0 of 1 claims hold, 1 fails, 0 are undecided",
            },
        ),
        (
            f"a {NOT_AVAILABLE}, b {NOT_AVAILABLE}, b undecided",
            {
                "all experiments": "0 of 1 claims hold, 0 fail, 1 is undecided",
                "b": "0 of 1 claims hold, 0 fail, 1 is undecided",
            },
        ),
        (f"a {NOT_AVAILABLE}", {}),
    ],
)
def test_claims_are_counted_by_experiment(results, counts):
    rows = [row.split(" ", 1) for row in results.split(", ")]
    table = [(name, f"claim {k}", "w", result) for k, (name, result) in enumerate(rows)]
    assert list(context({"claims": checked(*table)})["claim_counts"].items()) == [*counts.items()]
