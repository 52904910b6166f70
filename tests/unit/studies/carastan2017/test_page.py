"""Sentences and tables of the page of carastan2017."""

import numpy as np
import pandas as pd
import pytest

from page_case import compare, frames_of_page
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.page import (
    advantage,
    claims_sentence,
    context,
    learned_rows,
    times,
    window_sentence,
)
from table4_case import LOG_ON_MODEL, LOG_ROW, MODEL_ON_MODEL, MODEL_ROW, printed_values


def test_the_best_of_a_row_with_the_learned_policies_is_marked():
    table = pd.DataFrame({"experiment": ["a", "b"], "F1": ["2.0", NOT_AVAILABLE], "L1": "1.5"})
    rows = learned_rows(table)
    assert [cell["best"] for cell in rows[0]["cells"]] == [False, True]
    assert rows[1]["cells"][0] == {"text": NOT_AVAILABLE, "best": False}


def test_the_advantage_is_the_best_ad_hoc_median_over_the_best_learned_one():
    values = printed_values()
    values["model_full"] = [40.0, 20.0, 30.0, 50.0, 9.0, 8.0, 5.0, 10.0]
    found = advantage(compare(values))
    assert found["rows"][0]["full"] == 4
    assert found["regimes"][0]["over"] == 2
    assert found["rows"][0]["published"] == pytest.approx(943.59 / 29.58)
    regime = found["regimes"][0]
    assert regime["regime"] == "actual runtimes r"
    assert regime["full"] == pytest.approx((4 + 29.87 / 5.32) / 2)


def test_advantage_on_stand_ins_has_no_published_value():
    found = advantage(compare(printed_values(), source="models"))
    assert all(np.isnan(row["published"]) for row in found["rows"])
    assert found["rows"][0]["full"] == pytest.approx(943.59 / 29.58)
    assert found["regimes"] == []


@pytest.mark.parametrize(
    ("source", "model_row", "log_row"),
    [
        ("logs", MODEL_ROW, LOG_ROW),
        ("drawn", MODEL_ROW, LOG_ON_MODEL),
        ("models", MODEL_ON_MODEL, LOG_ON_MODEL),
    ],
)
def test_every_table_of_the_page_names_the_model_that_ran(source, model_row, log_row):
    frames = frames_of_page(printed_values(), source)
    page = context({name: frame.map(as_text) for name, frame in frames.items()})
    for table in ("table4", "table4_full", "learned", "ranks"):
        assert [row["label"] for row in page[table]] == [model_row, log_row], table
    assert [row["label"] for row in page["advantage"]["rows"]] == [model_row, log_row]
    assert [cell["policy"] for cell in page["table4"][1]["cells"] if cell["best"]] == ["F2"]


def as_text(cell):
    return "" if isinstance(cell, float) and np.isnan(cell) else str(cell)


def test_row_that_was_not_run_keeps_its_published_ratio():
    values = {name: row for name, row in printed_values().items() if name.startswith("model")}
    found = advantage(compare(values))
    assert found["rows"][1]["published"] == pytest.approx(29.87 / 5.32)
    (regime,) = found["regimes"]
    assert (regime["of"], regime["over"]) == (2, 1)
    assert regime["published"] == pytest.approx((943.59 / 29.58 + 29.87 / 5.32) / 2)


@pytest.mark.parametrize(
    ("full", "words"),
    [
        (1.99, "Most of the advantage comes from the window"),
        (2.01, "Less than half of the advantage comes from the window"),
        (2.99, "Less than half of the advantage comes from the window"),
        (3.01, "The advantage does not come from the window"),
    ],
)
def test_effect_of_the_window_is_worded_by_the_share_of_the_gap(full, words):
    """Three times with the window: two above being equal, half of which is one."""
    regime = {"regime": "runtime estimates e", "of": 6, "published": 4.0, "over": 2}
    said = window_sentence(regime | {"artefact": 3.0, "full": full})
    assert (times(9.994), times(9.996)) == ("9.99", "10.0")
    assert said.endswith(f"{words}.")
    assert said.startswith(
        "With user estimates: × 4.00 as published (median of 6 experiments). In the 2 that ran: "
        f"× 3.00 with the window of 32 tasks, × {full} with the whole queue visible."
    )


def test_claims_sentence_counts_claims_that_hold_of_those_tested():
    table = pd.DataFrame({"printed": ["holds", "fails"], "artefact": ["holds", NOT_AVAILABLE]})
    assert claims_sentence(table.assign(full=NOT_AVAILABLE)) == (
        "With the window of 32 tasks, 1 of 1 claims hold, 0 fail, 0 are undecided. On the "
        "published Table 4, 1 of 2 claims hold, 1 fails, 0 are undecided."
    )
    assert claims_sentence(table.assign(printed="", artefact=NOT_AVAILABLE, full="")) == ""
