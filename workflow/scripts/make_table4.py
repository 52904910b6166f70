"""Table 4: median over the sequences of the average bounded slowdown, row by row."""

from collections.abc import Sequence

from schedlab import tables
from schedlab.experiments import read_experiments
from schedlab.logs import logged

NOTE = (
    "Medians over the sequences of AVEbsld, tau = 10 s; the .csv beside this file has six decimals."
)


def make_table4(
    sheet: str,
    schema: str,
    simulations: Sequence[str],
    groups: Sequence[str],
    own: Sequence[str],
    source: str,
    csv: str,
    md: str,
) -> None:
    """Write the rows of the sheet's items `groups`; several of them are a row group of ours.

    `own` are policies that get columns beside the paper's. A row group that the configuration
    leaves out has no simulations and gets a table of no rows.
    """
    rows = tables.sheet_frame(read_experiments(sheet, schema), groups, source)
    if not simulations:
        rows = rows.iloc[:0]
    sequences = tables.read_sequences(rows, simulations)
    if len(groups) > 1:
        table = tables.row_group(rows, sequences, own)
    else:
        table = tables.table4(rows, tables.medians(rows, sequences, own))
    tables.write_csv(table, csv)
    dialects = " and ".join(rows["dialect"].unique())
    title = f"Table 4: median average bounded slowdown, {dialects} dialect"
    tables.write_markdown(table, md, title, NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table4(
            *(job.input.sheet, job.input.schema, job.input.simulations),
            *(job.params.groups, job.params.own, job.params.source),
            *(job.output.csv, job.output.md),
        )
