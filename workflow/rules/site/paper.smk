"""Your site: `snakemake --cores 2 site --configfile site.yaml`, which is no part of `all`.

It runs a few jobs, one for each kind of results; the report is results/<scale>/report/site.html
with its pages of details in results/<scale>/report/site/.
"""

from schedlab.queue.site_cells import files_in, is_own_slurm
from schedlab.studies.site.items import CLEANED, LEARNED as LEARNED_TABLE
from schedlab.studies.site.settings import CLEANING, SiteSettings
from schedlab.studies.site.settings_page import TODAY_SIMULATED, results_of_tries


include: "inputs.smk"
include: "runs.smk"
include: "report.smk"


if is_own_slurm(config["site"]["dialect"]):

    include: "calibration.smk"
    include: "settings.smk"

else:

    include: "policies.smk"
