"""The claims on the page of klusacek2016."""

import re

import pandas as pd
import pytest

from claim_case import claims_of
from page_case import rendered
from plans_case import evidence, missing_evidence
from schedlab.report.comparison import REASON_COLUMNS, read_published
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016 import statistics
from schedlab.studies.klusacek2016.page import context
from schedlab.studies.klusacek2016.tables.means import baselines, compare_text, means
from schedlab.studies.klusacek2016.tables.searches import realized_metrics
from schedlab.studies.klusacek2016.tables.sets import (
    compare_table1,
    joint,
    over_periods,
    readings,
    table1,
)
from words_case import captions_of

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


FIGURES = [*(f"fig{number}" for number in range(1, 9)), "fig_table1", "beyond_search"]
COSTS = pd.DataFrame({"both": [1.0]})


@pytest.fixture
def page(root, tmp_path):
    """Render the page of one set and one whole log, and their claims; return its text."""

    def make(sets, log, source="logs"):
        printed = root / "resources/klusacek2016/published.tsv"
        no_reasons = pd.DataFrame(columns=REASON_COLUMNS)
        shown = {
            "table1": table1(sets),
            "table1_readings": readings([], [], {}),
            "table1_joint": joint(read_published(printed, "table1"), [], []),
            "table1_comparison": compare_table1(
                read_published(printed, "table1"), sets, {}, no_reasons
            ),
            "table1_periods": over_periods({}),
            "means": means([log]),
            "baselines": baselines([log], []),
            "text": compare_text(read_published(printed, "text"), log, log, COSTS),
            "claims": statistics.check_claims(claims_of("klusacek2016"), sets, [log], {}, {}),
            "beyond_search": pd.DataFrame({"plans": ["some"], "gain": [1.0]}),
            "beyond_budget": pd.DataFrame({"plans": ["some"], "share": [1.0]}),
            "beyond_waits": realized_metrics([], []),
        }
        captions = captions_of(
            "klusacek2016",
            {"source": source},
            [*shown, *FIGURES],
            lambda _: {"stand_ins": "model" if source == "models" else ""},
        )
        texts = {"beyond_search": "What is said first.\n\nAnd then.", "claims": "said"}
        return rendered(tmp_path, "klusacek2016", shown, FIGURES, texts, captions, context, source)

    return make


@pytest.mark.slow
def test_page_shows_changes_claims_and_further_experiments(page):
    log = evidence([100, 0], [90, 0], [80, 0], row={"label": "by node"})
    text = page([evidence([1000], [900], [700])], log)
    for words in ("HPC2N set 1", "-20.0", "What is said first.", "wait (s), Orig-BF"):
        assert words in text
    assert re.search("<ul><li>all experiments: .*</li><li>by node: .*</li></ul>", text)


def test_page_without_logs_is_rendered(page):
    text = page([missing_evidence()], missing_evidence(label="by node"))
    assert "nothing ran on a log" in text


@pytest.mark.slow
def test_page_states_that_stand_ins_ran(page):
    one = evidence([10], [9], row={"is_model": True, "source": "lublin_users_240"})
    assert "users are drawn" in page([one], one, "models")
