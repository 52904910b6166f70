"""Clean one raw log by a named rule set, and keep the ledger of what that did."""

import logging

from schedlab.io import write_parquet
from schedlab.traces.cleaning import clean
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf


def clean_log(text: str, log: str, rules: str, jobs: str, ledger: str) -> None:
    """Write the clean jobs of the SWF file `text` to `jobs`, and every change to `ledger`."""
    raw = read_swf(unaltered(text))
    clean_jobs, changes = clean(raw.jobs, rules, log, raw.header.integer("UnixStartTime"))
    logging.info("%s: %d of %d jobs left by %s", log, len(clean_jobs), len(raw.jobs), rules)
    for rule, count in changes.groupby("rule", sort=False).size().items():
        logging.info("%s: %s: %d jobs", log, rule, count)
    write_parquet(clean_jobs, jobs)
    write_parquet(changes, ledger)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    logging.basicConfig(filename=job.log[0], level=logging.INFO)
    try:
        clean_log(job.input.text, job.wildcards.log, job.wildcards.cleaning, *job.output)
    except Exception:
        logging.exception("clean_log failed")
        raise
