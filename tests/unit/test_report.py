"""The report: one page that says what was made and needs nothing beside it."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from schedlab import comparison, tables
from schedlab.report import advantage, render, table4_rows, verdict_counts
from table4_case import LOG_ROW, MODEL_ROW, experiments, printed_values, published, sequences

TEMPLATE = Path(__file__).parents[2] / "workflow/report/index.html.j2"
REASONS = pd.DataFrame(
    [("table4", "full", "*", "*", "sees the whole queue")], columns=comparison.REASON_COLUMNS
)
FETCHED = {
    "log": "CTC-SP2",
    "status": "at hand",
    "source": "/somebody/archive/CTC.swf.gz",
    "sha256": None,
    "jobs": 77222,
    "message": "",
    "licence": "cite <the archive>",
    "acknowledge": "Dan Dwyer and Steve Hotovy",
}


def medians(values, source="logs"):
    """Return the sheet and the medians of the small Table 4."""
    sheet = tables.sheet_frame(experiments(), source=source)
    return sheet, tables.medians(sheet, sequences(values))


def compare(values, source="logs"):
    return comparison.compare_table4(published(), *medians(values, source), REASONS)


@pytest.fixture
def page(tmp_path):
    """Render the page for some medians; return its text."""

    def make(values, source="logs", fetched=FETCHED):
        sheet, numbers = medians(values, source)
        frames = {
            "table2": pd.DataFrame({"name": ["SPT"], "function": ["r"]}),
            "table5_comparison": pd.DataFrame(
                columns=["log", "column", "published", "ours", "ratio", "verdict", "reason"]
            ),
            "table4_comparison": compare(values, source),
            "table4_ranks": comparison.rank_table4(published(), sheet, numbers),
            "table4_generated": tables.row_group(sheet, sequences(values)),
        }
        for item, group in sheet.groupby("item"):
            frames[item] = tables.table4(group, numbers.loc[group.index])
        for item, frame in frames.items():
            tables.write_csv(frame, tmp_path / f"{item}.csv")
        (tmp_path / "fig4.png").write_bytes(b"a picture")
        (tmp_path / "log.json").write_text(json.dumps(fetched))
        render(
            TEMPLATE,
            {item: tmp_path / f"{item}.csv" for item in frames},
            [tmp_path / "fig4.png"],
            [tmp_path / "log.json"],
            {"source": source},
            "paper" if source == "logs" else "quick",
            tmp_path / "index.html",
        )
        return (tmp_path / "index.html").read_text()

    return make


def test_the_page_loads_nothing_from_elsewhere(page):
    text = page(printed_values())
    sources = re.findall(r'\bsrc="([^"]{1,30})', text)
    assert sources
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert not re.search(r"<link|<script|@import|url\(", text)


def test_the_page_says_what_the_window_does(page):
    assert "32 oldest waiting tasks" in page(printed_values())


def test_numbers_stand_beside_the_printed_ones(page):
    values = printed_values()
    values["model_artefact"][0] = 5846.8749
    text = page(values)
    assert '<span class="ours">5846.87</span>' in text
    assert "</span> 5846.87</span>" in text


def test_a_difference_is_shown_with_its_reason(page):
    values = printed_values()
    values["ctc_artefact"][7] = 400.0
    text = page(values)
    assert "v-differs" in text
    assert comparison.UNEXPLAINED in text


def test_a_missing_log_is_shown_with_the_message_that_a_user_gets(page):
    values = {name: row for name, row in printed_values().items() if name.startswith("model")}
    missing = FETCHED | {"status": tables.NOT_AT_HAND, "source": "", "jobs": 0}
    text = page(values, fetched=missing | {"message": "put CTC.swf into the archive & run again"})
    assert "put CTC.swf into the archive &amp; run again" in text
    assert tables.NOT_AT_HAND in text


def test_stand_ins_are_told_before_anything_else(page):
    text = page(printed_values(), source="models")
    assert "not from the paper’s data" in text
    assert f"{LOG_ROW} [model stand-in: lublin_quick_ctc]" in text


def test_logs_are_acknowledged_and_folders_of_this_machine_are_not_told(page):
    text = page(printed_values())
    assert "Dan Dwyer and Steve Hotovy" in text
    assert "cite &lt;the archive&gt;" in text
    assert "CTC.swf.gz" in text
    assert "/somebody" not in text


def test_equal_inputs_give_equal_pages(page):
    assert page(printed_values()) == page(printed_values())


def test_verdicts_are_counted_by_dialect():
    values = printed_values()
    values["model_full"] = [1.0] * 8
    counts = verdict_counts(compare(values))
    assert counts["artefact"] == {"match": 16, "ordering holds": 0, "differs": 0} | {
        tables.NOT_AT_HAND: 0
    }
    assert counts["full"]["differs"] == 8


def test_the_best_of_a_row_is_marked():
    compared = compare(printed_values())
    table = pd.DataFrame({"experiment": [MODEL_ROW, LOG_ROW]})
    rows = table4_rows(table, compared, "artefact")
    assert [cell["policy"] for cell in rows[1]["cells"] if cell["best"]] == ["F2"]


def test_the_advantage_is_the_best_ad_hoc_median_over_the_best_learned_one():
    values = printed_values()
    values["model_full"] = [40.0, 20.0, 30.0, 50.0, 9.0, 8.0, 5.0, 10.0]
    found = advantage(compare(values))
    assert found["rows"][0]["full"] == 4
    assert found["rows"][0]["published"] == pytest.approx(943.59 / 29.58)
    regime = found["regimes"][0]
    assert regime["regime"] == "actual runtimes r"
    assert regime["full"] == pytest.approx((4 + 29.87 / 5.32) / 2)
