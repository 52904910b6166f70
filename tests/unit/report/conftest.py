"""Pages as they are rendered."""

import json

import pandas as pd
import pytest

from page_case import (
    BOXES,
    FETCHED,
    LEARNED_HERE,
    LEARNING,
    OTHERS,
    PAPER,
    PICTURE,
    SITES,
    TEMPLATES,
    compare,
    frames_of_page,
)
from schedlab.io import write_parquet
from schedlab.papers.carastan2017.page import context
from schedlab.report import tables
from schedlab.report.pages import render, render_home
from table4_case import printed_values


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
