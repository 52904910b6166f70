"""Show what jobs that share nodes are charged under three tariffs, beyond kellari2025."""

from collections.abc import Mapping

from schedlab.cosched import pricing
from schedlab.cosched.machine import Nodes
from schedlab.files.io import read_parquet
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Data, Table
from schedlab.studies.kellari2025 import beyond
from schedlab.studies.kellari2025.figures.beyond import draw_pricing

TITLE = "Pricing of shared nodes"


def make(
    machine: Mapping[str, int], schedules: str
) -> dict[str, Data | tuple[Table, Picture, str]]:
    """Return the table by scheduler, the table by application, and the figure."""
    jobs = read_parquet(schedules)
    charged = pricing.charges(jobs, Nodes(**machine))
    table = pricing.by_scheduler(charged)
    shared = charged[charged["scheduler"] != "EASY"]
    applications = pricing.by_application(shared)
    on = f"{jobs['workload'].nunique()} workloads on {jobs['pool'].iloc[0]}"
    lines = [beyond.price_headline(table), "", *beyond.price_sentences(table)]
    more = "\n".join(beyond.as_markdown(lines))
    figure = draw_pricing(table, applications, lines[0], f"{TITLE} ({on})")
    captioned = (Table(table, facts={"on": on}, more=more), Picture(figure), "\n".join(lines))
    return {"beyond_pricing": captioned, "beyond_pricing_applications": Data(applications)}
