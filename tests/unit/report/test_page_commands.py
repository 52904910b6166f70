"""Commands on pages start with a program that exists."""

import re

import pytest

from check_pages import loose_commands
from docs_case import ROOT

TEMPLATES = [
    *sorted((ROOT / "workflow/report").rglob("*.j2")),
    *sorted((ROOT / "resources").glob("*/words.yaml")),
]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_templates_leave_the_path_of_programs_to_the_run(path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert loose_commands(path.read_text(encoding="utf-8")) == []


@pytest.mark.slow
def test_first_page_calls_snakemake_as_it_is_installed(home):
    text = home()
    (shown,) = re.findall(r"<pre>make report.*?</pre>", text, re.DOTALL)
    assert "\n.venv/bin/snakemake --cores all verify " in shown
