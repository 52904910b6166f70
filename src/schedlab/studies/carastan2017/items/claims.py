"""Test what carastan2017 states of Table 4 on the published and on the computed table."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report.parts import Table
from schedlab.studies.carastan2017.claims import check
from schedlab.studies.carastan2017.tables.experiments import read_experiments

NOTE = (
    "printed: whether the claim follows from the published table. artefact and full: whether it "
    "follows from the computed table of that dialect, on the rows that ran on the paper's data. "
    "in_print and found: numbers of the published table, and of the computed one in the artefact "
    "dialect. Computed medians are tested on resamples of the sequences. A claim holds if it is "
    "true of the sequences and of at least 97.5 % of the resamples. It fails if it is false and "
    "true of at most 2.5 %. Otherwise it is undecided. A claim that consists of published numbers "
    "holds if the computed numbers have their digits."
)


def make(
    rows: Sequence[Mapping], simulations: Sequence[str], source: str, compared: str
) -> dict[str, Table]:
    """Return one row per claim; `compared` is the comparison of Table 4 with the published one."""
    numbers = pd.read_csv(compared, keep_default_na=False, dtype={"published": str})
    sheet, sequences = read_experiments(rows, simulations, source)
    sequences = sequences.assign(row=sequences["experiment"].map(sheet["row"]))
    table = check(numbers.assign(computed=pd.to_numeric(numbers["computed"])), sequences)
    return {"claims": Table(table, "Claims about Table 4, tested", NOTE)}
