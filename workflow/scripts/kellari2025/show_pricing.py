"""Beyond kellari2025: what jobs are charged when nodes are shared, under three tariffs."""

from collections.abc import Mapping

from schedlab.cosched import pricing
from schedlab.cosched.machine import Cluster
from schedlab.figures.style import save
from schedlab.io import read_parquet, whole
from schedlab.logs import logged
from schedlab.papers.kellari2025 import beyond
from schedlab.papers.kellari2025.figures.beyond import draw_pricing
from schedlab.report import tables

TITLE = "Who pays when nodes are shared"
TARIFFS = (
    "income: percent of what the jobs would be charged alone on whole nodes. more: percent of jobs "
    "charged over half a percent more than alone; overcharge: what they pay more on average. "
    "middle, least and most: median, 5th and 95th percentile of charge over charge alone."
)


def show_pricing(
    machine: Mapping[str, int],
    schedules: str,
    csv: str,
    applications_csv: str,
    md: str,
    txt: str,
    pdf: str,
    png: str,
) -> None:
    """Write the table by scheduler, the one by application and the figure."""
    kept = read_parquet(schedules)
    charged = pricing.charges(kept, Cluster(**machine))
    table = pricing.by_scheduler(charged)
    shared = charged[charged["scheduler"] != "EASY"]
    applications = pricing.by_application(shared)
    on = f"{kept['workload'].nunique()} workloads on {kept['pool'].iloc[0]}"
    said = [beyond.price_headline(table), "", *beyond.price_sentences(table)]
    note = "\n".join([f"{on}. {TARIFFS}", "", *beyond.as_markdown(said)])
    with whole(txt) as draft:
        draft.write_text("\n".join(said) + "\n", encoding="utf-8")
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, TITLE, note)
    tables.write_csv(applications, applications_csv)
    save(draw_pricing(table, applications, said[0], f"{TITLE} ({on})"), pdf, png)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        show_pricing(
            machine=job.params.machine,
            schedules=job.input.schedules,
            csv=job.output.csv,
            applications_csv=job.output.applications,
            md=job.output.md,
            txt=job.output.txt,
            pdf=job.output.pdf,
            png=job.output.png,
        )
