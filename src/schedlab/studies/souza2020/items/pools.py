"""Beyond souza2020: a pool of allocations, compared with the strategies at the same instants."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import background_of, read_stages, systems_of
from schedlab.studies.souza2020.figures.pools import draw_pools
from schedlab.studies.souza2020.tables.pools import headline, pooled_runs, pools

TITLE = "One pool over several allocations"


def make(
    stages: Sequence[str], pooled: Sequence[str], rows: Sequence[Mapping]
) -> dict[str, tuple[Table, Picture, str]]:
    """Return the table, the sentence and the figure."""
    table = pools(pooled_runs(read_stages(stages), read_stages(pooled)), systems_of(rows))
    finding, on = headline(table), background_of(rows)
    logging.info(finding)
    empty = log_not_available(rows[0]["source"]) if table.empty else None
    figure = empty or draw_pools(table, f"{TITLE}. {on}")
    captioned = Table(table, 1, {"on": on}, finding)
    return {"beyond_pool": (captioned, Picture(figure), finding)}
