"""Cut nodes, jobs and settings from the files of a site."""

import logging
from pathlib import Path

import pandas as pd

from schedlab.files.io import write_parquet
from schedlab.files.logs import logged
from schedlab.studies.referee.site_slice import cut_files, cut_jobs, facts_of, read_slice

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        into = Path(job.output.files)
        into.mkdir(parents=True)
        if job.input:
            folder = Path(job.input[0]).parent
            for name, text in cut_files(folder).items():
                (into / name).write_text(text, encoding="utf-8")
            site = read_slice(into)
            jobs = cut_jobs(folder, site)
            logging.info("%s", facts_of(jobs, site))
        else:
            logging.info("the site is in no folder of the archive: log not available")
            jobs = pd.DataFrame({"number": []})
        write_parquet(jobs, job.output.jobs)
