"""Hold what the paper says of Table 4 in words against the printed table and against ours."""

import pandas as pd

from schedlab.logs import logged
from schedlab.papers.carastan2017.claims import check
from schedlab.report import tables

NOTE = (
    "printed: whether the sentence follows from the paper's own table; artefact and full: whether "
    "it does from ours, in either dialect, on the rows that ran on the paper's data. in_print and "
    "found: numbers of the printed table, and of ours in the artefact dialect."
)


def check_medians(compared: str, csv: str, md: str) -> None:
    """Write a row per sentence; `compared` is Table 4 beside the printed one."""
    numbers = pd.read_csv(compared, keep_default_na=False, dtype={"published": str})
    table = check(numbers.assign(ours=pd.to_numeric(numbers["ours"])))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "What the paper says of Table 4, tested", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        check_medians(compared=job.input.compared, csv=job.output.csv, md=job.output.md)
