"""Ratios of the waits of Table 1 under every reading, compared with the published ones."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import read_runs
from schedlab.studies.souza2020.tables.ratios import EQUAL, headline, ratios


def make(
    stages: Sequence[str], published: str, rows: Sequence[Mapping]
) -> dict[str, tuple[Table, str]]:
    """Return the table and the sentence."""
    names = [row["experiment"] for row in rows]
    runs = {name: read_runs([path]) for name, path in zip(names, stages, strict=True)}
    table = ratios(rows, runs, read_published(published, "table1"))
    finding = headline(table.replace({"source": {r["source"]: r["workload"] for r in rows}}))
    logging.info(finding)
    return {"ratios": (Table(table, facts={"equal": EQUAL}, more=finding), finding)}
