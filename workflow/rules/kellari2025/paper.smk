"""Co-scheduling algorithms for HPC applications (NTUA 2025): what computes."""

KELLARI = "kellari2025"
# Co-scheduled jobs that arrive as those of a log take its submit times alone.
ARRIVALS_CLEANING = "full_actual"
TABLE4_1 = of_workflow("resources/kellari2025/table4_1.tsv")


include: "inputs.smk"
include: "simulations.smk"
