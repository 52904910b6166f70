"""The values that a template is given."""

import json
import re
import shutil

import pandas as pd
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from docs_case import ROOT
from schedlab.files.io import write_parquet
from schedlab.report.cells import is_number
from schedlab.report.home import made_by
from schedlab.report.pages import render
from schedlab.report.scoreboard import COLUMNS

CONFIG = {"source": "logs", "scale": "papers", "archive": "here"}
LOGS = [
    {"log": "A", "status": "available", "source": "/home/me/A.swf.gz"},
    {"log": "B", "status": "log not available", "source": ""},
    {"log": "C", "status": "drawn from its seed", "source": "model c"},
    {"log": "D", "status": "available", "source": "https://site.org/logs/D.swf"},
]


@pytest.fixture
def fetched(tmp_path):
    """Write a fetch report per log, and return their files."""
    paths = [tmp_path / f"{log['log']}.json" for log in LOGS]
    for path, log in zip(paths, LOGS, strict=True):
        path.write_text(json.dumps(log))
    return paths


@pytest.fixture
def page(tmp_path, fetched):
    """Fill a template of a page, or the parts of one (name, title, text); return its text."""

    def make(template, files=(), captions=None, paper=None, **more):
        words = tmp_path / "page.html.j2"
        if isinstance(template, str):
            words.write_text(template)
        else:
            keys = ("name", "title", "text")
            words = {"parts": [dict(zip(keys, part, strict=True)) for part in template]}
        given = ({"key": "one"} | (paper or {}), files, captions or {}, fetched)
        path = tmp_path / "page.html"
        config = more.pop("config", CONFIG)
        render(ROOT / "workflow/report", words, *given, config, path, **more)
        return path.read_text()

    return make


def test_template_gets_tables_and_texts_as_in_their_files(page, tmp_path):
    (tmp_path / "table1.csv").write_text("a,b\n1.50,\nNA,x\n")
    (tmp_path / "claims.txt").write_text("\nsaid\n")
    files = [tmp_path / "table1.csv", tmp_path / "claims.txt"]
    text = page("{{ tables | safe }}\n{{ texts | safe }}\n{{ figures | safe }}", files)
    assert text.splitlines() == [
        "{'table1': [{'a': '1.50', 'b': ''}, {'a': 'NA', 'b': 'x'}]}",
        "{'claims': 'said'}",
        "{}",
    ]


def test_a_figure_is_given_with_its_name_its_caption_and_its_size(page, tmp_path):
    Image.new("RGB", (1280, 840)).save(tmp_path / "fig4_1.png")
    captions = {"fig4_1": "Of *fig4_1*. And more."}
    template = "{% for f in figures.values() %}{{ f.item }} {{ f.name }} {{ f.width }} {{ f.alt }} "
    text = page(
        template + "{{ f.caption | safe }}{% endfor %}", [tmp_path / "fig4_1.png"], captions
    )
    assert text.split("<")[0] == "fig4_1 Figure 4.1 832 Of fig4_1. "
    assert "Of <em>fig4_1</em>." in text


def caption(page, text):
    return page("{{ captions.fig1 | safe }}", [], {"fig1": text})


def test_a_caption_is_rendered_as_html(page):
    assert "<p>Waits in <em>s</em>, {braces} stay</p>" in caption(
        page, "Waits in *s*, {braces} stay"
    )


def test_a_caption_includes_no_file_and_no_html(page, tmp_path):
    (tmp_path / "other.txt").write_text("other words")
    found = caption(page, f"Seen\n\n.. include:: {tmp_path / 'other.txt'}\n")
    assert "other words" not in found
    assert "<blink>" not in caption(page, "Seen\n\n.. raw:: html\n\n   <blink>\n")


def test_an_error_in_a_caption_is_shown_and_a_possible_one_is_not(page):
    assert "without end-string" in caption(page, "One *two")
    assert "Possible" not in caption(page, "A line of words\n---\n\nand more")


