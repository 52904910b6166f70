"""Nodes that a site's log shows to be missing for a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.traces.slurm.node_changes import COLUMNS

if TYPE_CHECKING:
    from schedlab.traces.slurm.node_changes import Clock
    from schedlab.workbench.log import Log
    from schedlab.workbench.site_results import SiteResult


def find_outages(log: Log, plain: SiteResult, clock: Clock) -> pd.DataFrame:
    """Return a row for each time in which nodes were missing."""
    return pd.DataFrame(columns=list(COLUMNS))
