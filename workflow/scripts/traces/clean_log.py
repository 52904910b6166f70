"""Clean one raw log by a named rule set, and write a ledger of the changes."""

import logging

from schedlab.core.requests import COLUMNS
from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.traces.cleaning import Cleaning
from schedlab.traces.fields import read_fields


def clean_log(
    text: str,
    estimated: bool,
    log: str,
    cleaning: str,
    jobs: str,
    ledger: str,
    model: str | None = None,
) -> None:
    """Write the clean jobs of the SWF file `text` to `jobs`, and every change to `ledger`.

    If the file is not available and the `model` draws the log, its jobs are cleaned by the same
    rules; `estimated` states whether it draws estimates.
    """
    fields = read_fields(text, model, estimated)
    if fields.drawn:
        logging.info("%s: its file is not available; all jobs drawn: %s", log, model)
    process = Cleaning(cleaning, log, fields.unix_start, more=COLUMNS)
    clean_jobs, changes = process.all_of(fields.parts)
    logging.info("%s: %d of %d jobs left by %s", log, len(clean_jobs), process.jobs, cleaning)
    for rule, count in changes.groupby("rule", sort=False).size().items():
        logging.info("%s: %s: %d jobs", log, rule, count)
    write_parquet(clean_jobs, jobs)
    write_parquet(changes, ledger)


if __name__ == "__main__":
    run_script(clean_log, snakemake)  # noqa: F821