def test_template_gets_logs_with_source_and_grouped_by_status(page):
    template = (
        "{% for log in logs %}{{ log.log }} {{ log.place }};{% endfor %}"
        "{% for log in missing %} missing {{ log.log }}{% endfor %}"
        "{% for log in drawn %} drawn {{ log.log }}{% endfor %}"
    )
    assert page(template) == (
        "A A.swf.gz;B ;C model c;D https://site.org/logs/D.swf; missing B drawn C"
    )


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (CONFIG, "the papers’ scale False"),
        ({"scale": "quick", "source": "models"}, "quick scale True"),
        ({"scale": "mine", "source": "logs"}, "mine False"),
    ],
)
def test_run_is_described_by_scale_and_source(page, config, words):
    assert page("{{ scale_words }} {{ stand_ins }}", config=config) == words


def test_page_gets_the_further_values_computed_from_its_tables(page, tmp_path):
    (tmp_path / "table1.csv").write_text("a\n1\n2\n")
    files = [tmp_path / "table1.csv"]
    further = {"further": lambda frames: {"sum": frames["table1"]["a"].astype(int).sum()}}
    assert page("{{ sum }}{{ tables | length }}{{ paper.key }}", files, **further) == "31one"


def test_comparisons_are_counted_and_other_tables_are_not(page, tmp_path):
    compared = "dialect,verdict,reason\nb,match,\nb,differs,unexplained\na,match,\n"
    (tmp_path / "table4_comparison.csv").write_text(compared)
    (tmp_path / "table4.csv").write_text(compared)
    files = [tmp_path / "table4_comparison.csv", tmp_path / "table4.csv"]
    counts = {"consistent": 0, "same ranking": 0, "log not available": 0}
    shown = page("{{ counts | tojson }}", files).replace("&#34;", '"')
    found = json.loads(shown)
    assert found == {
        "table4_comparison": {
            "b": {"match": 1, "differs": 1, "unexplained": 1, **counts},
            "a": {"match": 1, "differs": 0, "unexplained": 0, **counts},
        }
    }


def test_versions_are_listed_once_with_all_values(tmp_path):
    said = [{"numpy": "1.0", "python": "3"}, {"numpy": "2.0", "python": "3"}]
    paths = [tmp_path / f"{number}.parquet" for number in range(2)]
    for path, about in zip(paths, said, strict=True):
        write_parquet(pd.DataFrame({"a": [1]}), path, about=about)
    versions = made_by(paths)
    assert (versions["numpy"], versions["python"]) == ("1.0 and 2.0", "3")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("12", True), ("-12.5", True), ("+.5", True), ("5.", True), ("2E-10", True)),
        *(("", False), (".", False), ("1.2.3", False), ("12 s", False), ("nan", False)),
        *(("1e", False), ("x1", False)),
    ],
)
def test_text_counts_as_a_number_only_as_a_whole(text, number):
    assert is_number(text) is number


def test_where_there_is_no_log_there_is_no_empty_table_of_logs(page, root, tmp_path):
    shutil.copy(root / "workflow/report/macros.html.j2", tmp_path)
    template = '{% from "macros.html.j2" import logs_table %}{{ logs_table([]) }}end'
    assert "<table" not in page(template)


HEADING = {"title": "T", "authors": "A", "venue": "V", "summary": "S"}
NUMBER = dict.fromkeys(COLUMNS, "") | {"difference": 0.0, "relative": 0.0, "minutes": 1.0}
NUMBER |= {"paper": "one", "item": "table1", "label": "Table 1", "cell": "a", "verdict": "match"}
NUMBER |= {"file": "table1_comparison.csv"}


def test_card_links_to_the_figures_that_a_page_has(root, page, tmp_path):
    """Figure 5 is made, and on no page; one without a number of the paper is a figure."""
    marks = PngInfo()
    marks.add_text("Numbers", json.dumps([["table1 | a", 0, 0, 1, 1]]))
    files = [tmp_path / f"{item}.png" for item in ("fig5", "fig_table1", "fig4")]
    for path in files:
        Image.new("RGB", (9, 9)).save(path, pnginfo=marks)
    template = [("", "", '<p id="fig_table1"></p><p id="fig4"></p>')]
    board = pd.DataFrame([NUMBER], columns=COLUMNS)
    page(template, files, paper=HEADING, details=tmp_path / "one", board=board)
    text = (tmp_path / "one/numbers-table1.html").read_text()
    links = re.findall(r'<a href="([^"]+)" title="[^"]*">([^<]+)</a>', text)
    assert links == [("../one.html#fig4", "Figure 4"), ("../one.html#fig_table1", "a figure")]


