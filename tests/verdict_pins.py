"""What is held of the verdicts: how many of each a comparison has, and which cells match.

usage: python tests/verdict_pins.py FIGURES

Writes tests/workflow/verdicts.json anew from the comparisons in a folder such as results/figures,
made at the papers' scale with all logs at hand. README has the counts from there.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pandas as pd

from schedlab.report.pages import COMPARISON
from schedlab.report.verdicts import MATCH

PINS = Path(__file__).parent / "workflow" / "verdicts.json"
NO_DIALECT = "all"


def pinned(figures: Path) -> dict[str, dict[str, dict]]:
    """Return counts and matching cells by paper, comparison and dialect."""
    pins: dict[str, dict[str, dict]] = {}
    for path in sorted(figures.glob(f"*/*{COMPARISON}.csv")):
        compared = pd.read_csv(path, dtype=str, keep_default_na=False)
        keys = list(compared.columns[: compared.columns.get_loc("published")])
        dialects = compared.get("dialect", NO_DIALECT)
        found = pins.setdefault(path.parent.name, {})[path.stem] = {}
        for dialect, cells in compared.assign(dialect=dialects).groupby("dialect", sort=False):
            names = cells[[key for key in keys if key != "dialect"]].agg(" | ".join, axis=1)
            found[dialect] = {
                "counts": dict(sorted(Counter(cells["verdict"]).items())),
                "matches": names[cells["verdict"] == MATCH].tolist(),
            }
    return pins


def counts(pins: dict[str, dict[str, dict]], paper: str, item: str, dialect: str) -> Counter:
    """Return the verdicts of one comparison."""
    return Counter(pins[paper][f"{item}{COMPARISON}"][dialect]["counts"])


if __name__ == "__main__":
    text = json.dumps(pinned(Path(sys.argv[1])), indent=1, ensure_ascii=False)
    PINS.write_text(text + "\n", encoding="utf-8")
