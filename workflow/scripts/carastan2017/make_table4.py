"""Table 4: median over the sequences of the average bounded slowdown, row by row."""

from collections.abc import Mapping, Sequence

from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.studies.carastan2017.sheet import Experiment
from schedlab.studies.carastan2017.tables import experiments

NOTE = (
    "Medians over the sequences of AVEbsld, tau = 10 s; the .csv beside this file has six decimals."
)


def make_table4(
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    grouped: bool,
    own: Sequence[str],
    source: str,
    csv: str,
    md: str,
) -> None:
    """Write the rows; where they are `grouped`, dialect by dialect, they are a row group of ours.

    `own` are policies that get columns beside the paper's. A row group that the configuration
    leaves out has no simulations and gets a table of no rows.
    """
    sheet = experiments.sheet_frame([Experiment(**row) for row in rows], source)
    if not simulations:
        sheet = sheet.iloc[:0]
    sequences = experiments.read_sequences(sheet, simulations)
    if grouped:
        table = experiments.row_group(sheet, sequences, own)
    else:
        table = experiments.table4(sheet, experiments.medians(sheet, sequences, own))
    tables.write_csv(table, csv)
    dialects = " and ".join(sheet["dialect"].unique())
    title = f"Table 4: median average bounded slowdown, {dialects} dialect"
    tables.write_markdown(table, md, title, NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table4(
            rows=job.params.rows,
            simulations=job.input.simulations,
            grouped=job.params.grouped,
            own=job.params.own,
            source=job.params.source,
            csv=job.output.csv,
            md=job.output.md,
        )
