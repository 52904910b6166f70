"""What the text says in numbers, compared with another log."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.tables.means import compare_text
from schedlab.report import comparison, tables

NOTE = "The paper's logs are not available; ran_on: the log that ran."


def write_text_comparison(
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    costs: str,
    printed: str,
    csv: str,
    md: str,
) -> None:
    """Write a row per number; the experiments are with recorded users and users that react."""
    recorded, reacting = read_evidence(rows, jobs, starts)
    published = comparison.read_published(printed, "text")
    table = compare_text(published, recorded, reacting, pd.read_csv(costs))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Numbers of the text", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        write_text_comparison(
            rows=job.params.rows,
            jobs=job.input.jobs,
            starts=job.input.starts,
            costs=job.input.costs,
            printed=job.input.published,
            csv=job.output.csv,
            md=job.output.md,
        )
