"""The papers, in the order of the report.

A paper is a line here, a package schedlab.studies.<paper> with its sheet and its items, and where it
computes by rules of its own, paper.smk in a folder next to this file; config/experiments/<paper>.tsv and
workflow/schemas/<paper>.schema.yaml (what a row is; and <paper>.config.schema.yaml where it has a key of
its own in the configuration).
"""

PAPERS = ["carastan2017", "legrand2018", "kellari2025", "klusacek2016", "souza2020"]
# What is built like a paper and is none: a package schedlab.studies.<name>, the rest as of a paper.
LIKE_PAPERS = ["arena", "zhang2020"]
BUILT = [*PAPERS, *LIKE_PAPERS]
# Your site: a package schedlab.studies.site and a key of the configuration, in a sheet's place.
SITE = "site"
# Simulators compared with a real Slurm: a package schedlab.studies.referee and a key of the configuration as well.
REFEREE = "referee"
# A search of policies as expressions: a package schedlab.studies.programs and a key of the configuration as well.
PROGRAMS = "programs"
