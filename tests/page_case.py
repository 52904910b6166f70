"""A page of carastan2017 and a first page of the report, from a few numbers."""

from pathlib import Path

import pandas as pd
from PIL import Image

from claim_case import claims_of
from schedlab.report import comparison
from schedlab.report.pages import render
from schedlab.report.tables import write_csv
from schedlab.studies.carastan2017 import published as carastan2017_published
from schedlab.studies.carastan2017 import statistics
from schedlab.studies.carastan2017.names import LEARNED_COLUMNS
from schedlab.studies.carastan2017.tables import table4 as tables_experiments
from schedlab.studies.carastan2017.tables.table4 import shown, standing
from table4_case import experiments, published, sequences, sequences_of
from words_case import words_of

TEMPLATES = Path(__file__).parents[1] / "workflow/report"
REASONS = pd.DataFrame(
    [("table4", "full", "*", "*", "within 100%", "sees the whole queue")],
    columns=comparison.REASON_COLUMNS,
)
FETCHED = {
    "log": "CTC-SP2",
    "status": "available",
    "source": "/someone/archive/CTC.swf.gz",
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
    "thumbnail": "fig4",
    "headline": ("table4_comparison", "experiment", "policy"),
    "explored": {"explore/one.html": "A row & its window"},
}
LEARNING = ["fig1", "fig2", "fig3", "fig_samplers", "fig_sites", "fig_toggles"]
BOXES = [f"fig{number}{more}" for number in range(4, 10) for more in ("", "_learned")]
LEARNED_HERE = "L1–L4 do not beat F1–F4."
CHOICES = "A window moves Table 4 farthest."
SITES = "Site policies do not pay with actual run times."
# Versions of another environment than the one that renders.
OTHERS = {"numpy": "1.0.99", "python": "3.0.99"}
VERDICT_COLUMNS = ["published", "computed", "ratio", "verdict", "reason"]


def medians(values, source="logs", own=()):
    """Return the sheet and the medians of the small Table 4; "drawn": its model row by the seed."""
    rows = experiments(drawn=source == "drawn")
    sheet = tables_experiments.sheet_frame(rows, "models" if source == "drawn" else source)
    return sheet, tables_experiments.medians(sheet, sequences(values), own)


def compare(values, source="logs"):
    return carastan2017_published.compare_table4(published(), *medians(values, source), REASONS)


def check_claims(compared):
    """Test the claims on a comparison of Table 4."""
    own = claims_of("carastan2017")
    return statistics.check_claims(own, compared, sequences_of(compared))


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
        "claims": check_claims(compare(values, source)),
        "table4_ranks": carastan2017_published.rank_table4(published(), sheet, numbers),
        "table4_generated": tables_experiments.row_group(sheet, sequences(values)),
        "table4_learned_ranks": ranks,
        "learned": pd.DataFrame(columns=["name", "expression", "rank_error"]),
    }
    empty = ["table3_own", "table3_intercept", "fitters_published", "fitters_uniform"]
    empty += ["sites", "sites_policies", "sites_summary", "sites_tuples", "toggles"]
    frames |= {item: pd.DataFrame(columns=["function"]) for item in empty}
    for item, group in sheet.groupby("item"):
        frames[item] = tables_experiments.table4(group, numbers.loc[group.index])
        learned = item.replace("table4", "table4_learned")
        _, more = medians(values, source, LEARNED_COLUMNS)
        frames[learned] = tables_experiments.table4(group, more.loc[group.index])
    return frames


def rendered(folder, key, frames, figures, texts, captions, context, source="logs", **paper):
    """Write tables, figures and texts of a study to a folder, and return the text of its page."""
    for item, frame in frames.items():
        write_csv(frame, folder / f"{item}.csv")
    for item in figures:
        Image.new("RGB", (1, 1)).save(folder / f"{item}.png")
    for item, said in texts.items():
        (folder / f"{item}.txt").write_text(f"{said}\n")
    files = [path for path in folder.iterdir() if path.suffix != ".html"]
    paper |= {"key": key, "title": "T", "authors": "A", "venue": "V", "summary": "S"}
    paper |= {"tables": list(frames), "figures": figures, "names": {}}
    config, html = {"source": source, "scale": "papers"}, folder / "page.html"
    render(TEMPLATES, words_of(key), paper, files, captions, [], config, html, context)
    return html.read_text()
