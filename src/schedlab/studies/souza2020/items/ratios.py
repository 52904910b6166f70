"""Ratios of the waits of Table 1 under every reading, compared with the published ones."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.report.comparison import read_published
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import read_runs
from schedlab.studies.souza2020.tables.ratios import EQUAL, headline, ratios

NOTE = (
    "Waits are summed over instants, workflows and scales; low and high: 95 % interval over "
    "instants, resampled as blocks of neighbours. trimmed: without the tenth of the instants with "
    "the most waiting. above, below: instants at which the ratio is above 1 and below it; p of a "
    "sign test. agrees: the printed ratio lies in the interval, which leaves out 1 or is never "
    f"more than {EQUAL} times off; differs: it lies outside; undecided: 1 lies inside as well. "
    "joint: the chance of all printed ratios of a background together, by Fisher's statistic among "
    "the resamples. "
    f"Waits of one scale are equal up to {EQUAL} times the least, and agree where print and "
    "interval are on one side."
)


def make(
    stages: Sequence[str], published: str, rows: Sequence[Mapping]
) -> dict[str, tuple[Table, str]]:
    """Return the table and the sentence."""
    names = [row["experiment"] for row in rows]
    runs = {name: read_runs([path]) for name, path in zip(names, stages, strict=True)}
    table = ratios(rows, runs, read_published(published, "table1"))
    finding = headline(table)
    logging.info(finding)
    return {"ratios": (Table(table, "Ratios of waits", f"{NOTE}\n\n{finding}"), finding)}
