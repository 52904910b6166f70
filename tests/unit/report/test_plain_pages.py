"""The prose of the pages is in short sentences, under short headings; its commands exist."""

import re

import pytest
import yaml

from check_pages import loose_commands
from docs_case import ROOT
from prose_case import sentences_of, too_long, without_jinja

TEMPLATES = [
    *sorted((ROOT / "workflow/report").rglob("*.j2")),
    *sorted((ROOT / "resources").glob("*/words.yaml")),
]
#: a heading is a finding or a noun that one would search for
HEADING_LIMIT = 12
HEADING = re.compile(r"<(h[1-6]|summary)\b.*?</\1>", re.DOTALL)


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def prose_of(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".yaml":
        text = "".join(part["text"] for part in yaml.safe_load(text).get("parts", ()))
    return without_jinja(text)


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_sentences_of_a_template_are_short(path):
    long = too_long(prose_of(path))
    assert not long, "\n".join(long)


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_headings_of_a_template_are_short(path):
    headings = "".join(heading[0] for heading in HEADING.finditer(prose_of(path)))
    long = too_long(headings, HEADING_LIMIT)
    assert not long, "\n".join(long)


def test_templates_are_found_with_their_sentences():
    counts = {name_of(path): len(sentences_of(prose_of(path))) for path in TEMPLATES}
    assert counts["resources/carastan2017/words.yaml"] > 50


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_templates_leave_the_path_of_programs_to_the_run(path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert loose_commands(path.read_text(encoding="utf-8")) == []


@pytest.mark.slow
def test_first_page_calls_snakemake_as_it_is_installed(home):
    text = home()
    (shown,) = re.findall(r"<pre>make report.*?</pre>", text, re.DOTALL)
    assert "\n.venv/bin/snakemake --cores all verify " in shown
