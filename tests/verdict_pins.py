"""The pinned verdicts: one for every number of every comparison, in every dialect.

usage: python tests/verdict_pins.py FIGURES

Renews resources/expected.tsv, and its table in README.md, from the comparisons in a folder such
as results/figures, made at the papers' scale with all logs. docs/papers has the counts from
there, and `snakemake verify` holds a run against it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pandas as pd

from schedlab.report.committed import as_markdown, of_checkout
from schedlab.report.drift import EXPECTED_COLUMNS
from schedlab.report.scoreboard import (
    COMPARISON,
    files_of,
    grade_numbers,
    read_compared,
    read_scored,
)

ROOT = Path(__file__).parents[1]
PINS = ROOT / "resources" / "expected.tsv"
README = ROOT / "README.md"
BLOCK = re.compile(r"(<!-- verdicts: [^\n]*\n).*?(<!-- end of verdicts -->)", re.DOTALL)


def scored() -> list[tuple[str, str]]:
    """List the papers' files of published numbers, by paper and name."""
    sheets = sorted(ROOT.glob("resources/*/scored.tsv"))
    return [(path.parent.name, file) for path in sheets for file in files_of(read_scored(path))]


def pinned(figures: Path) -> pd.DataFrame:
    """Return verdicts by paper, item, dialect and cell, of the comparisons that were made."""
    paths = {(paper, file): figures / paper / f"{file}.csv" for paper, file in scored()}
    made = [
        grade_numbers(read_compared(path)).assign(paper=paper, item=file.removesuffix(COMPARISON))
        for (paper, file), path in paths.items()
        if path.exists()
    ]
    return pd.concat(made)[EXPECTED_COLUMNS].reset_index(drop=True)


def counts(pins: pd.DataFrame, paper: str, item: str, dialect: str = "") -> Counter:
    """Return the verdicts of one comparison."""
    own = (pins["paper"] == paper) & (pins["item"] == item) & (pins["dialect"] == dialect)
    return Counter(pins.loc[own, "verdict"])


def with_verdicts(readme: str) -> str:
    """Return README.md with the committed verdicts by paper."""
    table = as_markdown(of_checkout(ROOT / "resources"))
    return BLOCK.sub(lambda block: f"{block[1]}{table}\n{block[2]}", readme)


if __name__ == "__main__":
    pinned(Path(sys.argv[1])).to_csv(PINS, sep="\t", index=False, lineterminator="\n")
    README.write_text(with_verdicts(README.read_text(encoding="utf-8")), encoding="utf-8")
