"""The report: pages that say what was made and need nothing beside them."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from schedlab.io import write_parquet
from schedlab.papers.carastan2017 import claims
from schedlab.papers.carastan2017 import published as carastan2017_published
from schedlab.papers.carastan2017.names import LEARNED_COLUMNS
from schedlab.papers.carastan2017.page import (
    advantage,
    claims_said,
    context,
    learned_rows,
    table4_rows,
    window_sentence,
)
from schedlab.papers.carastan2017.tables import experiments as tables_experiments
from schedlab.papers.carastan2017.tables.standing import shown, standing
from schedlab.report import comparison, tables
from schedlab.report.pages import (
    cell,
    item_name,
    made_known,
    of_the_paper,
    render,
    render_home,
    verdict_counts,
)
from schedlab.report.verdicts import DEFINITIONS, NOT_AT_HAND
from table4_case import LOG_ROW, MODEL_ROW, experiments, printed_values, published, sequences

TEMPLATES = Path(__file__).parents[3] / "workflow/report"
REASONS = pd.DataFrame(
    [("table4", "full", "*", "*", "within 100%", "sees the whole queue")],
    columns=comparison.REASON_COLUMNS,
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
PAPER = {
    "key": "carastan2017",
    "title": "A title",
    "authors": "Two authors",
    "venue": "SC’17",
    "summary": "What it is about.",
}
LEARNING = ["fig1", "fig2", "fig3", "fig_samplers", "fig_sites"]
BOXES = [f"fig{number}{more}" for number in range(4, 10) for more in ("", "_learned")]
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (1280).to_bytes(4) + (840).to_bytes(4)
LEARNED_HERE = "L1–L4 do not beat F1–F4."
SITES = "Site policies do not pay with actual run times."
# Versions of another environment than the one that renders.
OTHERS = {"numpy": "1.0.99", "python": "3.0.99"}
VERDICT_COLUMNS = ["published", "ours", "ratio", "verdict", "reason"]


def medians(values, source="logs", own=()):
    """Return the sheet and the medians of the small Table 4; "drawn": its model row by the seed."""
    rows = experiments(drawn=source == "drawn")
    sheet = tables_experiments.sheet_frame(rows, "models" if source == "drawn" else source)
    return sheet, tables_experiments.medians(sheet, sequences(values), own)


def compare(values, source="logs"):
    return carastan2017_published.compare_table4(published(), *medians(values, source), REASONS)


def frames_of_page(values, source):
    """Return every table of the page, those of the learning half without rows."""
    sheet, numbers = medians(values, source)
    ranks = shown(standing(*medians(values, source, LEARNED_COLUMNS)))
    compared = ["log", "column", *VERDICT_COLUMNS]
    frames = {
        "table1": pd.DataFrame({"name": ["id"], "description": ["id(x) = x"]}),
        "table2": pd.DataFrame({"name": ["SPT"], "function": ["r"]}),
        "table3": pd.DataFrame(columns=["ID", "function", "K", "rank_error"]),
        "table3_comparison": pd.DataFrame(
            [("F1", "K", "8.70e2", 870.96, 1.0011, "match", "")],
            columns=["ID", "column", *VERDICT_COLUMNS],
        ),
        "table5_comparison": pd.DataFrame(
            [("CTC SP2", "cpus", "338", "338", 1.0, "match", "")], columns=compared
        ),
        "table4_comparison": compare(values, source),
        "claims": claims.check(compare(values, source)),
        "table4_ranks": carastan2017_published.rank_table4(published(), sheet, numbers),
        "table4_generated": tables_experiments.row_group(sheet, sequences(values)),
        "table4_learned_ranks": ranks,
        "learned": pd.DataFrame(columns=["name", "expression", "rank_error"]),
    }
    empty = ["table3_own", "table3_intercept", "fitters_published", "fitters_uniform"]
    empty += ["sites", "sites_policies", "sites_summary", "sites_tuples"]
    frames |= {item: pd.DataFrame(columns=["function"]) for item in empty}
    for item, group in sheet.groupby("item"):
        frames[item] = tables_experiments.table4(group, numbers.loc[group.index])
        learned = item.replace("table4", "table4_learned")
        _, more = medians(values, source, LEARNED_COLUMNS)
        frames[learned] = tables_experiments.table4(group, more.loc[group.index])
    return frames


@pytest.fixture
def page(tmp_path):
    """Render the page for some medians; return its text."""

    def make(values, source="logs", fetched=FETCHED):
        frames = frames_of_page(values, source)
        files = [tmp_path / f"{item}.csv" for item in frames]
        for path, frame in zip(files, frames.values(), strict=True):
            tables.write_csv(frame, path)
        for item in (*LEARNING, *BOXES):
            files.append(tmp_path / f"{item}.png")
            files[-1].write_bytes(PICTURE)
        for item, said in (("table4_learned", LEARNED_HERE), ("sites", SITES)):
            files.append(tmp_path / f"{item}_sentence.txt")
            files[-1].write_text(f"{said}\n")
        captions = TEMPLATES / "carastan2017"
        (tmp_path / "log.json").write_text(json.dumps(fetched))
        render(
            TEMPLATES / "carastan2017/page.html.j2",
            PAPER,
            files,
            dict.fromkeys(BOXES, captions / "boxplots.rst") | {"table3": captions / "table3.rst"},
            [tmp_path / "log.json"],
            {
                "source": "logs" if source == "logs" else "models",
                "scale": "papers" if source == "logs" else "quick",
            },
            tmp_path / "page.html",
            further=context,
        )
        return (tmp_path / "page.html").read_text()

    return make


@pytest.fixture
def home(tmp_path):
    """Render the first page; return its text."""

    def make(source="logs", fetched=FETCHED):
        folder = tmp_path / "carastan2017"
        folder.mkdir(exist_ok=True)
        tables.write_csv(compare(printed_values(), source), folder / "table4_comparison.csv")
        (tmp_path / "log.json").write_text(json.dumps(fetched))
        write_parquet(pd.DataFrame({"a": [1]}), tmp_path / "computed.parquet", about=OTHERS)
        more = {"tables": ["table4"], "figures": ["fig4"], "drawn": "Model rows as published."}
        render_home(
            TEMPLATES / "index.html.j2",
            {"carastan2017": PAPER | more},
            [folder / "table4_comparison.csv"],
            [tmp_path / "log.json"],
            [tmp_path / "computed.parquet"],
            {"source": "logs" if source == "logs" else "models", "scale": "papers"},
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
    missing = FETCHED | {"status": NOT_AT_HAND, "source": "", "jobs": 0}
    text = page(values, fetched=missing | {"message": "put CTC.swf into the archive & run again"})
    assert "put CTC.swf into the archive &amp; run again" in text
    assert NOT_AT_HAND in text


def test_figures_are_shown_in_proportion_to_their_size(page):
    assert 'style="width: 704px"' in page(printed_values())


def test_a_figure_has_the_caption_of_snakemakes_report(page):
    text = page(printed_values())
    assert "Figure 9 of carastan2017: real logs, user estimates and aggressive backfilling" in text
    assert "the policies learned here, L1 to L4" in text
    assert "Quick scale" not in text
    quick = page(printed_values(), source="models")
    assert quick.count("Quick scale: drawn from stand-in") == 6
    assert quick.count("Quick scale: the paper's own workloads, drawn from their seeds.") == 6


def test_the_page_says_whether_the_learned_policies_are_better(page):
    text = page(printed_values())
    assert LEARNED_HERE in text
    assert SITES in text


def test_printed_numbers_keep_their_digits(page):
    assert ">8.70e2</td>" in page(printed_values())


def test_the_first_page_tells_the_versions_of_what_computed_and_not_its_own(home):
    text = home()
    assert "1.0.99" in text
    assert "3.0.99" in text
    assert np.__version__ not in text


def test_the_first_page_leads_to_the_papers_with_their_verdicts(home):
    text = home()
    assert '<a href="carastan2017.html">A title</a>' in text
    assert "Table 4, artefact" in text
    assert re.search(r"16\s+match", text)
    assert "1 of 1 are at hand" in text


def test_the_first_page_says_which_logs_are_missing_and_where_to_put_them(home):
    missing = FETCHED | {"status": NOT_AT_HAND, "source": "", "message": "put it here"}
    text = home(fetched=missing)
    assert "0 of 1 are at hand" in text
    assert "put it here" in text


def test_the_first_page_tells_stand_ins_and_loads_nothing(home):
    text = home(source="models")
    assert "not from the papers’ data" in text
    assert not re.search(r"<link|<script|@import|url\(|\bsrc=", text)


@pytest.mark.parametrize(
    ("text", "decimals", "shown_as"),
    [
        ("29.584800", 2, "29.58"),
        ("1024", 2, "1024"),
        ("2.4e-10", 2, "2.4e-10"),
        ("-0.009701548", 4, "-0.0097"),
        (NOT_AT_HAND, 2, "–"),
        ("True", 2, "yes"),
        ("False", 2, "no"),
        ("sqrt(r) * n", 2, "sqrt(r) * n"),
        ("", 2, ""),
    ],
)
def test_cells_are_rounded_where_they_have_a_fraction(text, decimals, shown_as):
    assert cell(text, decimals) == shown_as


def test_items_are_named_as_papers_do():
    items = ("table4_learned", "fig4_1", "fig_sites", "correlations_comparison")
    names = ["Table 4", "Figure 4.1", "fig sites", "correlations"]
    assert [item_name(item) for item in items] == names


def test_stand_ins_are_told_before_anything_else(page):
    text = page(printed_values(), source="models")
    assert "not from the papers’ data" in text
    assert f"{LOG_ROW} [model stand-in: lublin_quick_ctc]" in text


def test_what_ran_on_the_papers_own_workload_is_told_first_and_held_against_it(page):
    """Eight numbers in a dialect: those of the model row; the other row is a stand-in."""
    text = page(printed_values(), source="drawn")
    told = "<b>8 of 8 numbers of Table 4’s model rows match.</b>"
    assert text.index(told) < text.index("Numbers that need a log come from model workloads")
    assert f"{MODEL_ROW} [model" not in text
    assert f"{LOG_ROW} [model stand-in: lublin_quick_ctc]" in text
    assert "Every number of the artefact dialect that could be run is equal" in text
    alone = page(printed_values(), source="models")
    assert "numbers of Table 4’s model rows match" not in alone
    assert "Nothing is compared: every row ran on a model stand-in." in alone


def test_the_first_page_says_what_ran_on_a_papers_own_data_where_logs_did_not(home):
    assert "<b>Model rows as published.</b>" in home(source="drawn")
    assert "Model rows as published" not in home()


def test_logs_drawn_from_their_seeds_are_neither_at_hand_nor_missing(home):
    drawn = FETCHED | {"status": "drawn from its seed", "source": "model lublin_published_256"}
    text = home(fetched=drawn)
    assert "0 of 1 are at hand, 1 is drawn job by job from its seed." in text
    assert "Logs that are not at hand" not in text
    assert "model lublin_published_256" in text


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
    none = dict.fromkeys(("consistent", "ordering holds", "differs", NOT_AT_HAND, "unexplained"), 0)
    assert counts["artefact"] == {"match": 16} | none
    # 1.0 is within 100 % of every printed number, and that has a reason.
    assert (counts["full"]["differs"], counts["full"]["unexplained"]) == (8, 0)


def test_differences_without_a_reason_are_counted_beside_the_verdicts():
    compared = pd.DataFrame({"verdict": ["match", "differs", "differs", "ordering holds"]})
    compared["reason"] = ["", "known", "unexplained: so far", "unexplained"]
    assert verdict_counts(compared)[""]["unexplained"] == 2


def test_a_comparison_without_dialects_is_counted_as_one():
    compared = pd.DataFrame({"verdict": ["match", "differs", "match"]})
    assert verdict_counts(compared)[""]["match"] == 2


def test_the_best_of_a_row_with_the_learned_policies_is_marked():
    table = pd.DataFrame({"experiment": ["a", "b"], "F1": ["2.0", NOT_AT_HAND], "L1": "1.5"})
    rows = learned_rows(table)
    assert [cell["best"] for cell in rows[0]["cells"]] == [False, True]
    assert rows[1]["cells"][0] == {"text": NOT_AT_HAND, "best": False}


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
    assert found["regimes"][0]["over"] == 2
    assert found["rows"][0]["published"] == pytest.approx(943.59 / 29.58)
    regime = found["regimes"][0]
    assert regime["regime"] == "actual runtimes r"
    assert regime["full"] == pytest.approx((4 + 29.87 / 5.32) / 2)


def test_nothing_published_stands_beside_what_a_stand_in_gives():
    found = advantage(compare(printed_values(), source="models"))
    assert all(np.isnan(row["published"]) for row in found["rows"])
    assert found["rows"][0]["full"] == pytest.approx(943.59 / 29.58)
    assert found["regimes"] == []


def test_what_was_not_run_at_all_keeps_its_published_ratio():
    values = {name: row for name, row in printed_values().items() if name.startswith("model")}
    found = advantage(compare(values))
    assert found["rows"][1]["published"] == pytest.approx(29.87 / 5.32)
    assert found["regimes"][0]["over"] == 1


@pytest.mark.parametrize(
    ("full", "words"),
    [
        (1.99, "most of the printed distance comes from the window"),
        (2.01, "less than half of the printed distance comes from the window"),
        (2.99, "less than half of the printed distance comes from the window"),
        (3.01, "the printed distance does not come from the window"),
    ],
)
def test_what_the_window_does_is_said_by_how_much_of_the_distance_goes_with_it(full, words):
    """Printed three times: a distance of two above being equal, half of which is one."""
    regime = {"regime": "runtime estimates e", "over": 4, "published": 3.0, "full": full}
    said = window_sentence(regime)
    assert said.endswith(f"{words}.")
    assert said.startswith(
        f"With user estimates × 3.00 as printed and × {full} with the whole queue"
    )


@pytest.mark.parametrize(("value", "shown"), [(9.994, "× 9.99 as"), (9.996, "× 10.0 as")])
def test_ratios_have_three_digits(value, shown):
    regime = {"regime": "actual runtimes r", "over": 1, "published": value, "full": 1.0}
    assert shown in window_sentence(regime)


def test_a_number_that_does_not_match_is_listed_whatever_its_order(page):
    """One that differs in an ordering that holds is no match."""
    values = printed_values()
    values["model_artefact"][0] *= 2
    frames = frames_of_page(values, "logs")
    shown = context({item: frame.astype(str) for item, frame in frames.items()})["not_equal"]
    assert [(row["policy"], row["verdict"]) for row in shown] == [("FCFS", "ordering holds")]
    matching = frames_of_page(printed_values(), "logs")
    found = context({item: frame.astype(str) for item, frame in matching.items()})
    assert (found["not_equal"], found["held"]) == ([], True)


def test_a_page_says_whether_anything_was_held_against_the_paper(page):
    assert "Every number of the artefact dialect that could be run" in page(printed_values())
    text = page(printed_values(), source="models")
    assert "Nothing is compared: every row ran on a model stand-in." in text


def test_sentences_that_hold_are_counted_of_those_that_were_tested():
    table = pd.DataFrame({"printed": ["holds", "fails"], "artefact": ["holds", NOT_AT_HAND]})
    assert claims_said(table.assign(full=NOT_AT_HAND)) == (
        "Of what the paper says of Table 4 in words, 1 of 2 follow from the paper’s own table, "
        "1 of 1 hold in the artefact dialect."
    )
    assert claims_said(table.assign(printed="", artefact=NOT_AT_HAND, full="")) == ""


@pytest.mark.parametrize("source", ["logs", "models"])
def test_every_page_defines_every_verdict(page, home, source):
    for text in (page(printed_values(), source), home(source)):
        for word, meaning in DEFINITIONS.items():
            assert f"<b>{word}</b>: {meaning}." in text
        assert "tuned" not in text


def test_what_is_known_is_of_the_first_dialect_row_by_row():
    values = {name: row for name, row in printed_values().items() if name != "ctc_artefact"}
    values["model_full"] = [1.0] * 8
    compared = compare(values).astype(str)
    assert set(of_the_paper(compared)["dialect"]) == {"artefact"}
    assert made_known(compared) == {
        "match": 8,
        "consistent": 0,
        "held": 8,
        "rows": 2,
        "whole": 1,
        "models": [],
        "missing": 8,
    }
    known = made_known(compare(printed_values(), source="models").astype(str))
    assert (known["held"], known["whole"], known["missing"]) == (0, 0, 16)
    assert known["models"] == ["lublin_quick_ctc", "lublin_quick_model"]


def test_models_are_named_as_every_paper_says_that_they_ran():
    reasons = ["ran on Table 4.1, completed", "ran on the model a, not on B", "made of it", ""]
    compared = pd.DataFrame({"row": range(4), "verdict": NOT_AT_HAND, "reason": reasons})
    assert made_known(compared)["models"] == ["Table 4.1, completed", "a"]


def test_the_first_screen_says_what_was_reproduced_what_ran_on_models_and_how_to_get_the_rest(home):
    text = home()
    assert text.index("What this run shows") < text.index("<h2>Papers</h2>")
    assert "<b>carastan2017, Table 4: 16 of 16 numbers match</b>." in text
    assert "Not held against them" not in text
    text = home(source="models")
    assert "Nothing: no number of this run comes from a paper’s own data." in text
    assert "Not held against them: 16 printed numbers" in text
    assert "16 numbers; in their place ran lublin_quick_ctc, lublin_quick_model" in text
    assert "SCHEDLAB_ARCHIVE" in text


def test_a_row_of_which_a_part_was_held_did_not_run_as_published():
    verdict = ["match", NOT_AT_HAND, "differs", "match"]
    compared = pd.DataFrame({"log": list("aabb"), "verdict": verdict, "reason": ""})
    known = made_known(compared)
    assert (known["rows"], known["whole"], known["held"], known["missing"]) == (2, 1, 3, 1)


def test_the_first_dialect_is_the_papers_wherever_its_rows_stand():
    compared = pd.DataFrame({"dialect": ["b", "a", "b", "a"], "verdict": list("wxyz")})
    assert of_the_paper(compared)["verdict"].tolist() == ["w", "y"]
    empty = compared.iloc[:0]
    assert of_the_paper(empty).empty
    alone = compared[["verdict"]]
    assert of_the_paper(alone).equals(alone)


def test_dialects_are_counted_in_the_order_of_their_rows():
    compared = pd.DataFrame({"dialect": ["b", "a"], "verdict": ["match", "differs"], "reason": ""})
    assert list(verdict_counts(compared)) == ["b", "a"]


def test_models_are_of_the_numbers_that_were_not_held():
    """What was held may be explained by another model and ran on the paper's own data."""
    compared = pd.DataFrame({"row": ["x", "y"], "verdict": ["differs", NOT_AT_HAND]})
    known = made_known(compared.assign(reason=["ran on the model a", "ran on the model b"]))
    assert known["models"] == ["b"]