@pytest.mark.parametrize(("numbers", "files"), [(False, []), (True, ["numbers", "numbers-table1"])])
def test_page_without_marks_has_no_details_but_the_cards_of_its_numbers(
    root, page, tmp_path, numbers, files
):
    board = pd.DataFrame([NUMBER] if numbers else [], columns=COLUMNS)
    text = page([("", "", "<p>Words</p>")], paper=HEADING, details=tmp_path / "one", board=board)
    assert "<p>Words</p>" in text
    assert ("1 of 1 computed numbers match" in text) is numbers
    assert sorted(path.stem for path in (tmp_path / "one").glob("*.html")) == files


def test_report_without_authors_leads_through_its_pages_and_to_no_paper(root, page, tmp_path):
    template = [("", "", "<p>Answer</p>"), ("a", "A & B", "<p>One</p>"), ("c", "C", "<p>Two</p>")]
    paper = {"title": "T?", "authors": "", "venue": "", "summary": ""}
    first = page(template, paper=paper, details=tmp_path / "one")
    detail = (tmp_path / "one/a.html").read_text()
    assert "index.html" not in first + detail
    assert "<p>Answer</p>" in first.partition('id="contents"')[0]
    assert 'id="verdict"' not in first
    assert '<a href="one/a.html">A &amp; B →</a>' in first
    assert '<a href="../one.html">← Overview</a>' in detail
    assert '<a href="c.html">C →</a>' in detail


def test_first_page_of_a_paper_leads_to_the_next_paper(root, page, tmp_path):
    template = [("", "", "<p>First</p>"), ("a", "A", "<p>One</p>"), ("b", "B", "<p>Two</p>")]
    template.append(("c", "C", "{% if stand_ins %}<p>Left out</p>{% endif %}"))
    paper = {"title": "T", "authors": "A", "venue": "V", "summary": "S", "linked": {}}
    paper["papers"] = [{"key": "zero"}, {"key": "one"}, {"key": "two"}]
    first = page(template, paper=paper, details=tmp_path / "one")
    assert '<a href="zero.html">← zero</a>' in first
    assert '<a href="two.html">two →</a>' in first
    assert '<a href="b.html">B →</a>' in (tmp_path / "one/a.html").read_text()
    assert not (tmp_path / "one/c.html").exists()


def test_two_pages_of_details_with_one_name_are_an_error(page, tmp_path):
    with pytest.raises(ValueError, match="two are named 'a'"):
        page([("", "", "x"), ("a", "A", "y"), ("a", "B", "z")], details=tmp_path / "one")


@pytest.mark.parametrize(
    ("layout", "headings", "cells"),
    [
        ({}, ["A", "wait low"], ["1.50", "2.25"]),
        ({"columns": {"wait low": "from"}, "decimals": 1}, ["from"], ["2.2"]),
        ({"columns": {"a": "A", "wait low": "to"}}, ["A", "to"], ["1.50", "2.25"]),
    ],
)
def test_a_column_and_its_heading_are_one_edit_of_the_words(
    fetched, tmp_path, layout, headings, cells
):
    (tmp_path / "table1.csv").write_text("a,wait low\n1.5,2.25\n")
    words = {"tables": {"table1": layout}}
    words["parts"] = [{"name": "", "title": "", "text": '{{ show("table1") }}'}]
    path = tmp_path / "page.html"
    files = [tmp_path / "table1.csv"]
    paper = HEADING | {"key": "one"}
    render(ROOT / "workflow/report", words, paper, files, {}, fetched, CONFIG, path)
    text = path.read_text()
    shown = re.findall(r"<th [^>]*>([^<]*)</th>", text)
    assert [one.lower() for one in shown] == [one.lower() for one in headings]
    assert re.findall(r"<td [^>]*>([^<]*)</td>", text) == cells
