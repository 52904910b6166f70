"""Table 5: the real logs, measured, and what the paper prints about them."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.logs import logged
from schedlab.report import comparison, tables, verdicts
from schedlab.studies.carastan2017.tables.table5 import compare_table5, log_facts
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
    comparison_csv: str,
    comparison_md: str,
) -> None:
    """Write Table 5 as .csv and .md, and the comparison; `rows` names the logs in their order."""
    printed = comparison.read_published(published, "table5")
    facts = pd.DataFrame(
        [
            log_facts(name, read_swf(unaltered(path)))
            for name, path in zip(rows.values(), logs, strict=True)
        ]
    )
    tables.write_csv(facts, csv)
    tables.write_markdown(facts, md, "Table 5: the real logs", NOTE, DECIMALS)
    compared = compare_table5(printed, facts, comparison.read_reasons(reasons, "table5"))
    tables.write_csv(compared, comparison_csv)
    said = verdicts.told()
    tables.write_markdown(
        compared, comparison_md, "Table 5, published and ours", said, {"ratio": 4}
    )


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table5(
            logs=job.input.logs,
            rows=job.params.rows,
            published=job.input.published,
            reasons=job.input.reasons,
            csv=job.output.csv,
            md=job.output.md,
            comparison_csv=job.output.comparison_csv,
            comparison_md=job.output.comparison_md,
        )
