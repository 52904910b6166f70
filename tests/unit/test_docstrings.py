"""Examples of docstrings print what they show."""

import doctest
import importlib
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"
EXAMPLES = sorted(
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", EXAMPLES)
def test_examples_of_docstrings_print_what_they_show(module):
    results = doctest.testmod(importlib.import_module(module))
    assert not results.failed
