"""What a person types: `snakemake` for everything, `snakemake carastan2017` for one paper.

`snakemake results/figures/table4.csv` makes the headline table. The rules are in workflow/rules/.
"""


include: "workflow/Snakefile"
include: "workflow/rules/targets.smk"


workflow.default_target = "all"
