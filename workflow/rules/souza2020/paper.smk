"""Rules of "ASA – The Adaptive Scheduling Architecture" (HPDC 2020)."""

SOUZA = "souza2020"
SUBMITTED = f"<results>/simulations/{SOUZA}/{{experiment}}"
SHAPES = of_workflow("resources/souza2020/shapes.tsv")
SOUZA_PUBLISHED = of_workflow("resources/souza2020/published.tsv")


include: "inputs.smk"
include: "simulations.smk"
include: "waits.smk"
