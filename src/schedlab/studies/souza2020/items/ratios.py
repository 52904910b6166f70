"""Ratios of the waits of Table 1 under every reading, compared with the published ones."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import read_runs
from schedlab.studies.souza2020.tables.ratios import EQUAL, headline, ratios

NOTE = (
    "Waits are summed over instants, workflows and scales. low and high: 95 % interval over "
    "instants, resampled as blocks of neighbors. trimmed: without the tenth of the instants with "
    "the longest waits. above, below: number of instants with a ratio above and below 1; p: of a "
    "sign test. agrees: the published ratio is in the interval, and the interval excludes 1 or is "
    f"within a factor of {EQUAL} of that ratio. differs: the published ratio is outside. "
    "undecided: 1 is inside as well. joint: probability of all published ratios of a background "
    "together, by Fisher's statistic among the resamples. "
    f"Waits of one scale are equal up to {EQUAL} times the least; they agree if the published "
    "ratio and the interval are on the same side."
)


def make(
    stages: Sequence[str], published: str, rows: Sequence[Mapping]
) -> dict[str, tuple[Table, str]]:
    """Return the table and the sentence."""
    names = [row["experiment"] for row in rows]
    runs = {name: read_runs([path]) for name, path in zip(names, stages, strict=True)}
    table = ratios(rows, runs, read_published(published, "table1"))
    finding = headline(table.replace({"source": {r["source"]: r["workload"] for r in rows}}))
    logging.info(finding)
    return {"ratios": (Table(table, "Ratios of waits", f"{NOTE}\n\n{finding}"), finding)}
