"""Each paper's page states the scope of its reproduction, briefly."""

import re

import pytest

from docs_case import ROOT

PAPERS = sorted(path.parent.name for path in (ROOT / "resources").glob("*/scored.tsv"))
PARTS = ["Scope", "Easy", "Difficult", "Open"]


@pytest.mark.parametrize("paper", PAPERS)
def test_scope_of_a_paper_is_stated_in_eight_sentences_at_most(paper):
    page = (ROOT / f"docs/papers/{paper}.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## Scope, and what was difficult\n(.*?)^## ", page, re.M | re.S)
    assert re.findall(r"^- \*\*(\w+)\*\*: ", section, re.M) == PARTS
    sentences = re.findall(r"[^.]+\.(?=\s)", re.sub(r"\d\.\d", "", section))
    assert 4 <= len(sentences) <= 8
    assert max(len(sentence.split()) for sentence in sentences) <= 30


def test_all_papers_are_there():
    assert len(PAPERS) == 5
