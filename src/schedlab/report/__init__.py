"""The report: what was made, beside what was published, on pages that need nothing else."""
