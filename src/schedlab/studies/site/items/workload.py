"""A site's workload, and the jobs that cleaning drops."""

import logging
from collections.abc import Mapping

from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.site import figures, profile
from schedlab.studies.site.settings import SiteSettings, local_times
from schedlab.workbench.log import read_cleaned


def make(site: Mapping, jobs: str, ledger: str, lost: str) -> dict[str, Table | Picture | str]:
    """Return tables and figures of the workload."""
    settings = SiteSettings.of(site)
    log = read_cleaned(jobs, ledger, lost)
    logging.info("%r", log)
    tables = {
        "profile": profile.facts(log, settings.timezone),
        "queues": profile.queues(log),
        "lost": profile.lost(log, settings.ledger),
    }
    parts = {
        "sizes": profile.sizes(log),
        "quantiles": profile.quantiles(log),
        "accuracy": profile.accuracy(log),
        "load": profile.load_by_week(log),
    }
    arrivals = profile.arrivals(log, settings.timezone)
    _, zone = local_times(log, settings.timezone)
    empty = "Arrivals: the log does not state the origin of its times"
    figure = figures.draw_arrivals(arrivals, zone) if len(arrivals) else figures.nothing(empty)
    return {
        **{item: Table(rows, 1) for item, rows in tables.items()},
        "lost_said": profile.loss_summary(log, settings.rules),
        "fig_workload": Picture(figures.draw_workload(**parts), figures.long(**parts)),
        "fig_arrivals": Picture(figure, arrivals),
    }
