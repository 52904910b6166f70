"""What a site's workload is, and what cleaning took of it."""

import logging
from collections.abc import Mapping

from schedlab.files.io import write_text
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.site import figures, profile
from schedlab.studies.site.settings import SiteSettings, local_times


def describe_site(site: Mapping, out: Mapping[str, str]) -> None:
    """Write tables and figures of the workload; `out` are the files by item."""
    settings = SiteSettings.of(site)
    log = settings.open()
    logging.info("%r", log)
    made = {
        "profile": profile.facts(log, settings.timezone),
        "queues": profile.queues(log),
        "lost": profile.lost(log, settings.ledger),
    }
    for item, table in made.items():
        tables.write_csv(table, out[f"{item}_csv"])
        tables.write_markdown(table, out[f"{item}_md"], item.capitalize(), decimals=1)
    write_text(profile.said_of_loss(log, settings.rules), out["lost_said"])
    parts = {
        "sizes": profile.sizes(log),
        "quantiles": profile.quantiles(log),
        "accuracy": profile.accuracy(log),
        "load": profile.load_by_week(log),
    }
    tables.write_csv(figures.long(**parts), out["fig_workload_csv"])
    save(figures.draw_workload(**parts), out["fig_workload_pdf"], out["fig_workload_png"])
    drawn = profile.arrivals(log, settings.timezone)
    tables.write_csv(drawn, out["fig_arrivals_csv"])
    _, zone = local_times(log, settings.timezone)
    empty = "When jobs come: the log does not say what its times count from"
    figure = figures.draw_arrivals(drawn, zone) if len(drawn) else figures.nothing(empty)
    save(figure, out["fig_arrivals_pdf"], out["fig_arrivals_png"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        describe_site(site=job.params.site, out=dict(job.output.items()))
