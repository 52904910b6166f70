"""A reader's own site: `snakemake --cores 2 site --configfile site.yaml`, which is no part of `all`.

A few jobs, each with everything of one kind; the page stands in results/<scale>/report/site.html.
"""

from schedlab.core.metrics import METRICS, window_metrics, tail_metrics
from schedlab.studies.site.settings import SiteSettings
from schedlab.studies.site.start import heading_of

SITE_TABLES = [
    "profile",
    "queues",
    "lost",
    "survivors",
    *METRICS,
    "losers",
    "absent",
    "policies",
    "held_out",
    "waits",
]
SITE_FIGURES = [
    "fig_workload",
    "fig_arrivals",
    "fig_survivors",
    "fig_ratios",
    "fig_held_out",
    "fig_waits",
]
SITE_TEXTS = [
    "answer",
    "lost_said",
    "arena_said",
    "waits_said",
    "held_out_said",
    "slurm",
]


include: "inputs.smk"


PAGES[SITE] = {
    "title": heading_of(config["site"]["name"]),
    "authors": "",
    "venue": "",
    "summary": "",
    "tables": SITE_TABLES,
    "unshown": [],
    "figures": SITE_FIGURES,
    "texts": SITE_TEXTS,
    "elsewhere": [],
    "captions": dict.fromkeys(window_metrics(), "metric")
    | dict.fromkeys(tail_metrics(), "tail"),
    "results": [],
    "logs": [],
}


include: "runs.smk"
include: "report.smk"


rule site:
    """Tables, figures and the report of a site."""
    input:
        files_of_paper(SITE),
        f"<results>/report/{SITE}.html",
