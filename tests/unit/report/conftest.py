"""Rendered pages."""

import json
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from page_case import (
    BOXES,
    CHOICES,
    FETCHED,
    LEARNED_HERE,
    LEARNING,
    OTHERS,
    PAPER,
    SITES,
    TEMPLATES,
    check_claims,
    compare,
    frames_of_page,
)
from schedlab.files.config import read_yaml
from schedlab.files.io import write_parquet
from schedlab.report import tables
from schedlab.report.home import render_home
from schedlab.report.pages import read_table, render
from schedlab.report.scoreboard import board_of, read_scored
from schedlab.report.story import Teller
from schedlab.studies.carastan2017.page import context, story
from table4_case import MODEL_ROW, printed_values
from words_case import captions_of, words_of

ROOT = Path(__file__).parents[3]
FACTS = {
    **{
        "commit": "0123abc",
        "finished": "1 May 2026, 12:00 UTC",
        "hours": 1.5,
        "machine": "2 cores",
    },
    **{"command": "snakemake --cores all", "make": "snakemake --cores all results/figures/{}"},
}
TELLER = Teller(words_of("carastan2017")["story"])
MADE_BY = "schedlab.studies.legrand2018.statistics:make_evidence"
SHOWN = {"tables": ["table4"], "figures": ["fig4"], "papers": [{"key": "carastan2017"}]}
SAMPLERS = pd.DataFrame(
    [("uniform", "published", "9", "0.094"), ("uniform", "corrected", "9", "0.968")],
    columns=["simulated", "published", "tuples", "median"],
)


#: a published number that figure 4 marks, and its area
MARK = (f"table4 | {MODEL_ROW} | F1", 10.0, 20.0, 5.5, 40.0)


@pytest.fixture
def page(tmp_path):
    """Render the page for some medians; return its text."""

    def make(values, source="logs", fetched=FETCHED, **more):
        frames = frames_of_page(values, source)
        files = [tmp_path / f"{item}.csv" for item in frames]
        for path, frame in zip(files, frames.values(), strict=True):
            tables.write_csv(frame, path)
        for item in (*LEARNING, *BOXES):
            files.append(tmp_path / f"{item}.png")
            marks = PngInfo()
            if item == "fig4":
                marks.add_text("Numbers", json.dumps([MARK]))
            if item == "fig5":
                marks.add_text("Scale", "color")
            Image.new("RGB", (320, 210), "white").save(files[-1], pnginfo=marks)
        for item, said in (("table4_learned", LEARNED_HERE), ("sites", SITES)):
            files.append(tmp_path / f"{item}_sentence.txt")
            files[-1].write_text(f"{said}\n")
        files.append(tmp_path / "toggles.txt")
        files[-1].write_text(f"{CHOICES}\n")
        config = read_yaml(ROOT / "config/config.yaml") | {
            "source": "logs" if source == "logs" else "models",
            "scale": "papers" if source == "logs" else "quick",
        }
        captions = captions_of("carastan2017", config, [*BOXES, "table3"])
        (tmp_path / "log.json").write_text(json.dumps(fetched))
        render(
            TEMPLATES,
            words_of("carastan2017"),
            PAPER,
            files,
            captions,
            [tmp_path / "log.json"],
            config,
            tmp_path / "carastan2017.html",
            further=context,
            **more,
        )
        return (tmp_path / "carastan2017.html").read_text()

    return make


@pytest.fixture
def levels(page, tmp_path):
    """Render the page with its pages of details; return their files, the first page first."""

    def make(values, source="logs"):
        path = tmp_path / "table4_comparison.csv"
        compared = compare(values, source)
        tables.write_csv(compared, path)
        scored = read_scored(ROOT / "resources/carastan2017/scored.tsv")
        told = {"table4_comparison": read_table(path), "fig_samplers": SAMPLERS}
        told["claims"] = check_claims(compared).astype(str)
        row = {"experiment": "ctc_artefact", "label": "CTC", "dialect": "artefact", "line": 12}
        made = {"rule": "compare_table4", "maker": MADE_BY, "sheet": [row]}
        page(
            values,
            source,
            details=tmp_path / "carastan2017",
            story=story(told, source != "logs", TELLER),
            board=board_of("carastan2017", [path], scored, "snakemake {}", {path.as_posix(): 1.25}),
            made={"table4_comparison": made},
            revision="0123abc",
        )
        return [tmp_path / "carastan2017.html", *sorted((tmp_path / "carastan2017").glob("*.html"))]

    return make


@pytest.fixture
def home(tmp_path):
    """Render the first page; return its text."""

    def make(source="logs", fetched=FETCHED, values=None, linked=None, hours=1.5):
        path = tmp_path / "table4_comparison.csv"
        compared = compare(values or printed_values(), source)
        tables.write_csv(compared, path)
        scored = read_scored(ROOT / "resources/carastan2017/scored.tsv")
        board = board_of("carastan2017", [path], scored, "snakemake {}", {path.as_posix(): 1.25})
        tables.write_csv(board, tmp_path / "scoreboard.csv")
        (tmp_path / "run.json").write_text(json.dumps(FACTS | {"hours": hours}))
        (tmp_path / "log.json").write_text(json.dumps(fetched))
        write_parquet(pd.DataFrame({"a": [1]}), tmp_path / "computed.parquet", about=OTHERS)
        title = PngInfo()
        title.add_text("Title", "The finding of fig4")
        title.add_text("Scale", "color")
        Image.new("RGB", (1280, 840), "white").save(tmp_path / "fig4.png", pnginfo=title)
        told = {"table4_comparison": read_table(path), "fig_samplers": SAMPLERS}
        told["claims"] = check_claims(compared).astype(str)
        render_home(
            TEMPLATES / "index.html.j2",
            {"carastan2017": PAPER | SHOWN | {"linked": linked or {}}},
            tmp_path / "scoreboard.csv",
            ROOT / "resources/expected.tsv",
            {"carastan2017": ROOT / "resources/carastan2017/scored.tsv"},
            tmp_path / "run.json",
            {"carastan2017": story(told, source != "logs", TELLER)},
            {"carastan2017": tmp_path / "fig4.png"},
            [tmp_path / "log.json"],
            [tmp_path / "computed.parquet"],
            {"source": "logs" if source == "logs" else "models", "scale": "papers"},
            tmp_path / "index.html",
        )
        return (tmp_path / "index.html").read_text()

    return make
