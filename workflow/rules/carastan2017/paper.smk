"""Rules of "Obtaining Dynamic Scheduling Policies with Simulation and Machine Learning" (SC'17)."""

from schedlab.learning.regimes import SPLIT as SITE_SPLIT, REFERENCES
from schedlab.studies.carastan2017.items import explored
from schedlab.studies.carastan2017.sheet import TABLE4
from schedlab.studies.carastan2017.names import (
    DISTRIBUTIONS,
    PUBLISHED_SCORES,
    PUBLISHED_WORKLOAD,
    label_of_site,
)

CARASTAN = "carastan2017"
PUBLISHED = of_workflow("resources/carastan2017/published.tsv")
# Trials use actual run times.
LEARNING_CLEANING = "sc17_actual"
# Site policies are tested with estimates as well, so both halves keep the same kind of jobs.
SITE_CLEANING = "full_estimate"
LEARNING = config[CARASTAN]["learning"]
SITES = LEARNING["sites"]
# Experiments with an interactive window: one of a model, and one of a log.
EXPLORED = explored(STUDIES[CARASTAN])


for source in (LEARNING["source"], *SITES["names"]):
    if source not in {*LOGS, *MODELS}:
        raise ConfigError(
            f"configuration: {CARASTAN}.learning: '{source}' is not in "
            f"{config['sheets']['traces']} or {config['sheets']['models']}"
        )


include: "inputs.smk"
include: "learning.smk"
include: "sites.smk"
include: "explore.smk"
include: "toggles.smk"


wildcard_constraints:
    distribution=one_of(DISTRIBUTIONS),
    sampler="uniform|artefact",


rule copy_table4:
    """Copy Table 4 to a short, well-known path."""
    input:
        csv="<results>/figures/carastan2017/table4.csv",
    output:
        csv="<results>/figures/table4.csv",
    log:
        "<logs>/copy_table4.log",
    localrule: True
    conda:
        "../../../environment.yml"
    message:
        "Copying Table 4 to {output.csv}"
    shell:
        "cp {input.csv:q} {output.csv:q} 2> {log:q}"
