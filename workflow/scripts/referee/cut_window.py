"""Choose a window of a log, and scale it to a small machine."""

import logging

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.studies.referee.windows import cut_window

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        jobs, facts = cut_window(
            job.wildcards.log, read_parquet(job.input.jobs), job.params.processors
        )
        logging.info(facts.to_string(index=False))
        write_parquet(jobs.to_frame(), job.output.jobs)
        write_parquet(facts, job.output.facts)
