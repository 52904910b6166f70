"""Make the matrix of sites with user-defined policies among the site policies."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.learning import transfer
from schedlab.report.parts import Table
from schedlab.studies.carastan2017.tables import sites as site_tables


def make(
    draws: Sequence[str],
    policies: Sequence[str],
    measured: Sequence[str],
    sites: Mapping[str, str],
    own: Mapping[str, str],
    fewest: int,
    resamples: int,
    key: Sequence[str],
) -> dict[str, Table]:
    """Return the matrix; `measured` has files ``<site>.parquet``, `sites` their labels by name."""
    tuples = pd.concat(map(read_parquet, draws), ignore_index=True)
    trained = pd.concat([transfer.references(own), *map(read_parquet, policies)])
    # A user-defined policy may equal one that runs anyway.
    runs = {
        label: pd.concat(
            read_parquet(path) for path in measured if path.endswith(f"/{name}.parquet")
        ).drop_duplicates(["policy", "regime", "window"])
        for name, label in sites.items()
    }
    replicates = transfer.Replicates(trained, runs, resamples, key)
    statuses = site_tables.tuple_table(tuples, fewest)["status"]
    matrix = site_tables.matrix(replicates, dict(zip(runs, statuses, strict=True)), own)
    return {"sites_own": Table(matrix, readable=site_tables.shown(matrix))}
