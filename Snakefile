"""What a person types: `snakemake` for everything, `snakemake carastan2017` for one paper.

`snakemake results/figures/table4.csv` makes the headline table. The rules are in workflow/rules/,
one file per stage of the flow and one per paper.
"""

from pathlib import Path

from snakemake.utils import min_version

from schedlab.targets import check_place

min_version("9.20")
# Snakemake says no more than that a file is not there.
if not workflow.configfiles:
    check_place("config/config.yaml", Path(workflow.basedir))


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/common_inputs.smk"
include: "workflow/rules/common_cosched.smk"
include: "workflow/rules/traces.smk"
include: "workflow/rules/workloads.smk"
include: "workflow/rules/simulations.smk"
include: "workflow/rules/carastan2017.smk"
include: "workflow/rules/learning.smk"
include: "workflow/rules/sites.smk"
include: "workflow/rules/mixed.smk"
include: "workflow/rules/legrand2018.smk"
include: "workflow/rules/figures_legrand2018.smk"
include: "workflow/rules/coscheduling.smk"
include: "workflow/rules/beyond_kellari2025.smk"
include: "workflow/rules/kellari2025.smk"
include: "workflow/rules/report.smk"


rule all:
    """Everything, with the report."""
    input:
        rules.carastan2017.input,
        rules.legrand2018.input,
        rules.kellari2025.input,
        "results/report/index.html",
    message:
        "Everything is made"


include: "workflow/rules/targets.smk"


workflow.default_target = "all"
