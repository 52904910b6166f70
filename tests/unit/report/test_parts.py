"""Items are written completely to the paths of their rule, and nothing else is."""

from pathlib import Path
from types import SimpleNamespace

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from jinja2 import Environment, UndefinedError

from schedlab.core.metrics import METRICS
from schedlab.report.figures.picture import Picture
from schedlab.report.items import Group, Item, Study, names_of, with_words
from schedlab.report.parts import Data, Table, write_items

ROWS = pd.DataFrame({"job": [1, 2], "wait": [1.25, 2.0]})


@pytest.fixture
def paths(tmp_path):
    """Return a function that names an item's files."""
    return lambda name, *suffixes: {
        f"{name}_{suffix}": str(tmp_path / f"{name}.{suffix}") for suffix in suffixes
    }


def test_a_table_is_written_with_its_title_note_and_digits(paths, tmp_path):
    words = {"title": "Waits", "note": "In {{ unit }}."}
    table = Table(ROWS, 1, {"unit": "s"}, more="They wait.")
    write_items({"a": table}, paths("a", "csv", "md"), words={"a": words})
    assert (tmp_path / "a.csv").read_text() == "job,wait\n1,1.250000\n2,2.000000\n"
    text = (tmp_path / "a.md").read_text()
    assert text.startswith("# Waits\n\n|")
    assert " 1.2 |" in text
    assert text.endswith("\n\nIn s.\n\nThey wait.\n")


def test_a_fact_that_words_name_and_a_table_lacks_is_an_error(paths):
    words = {"a": {"title": "Waits in {{ unit }}"}}
    with pytest.raises(UndefinedError, match="'unit' is undefined"):
        write_items({"a": Table(ROWS)}, paths("a", "csv", "md"), words=words)


def test_parts_of_one_name_share_its_rows(paths, tmp_path):
    figure, outputs = plt.figure(), paths("a", "csv", "md", "txt", "pdf", "png")
    write_items({"a": (Table(ROWS), Picture(figure), "They wait.")}, outputs)
    assert (tmp_path / "a.txt").read_text() == "They wait.\n"
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".md", ".txt", ".pdf", ".png"}


def test_figure_item_writes_its_plotted_rows(paths, tmp_path):
    write_items({"a": Picture(plt.figure(), ROWS[:1])}, paths("a", "csv", "pdf", "png"))
    assert (tmp_path / "a.csv").read_text() == "job,wait\n1,1.250000\n"


def test_single_item_of_a_job_is_written_to_the_path_of_its_rule(paths, tmp_path):
    write_items({"a": Data(ROWS)}, {"item_csv": str(tmp_path / "x.csv")}, only="a")
    assert (tmp_path / "x.csv").exists()


def test_an_item_without_a_path_is_an_error(paths):
    with pytest.raises(KeyError, match="b_csv"):
        write_items({"b": Data(ROWS)}, paths("a", "csv"))


@pytest.fixture
def study(tmp_path):
    (tmp_path / "words.yaml").write_text(
        "phrases:\n  end: '{% if models %}Models.{% endif %}'\n"
        "captions:\n  a: >-\n    Of {{ item }}.\n    {% include 'end' %}\n"
        "  g: In {{ unit }}.\n  shared: Shared.\n"
        "titles:\n  g: Title\nnotes:\n  a: Note {{ fact }}.\n"
    )
    return Study("one", (), {"source": "models"}, lambda _: str(tmp_path / "words.yaml"))


def test_tables_and_figures_have_the_words_of_their_item_or_group(study):
    items = [Item("a"), Item("b", "figure text"), Item("c", "text"), Item("a_own"), Item("d")]
    facts = {"b": {"unit": "s"}, "d": {"text": "shared"}}
    (group,) = with_words([Group("g", "", items)], study, lambda item: facts.get(item, {}))
    captions = [item.caption for item in group.items]
    assert captions == ["Of a. Models.", "In s.", "", "Of a_own. Models.", "Shared."]
    note = {"note": "Note {{ fact }}."}
    assert group.words == {
        "a": {"title": "Title"} | note,
        "a_own": {"title": "Title"} | note,
        "d": {"title": "Title"},
    }


def test_a_table_without_a_title_has_its_name(study):
    (group,) = with_words([Group("a", "", [Item("wait"), Item("my_rows")])], study)
    titles = [words["title"] for words in group.words.values()]
    assert titles == [METRICS["wait"].label.capitalize(), "My rows"]


def test_a_figure_without_a_caption_is_an_error(study):
    with pytest.raises(KeyError, match="none for 'x'"):
        with_words([Group("y", "", [Item("x", "figure")])], study)
    with pytest.raises(UndefinedError, match="'unit' is undefined"):
        with_words([Group("g", "", [Item("x", "figure")])], study)


def test_job_of_several_items_has_all_captions_in_the_report():
    items = [Item("a", caption="A."), Item("fig_a", "figure", "A."), Item("b", caption="B.")]
    joined = "**a, fig_a**: A.\n\n**b**: B."
    assert Group("g", "Tables", [*items, Item("c")]).captions == dict.fromkeys(
        ("a", "fig_a", "b"), joined
    )
    assert Group("g", "Tables", items, each=True).captions == {"a": "A.", "fig_a": "A.", "b": "B."}
    assert Group("g", "Tables", items[:2]).captions == {"a": "A.", "fig_a": "A."}
    assert Group("g", "Tables", [Item("c")]).captions == {}


def test_the_template_of_captions_finds_those_of_the_job(root):
    """As Snakemake's report gives it: paths of the outputs, and records of files by category."""

    class Output(str):
        flags: dict

    def job_of(*paths, captions):
        outputs = [Output(path) for path in paths]
        for path in outputs:
            path.flags = {"captions": captions} if path.endswith(".csv") else {}
        return [SimpleNamespace(path=Path(paths[0]), job=SimpleNamespace(output=outputs))]

    records = {
        "Tables": job_of("one/a.csv", "one/a.md", captions={"a": "**a**: A\n\n**b**: B"}),
        "Others": job_of("two/a.csv", captions={"a": "another *a*"}),
    }
    environment = Environment(trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((root / "workflow/report/caption.rst").read_text())
    # the report asks once for each file of a job
    job = (["one/a.csv", "one/a.md"], "**a**: A\n\n**b**: B")
    for outputs, text in (job, job, (["x.csv"], "")):
        shown = template.render(
            snakemake=SimpleNamespace(output=outputs), categories={"study": records}
        )
        assert shown.strip() == text


def test_suffixes_of_several_kinds_are_listed_once():
    assert Item("a", "table figure text").suffixes == ["csv", "md", "png", "pdf", "txt"]
    assert Item("a", "data").suffixes == ["csv"]


def test_items_of_a_page_are_listed_by_kind():
    groups = [
        Group("one", "Tables", [Item("a"), Item("b", "table figure"), Item("c", "unshown")]),
        Group("two", "Texts", [Item("d", "text data")]),
    ]
    assert names_of(groups, "table") == ["a", "b"]
    assert names_of(groups, "unshown") == ["c"]
    assert names_of(groups, "text") == ["d"]
    assert names_of(groups, "figure") == ["b"]
