"""Entry point: `snakemake` makes everything, `snakemake carastan2017` makes one paper.

`snakemake results/figures/table4.csv` makes the headline table. The rules are in workflow/rules/.
"""


include: "workflow/Snakefile"
include: "workflow/rules/targets.smk"


workflow.default_target = "all"
