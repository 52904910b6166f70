"""Obtaining Dynamic Scheduling Policies with Simulation and Machine Learning (SC'17): what computes."""

from schedlab.learning.regimes import SPLIT as SITE_SPLIT, YARDSTICKS
from schedlab.studies.carastan2017.items.index import explored
from schedlab.studies.carastan2017.sheet import TABLE4
from schedlab.studies.carastan2017.sources import (
    DISTRIBUTIONS,
    PUBLISHED_SCORES,
    PUBLISHED_WORKLOAD,
    label_of_site,
)

CARASTAN = "carastan2017"
PUBLISHED = of_workflow("resources/carastan2017/published.tsv")
# Trials see actual run times.
LEARNING_CLEANING = "sc17_actual"
# Site policies are tested with estimates as well; both halves hold jobs of the same kind.
SITE_CLEANING = "full_estimate"
LEARNING = config[CARASTAN]["learning"]
SITES = LEARNING["sites"]
# Experiments of which a window can be panned and zoomed: a model's row, and a log's.
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
    """Table 4 at the address that people look for."""
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
