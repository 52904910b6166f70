"""Table 5: the real logs, measured, and what the paper prints about them."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab import comparison, tables
from schedlab.logs import logged
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf

NOTE = (
    "year: of the first submission; utilisation: percent, processor seconds of all jobs over "
    "machine size times the log's span; duration: months from first to last submission."
)
DECIMALS = {"utilisation": 1, "duration": 1}


def make_table5(
    logs: Sequence[str],
    rows: Mapping[str, str],
    published: str,
    reasons: str,
    csv: str,
    md: str,
    compared: str,
) -> None:
    """Write Table 5 as .csv and .md, and the comparison; `rows` names the logs in their order."""
    printed = comparison.read_published(published, "table5")
    facts = pd.DataFrame(
        [
            tables.log_facts(name, read_swf(unaltered(path)))
            for name, path in zip(rows.values(), logs, strict=True)
        ]
    )
    tables.write_csv(facts, csv)
    tables.write_markdown(facts, md, "Table 5: the real logs", NOTE, DECIMALS)
    reasons_known = comparison.read_reasons(reasons, "table5")
    tables.write_csv(comparison.compare_table5(printed, facts, reasons_known), compared)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table5(
            *(job.input.logs, job.params.rows),
            *(job.input.published, job.input.reasons),
            *(job.output.csv, job.output.md, job.output.comparison),
        )
