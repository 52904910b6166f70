"""Texts are in plain English: no banned phrase, short sentences in the documentation."""

import re

import markdown
import pytest

from docs_case import PAGES, ROOT, text_outside_blocks
from prose_case import too_long

#: words of a sentence of the documentation
SENTENCE = 30

#: phrase and what to write in its place
BANNED = {
    r"(?<!no )one's own|of one's own|a reader's": "your",
    r"\bat hand\b|\bto be had\b|\bnowhere\b": "available, not available",
    r"\b(held?|holds|holding) against\b|\blaid? beside\b": "compare with",
    r"\bbeside\b": "with, next to, compared with",
    r"\bforetold\b|\bforesee\b|\bforeseen\b|\bforetells?\b": "predict",
    r"\borders? that (move|stand still)\b": "time-dependent policy, static policy",
    r"\b(driven|stepped) from outside\b": "step-by-step session, external control",
    r"\bmade anew\b|\banew\b": "rebuild, recompute, again",
    r"\bfor ever\b": "indefinitely",
    r"\bwho waits\b|\bnewcomers\b|\bput up with\b|\bpatience\b": "waiting jobs, arrivals",
    r"\bhangs? on\b": "depends on",
    r"\b(some|no|every)body\b|\bwhom\b|\bwhoever\b": "a job is a job; users are users",
    r"\bours\b|\btheirs\b": "computed, published",
    r"\bstands? (still|in the|for|beside|here|there)\b": "is",
    r"\bfights?\b|\bfighting\b|\byardsticks?\b|\buntold\b": "compare, metric, unsupported",
    r"\bmade otherwise\b|\bbeyond chance\b|\bcan(not)? be told\b": "changed, significant",
}
TEXTS = [
    *PAGES,
    ROOT / "CONTRIBUTING.md",
    ROOT / "CITATION.cff",
    ROOT / "mkdocs.yml",
    *sorted((ROOT / "config").glob("*.yaml")),
    *sorted((ROOT / "workflow/schemas").glob("*.yaml")),
    *sorted((ROOT / "profiles").glob("*/*.yaml")),
    *sorted((ROOT / "workflow/report").rglob("*.rst")),
    *sorted((ROOT / "workflow").rglob("*.smk")),
    *sorted((ROOT / "workflow").rglob("*.py")),
    *(
        path
        for suffix in ("py", "pyx", "pxd", "pyi")
        for path in sorted((ROOT / "src/schedlab").rglob(f"*.{suffix}"))
    ),
    *sorted((ROOT / "workflow/report").rglob("*.j2")),
    *(path for path in sorted((ROOT / "tests").rglob("*.py")) if path.name != "test_language.py"),
    *sorted((ROOT / "bench").rglob("*.py")),
    *(ROOT / name for name in ("setup.py", "check_setup.py", "Makefile", "profiles/README.md")),
    *(path for path in sorted((ROOT / ".ci").iterdir()) if path.is_file()),
    *sorted((ROOT / ".github").rglob("*.*")),
]
#: where a phrase is a name: a value, a quotation, or a file's name
ALLOWED = {
    "docs/howto/paper.md": ("nowhere",),
    "src/schedlab/studies/carastan2017/items/index.py": ("beside",),
    "src/schedlab/studies/carastan2017/items/samplers.py": ("beside",),
    "workflow/rules/carastan2017/learning.smk": ("beside",),
    "workflow/scripts/carastan2017/compare_samplers.py": ("beside",),
}


def name_of(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_no_phrase_needs_a_second_reading(path):
    allowed = ALLOWED.get(name_of(path), ())
    found = [
        f"{name_of(path)}:{number}: '{match[0]}': write {better}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for phrase, better in BANNED.items()
        for match in re.finditer(phrase, line, re.IGNORECASE)
        if match[0].lower() not in allowed
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_sentences_of_the_documentation_are_short(page):
    """The words of schemas are not those of the page."""
    prose = markdown.markdown(text_outside_blocks(page), extensions=["tables", "sane_lists"])
    long = too_long(prose, SENTENCE)
    assert not long, "\n".join(long)
