"""A reader's own site: `snakemake --cores 2 site --configfile site.yaml`, which is no part of `all`.

A few jobs, each with everything of one kind; the page stands in results/<scale>/report/site.html.
"""

from schedlab.studies.site.items.index import CLEANED, LEARNED as LEARNED_TABLE
from schedlab.studies.site.settings import CLEANING, SiteSettings


include: "inputs.smk"
include: "runs.smk"
include: "report.smk"
