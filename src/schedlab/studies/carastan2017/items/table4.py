"""Make Table 4 of carastan2017: median average bounded slowdown over the sequences."""

from collections.abc import Mapping, Sequence

from schedlab.report.parts import Table
from schedlab.studies.carastan2017.sheet import Experiment
from schedlab.studies.carastan2017.tables import experiments


def make(
    item: str,
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    grouped: bool,
    own: Sequence[str],
    source: str,
) -> dict[str, Table]:
    """Return the rows; if `grouped`, they are not the paper's and have a column of dialects.

    `own` are further policies with columns after the paper's. Rows that the configuration leaves
    out have no simulations and give an empty table.
    """
    sheet = experiments.sheet_frame([Experiment(**row) for row in rows], source)
    if not simulations:
        sheet = sheet.iloc[:0]
    sequences = experiments.read_sequences(sheet, simulations)
    if grouped:
        table = experiments.row_group(sheet, sequences, own)
    else:
        table = experiments.table4(sheet, experiments.medians(sheet, sequences, own))
    dialects = " and ".join(sheet["dialect"].unique())
    return {item: Table(table, facts={"dialects": dialects})}
