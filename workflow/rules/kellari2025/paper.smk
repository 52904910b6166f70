"""Rules of "Co-scheduling algorithms for HPC applications" (NTUA 2025)."""

KELLARI = "kellari2025"
# Co-scheduled jobs that arrive like those of a log use only its submit times.
ARRIVALS_CLEANING = "full_actual"
TABLE4_1 = of_workflow("resources/kellari2025/table4_1.tsv")


include: "inputs.smk"
include: "simulations.smk"
