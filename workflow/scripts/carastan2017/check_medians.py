"""Hold what the paper says of Table 4 in words against the printed table and against ours."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.studies.carastan2017.claims import check
from schedlab.studies.carastan2017.sheet import Experiment
from schedlab.studies.carastan2017.tables.experiments import read_sequences, sheet_frame

NOTE = (
    "printed: whether the sentence follows from the paper's own table; artefact and full: whether "
    "it does from ours, in either dialect, on the rows that ran on the paper's data. in_print and "
    "found: numbers of the printed table, and of ours in the artefact dialect. Computed medians "
    "are tested on resamples of the sequences: a sentence holds if it is true of them and of at "
    "least 97.5 % of the resamples, fails if it is false and true of at most 2.5 %, and is "
    "undecided otherwise. A sentence of printed numbers holds if they have their digits."
)


def check_medians(
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    source: str,
    compared: str,
    csv: str,
    md: str,
) -> None:
    """Write a row per sentence; `compared` is Table 4 beside the printed one."""
    numbers = pd.read_csv(compared, keep_default_na=False, dtype={"published": str})
    sheet = sheet_frame([Experiment(**row) for row in rows], source)
    sequences = read_sequences(sheet, simulations)
    sequences = sequences.assign(row=sequences["experiment"].map(sheet["row"]))
    table = check(numbers.assign(ours=pd.to_numeric(numbers["ours"])), sequences)
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "What the paper says of Table 4, tested", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        check_medians(
            rows=job.params.rows,
            simulations=job.input.simulations,
            source=job.params.source,
            compared=job.input.compared,
            csv=job.output.csv,
            md=job.output.md,
        )
