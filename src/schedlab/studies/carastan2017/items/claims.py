"""Test what carastan2017 states of Table 4 on the published and on the computed table."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report.claims import read_claims
from schedlab.report.parts import Table
from schedlab.studies.carastan2017 import statistics
from schedlab.studies.carastan2017.tables.experiments import read_experiments


def make(
    rows: Sequence[Mapping], simulations: Sequence[str], source: str, compared: str, claims: str
) -> dict[str, Table]:
    """Return one row per claim; `compared` is the comparison of Table 4 with the published one."""
    numbers = pd.read_csv(compared, keep_default_na=False, dtype={"published": str})
    sheet, sequences = read_experiments(rows, simulations, source)
    sequences = sequences.assign(row=sequences["experiment"].map(sheet["row"]))
    numbers = numbers.assign(computed=pd.to_numeric(numbers["computed"]))
    sentences = read_claims(claims, statistics)
    return {"claims": Table(statistics.check_claims(sentences, numbers, sequences))}
