"""Obtaining Dynamic Scheduling Policies with Simulation and Machine Learning (SC'17).

What is made of it, once: the target rule, the page and the names that the other rules allow.
"""

from schedlab.learning.regimes import SPLIT as SITE_SPLIT, YARDSTICKS
from schedlab.studies.carastan2017.names import LEARNED_COLUMNS
from schedlab.studies.carastan2017.sheet import GENERATED

CARASTAN = "carastan2017"
PUBLISHED = of_workflow("resources/carastan2017/published.tsv")
REASONS = of_workflow("resources/carastan2017/reasons.tsv")
TABLE4 = ("table4", "table4_full")
# Trials see actual run times.
LEARNING_CLEANING = "sc17_actual"
# Site policies are tested with estimates as well; both halves hold jobs of the same kind.
SITE_CLEANING = "full_estimate"
KEY_OF_WINDOWS = [CARASTAN, "sites", "windows"]
# The artefact's scores and the workload that its tuples were drawn from.
PUBLISHED_SCORES = "score-distribution"
PUBLISHED_WORKLOAD = "lublin-256-train10k"
# The distributions that functions are fitted to, in the order of the tables, and their names there.
DISTRIBUTIONS = {
    "published": "artefact's, as published",
    "uniform": "ours, uniform",
    "artefact": "ours, artefact's shuffle",
}
# The logs of Table 5, and its rows.
TABLE5 = {
    "CEA-Curie": "Curie",
    "ANL-Intrepid": "ANL Interpid",
    "SDSC-BLUE": "SDSC Blue",
    "CTC-SP2": "CTC SP2",
}
# What stands beside the paper's policies in files of this ending: sets of simulations and columns.
FURTHER = {"learned": ([LEARNED], LEARNED_COLUMNS)}
FURTHER |= {"learned_full": FURTHER["learned"]}
FURTHER |= {"own": [list(config["policies"])] * 2} if config["policies"] else {}
# The items that each file of the shape of Table 4 shows; a reader's own policies stand beside the
# paper's in both dialects at once.
GENERATED_ROWS = {"table4_generated": GENERATED} if config["generated"] else {}
GROUPED = {"table4": TABLE4} | GENERATED_ROWS
TABLE4_FILES = {"table4": TABLE4[:1], "table4_full": TABLE4[1:]} | GENERATED_ROWS
if config["policies"]:
    TABLE4_FILES |= {f"{name}_own": items for name, items in GROUPED.items()}
TABLE4_FILES |= {"table4_learned": TABLE4[:1], "table4_learned_full": TABLE4[1:]}
SITES_OWN = ["sites_own"] if config["policies"] else []
BOXES = [f"fig{number}" for number in range(4, 10)]
# The same with boxes for the policies that are learned here, and for a reader's own.
RANKED = [end for end in FURTHER if end != "learned_full"]
FURTHER_BOXES = [f"{figure}_{end}" for end in RANKED for figure in BOXES]

# Experiments of which a window can be panned and zoomed: a model's row, and a log's.
EXPLORED = [
    name
    for name in ("lublin256_backfill_artefact", "ctc_backfill_full")
    if name in EXPERIMENTS[CARASTAN]
]


include: "inputs.smk"


PAGES[CARASTAN] = {
    "title": "Obtaining dynamic scheduling policies with simulation and machine learning",
    "authors": "D. Carastan-Santos and R. Y. de Camargo",
    "venue": "SC’17",
    "summary": (
        "Policies learned from simulated trials by nonlinear regression, F1 to F4, against four "
        "ad-hoc ones, in eighteen experiments on model workloads and real logs."
    ),
    "tables": [
        *"table1 table3 table3_comparison table3_own table3_intercept".split(),
        *("fitters_published", "fitters_uniform"),
        *("table2", "table5", "table5_comparison"),
        *("table4_comparison", "table4_ranks", "claims"),
        *(f"table4_{end}_ranks" for end in RANKED),
        *TABLE4_FILES,
        *"sites sites_policies sites_summary sites_tuples".split(),
        *(*SITES_OWN, "toggles"),
    ],
    "unshown": [],
    "figures": [
        *("fig1", "fig2", "fig3", "fig_samplers", "fig_sites", "fig_toggles"),
        *(*BOXES, *FURTHER_BOXES),
        *(f"fig_{sites}" for sites in SITES_OWN),
    ],
    "texts": [
        *(f"table4_{end}_sentence" for end in RANKED),
        "sites_sentence",
        "toggles",
    ],
    "elsewhere": [
        "<results>/policies/learned.csv",
        *(f"<results>/report/explore/{name}.html" for name in EXPLORED),
    ],
    "explored": {
        f"explore/{name}.html": label_as_run(CARASTAN, name) for name in EXPLORED
    },
    "captions": dict.fromkeys([*BOXES, *FURTHER_BOXES], "boxplots")
    | dict.fromkeys(TABLE4_FILES, "table4")
    | dict.fromkeys((f"table4_{end}_ranks" for end in RANKED), "table4_further_ranks")
    | dict.fromkeys(("fitters_published", "fitters_uniform"), "fitters")
    | dict.fromkeys(("fig_sites", "sites_own", "fig_sites_own"), "sites")
    | {"fig_toggles": "toggles"},
    "told_by": "table4_comparison fig_samplers claims toggles".split(),
    "thumbnail": "fig4",
    "results": [
        *simulations(CARASTAN, *TABLE4),
        *(
            f"<results>/policies/{distribution}.parquet"
            for distribution in DISTRIBUTIONS
        ),
    ],
    "logs": logs_shown(*TABLE5, *logs_of_learning(), PUBLISHED_SCORES),
}


for source in (config["learning"]["source"], *config["learning"]["sites"]["names"]):
    if source not in {*LOGS, *MODELS}:
        raise ConfigError(
            f"configuration: learning: '{source}' is not in {config['sheets']['traces']} or "
            f"{config['sheets']['models']}"
        )


include: "tables.smk"
include: "learning.smk"
include: "sites.smk"
include: "explore.smk"
include: "toggles.smk"


wildcard_constraints:
    figure=one_of([*BOXES, *FURTHER_BOXES]),
    further=one_of(RANKED),
    table4=one_of(TABLE4_FILES),
    sites=one_of(["sites", *SITES_OWN]),
    distribution=one_of(DISTRIBUTIONS),
    sampler="uniform|artefact",


rule carastan2017:
    """All tables and figures of carastan2017."""
    input:
        files_of_paper(CARASTAN),
        "<results>/figures/table4.csv",
