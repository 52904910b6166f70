"""A small run to write a crate of."""

import math
from datetime import UTC, datetime

import pandas as pd

from schedlab.report.crate import WORKFLOW, Copy, write_crate

PERIOD = (datetime(2026, 11, 29, 8, tzinfo=UTC), datetime(2026, 11, 29, 9, 30, tzinfo=UTC))
FACTS = {"commit": "abc123", "command": "snakemake crate", "machine": "2 cores", "scale": "quick"}
LOG = {"log": "KTH", "status": "available", "sha256": "f" * 64, "licence": "terms: cite"}
LOGS = [
    LOG | {"urls": ["https://example.org/a.swf", "https://example.org/b.swf"], "acknowledge": "A"},
    LOG | {"log": "Theta", "urls": [], "acknowledge": "B", "sha256": None},
]
TABLE = (
    "item,published,computed,verdict\nF1,1.5,1.5,match\nF2,2,3,differs\nF3,2,,log not available\n"
)


def small_crate(folder):
    """Write a crate of a table, a sheet and the workflow; return its folder."""
    (folder / "table.csv").write_text(TABLE)
    (folder / "sheet.tsv").write_text("name\tjobs\na\t1\nb\t2\n")
    (folder / "Snakefile").write_text("rule all:\n")
    copies = [
        Copy(folder / "table.csv", "tables/p/table.csv", "p: table", ("read", "compare"), 1.25),
        Copy(folder / "table.csv", "scoreboard.csv", "all", ("make_scoreboard",), math.nan),
        Copy(folder / "Snakefile", WORKFLOW, "The workflow"),
        Copy(folder / "sheet.tsv", "sheets/p.tsv", "sheet"),
    ]
    board = pd.DataFrame(
        {"verdict": ["match", "differs", "log not available"], "explained": ["", "yes", ""]}
    )
    write_crate(folder / "crate", copies, LOGS, FACTS, board, PERIOD)
    return folder / "crate"
