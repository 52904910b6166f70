"""Clean a site's log, once for all rules that read it."""

import logging

from schedlab.files.logs import logged
from schedlab.studies.site.settings import load_site

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        log = load_site(job.params.site)
        logging.info("%r", log)
        log.write(job.output.jobs, job.output.ledger, job.output.lost)
