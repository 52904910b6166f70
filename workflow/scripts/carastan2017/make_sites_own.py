"""A reader's own policies beside site policies on every log: the matrix of make_sites once more."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.learning import transfer
from schedlab.report import tables
from schedlab.studies.carastan2017.tables import sites as site_tables

NOTE = (
    "As sites.md, with policies of one's own among those that were not learned here: "
    "median = ratio to the best of F1-F4 [95 % interval over resamples of the windows, "
    "and of the tuples where a site's own log is tested]."
)


def make_sites_own(
    draws: Sequence[str],
    policies: Sequence[str],
    measured: Mapping[str, Sequence[str]],
    own: Mapping[str, str],
    fewest: int,
    resamples: int,
    key: Sequence[str],
    csv: str,
    md: str,
) -> None:
    """Write the matrix as .csv and .md; `measured` are the result files of every site."""
    drawn = pd.concat(map(read_parquet, draws), ignore_index=True)
    known = pd.concat([transfer.yardsticks(own), *map(read_parquet, policies)])
    # A policy of one's own may be one that runs anyway.
    runs = {
        site: pd.concat(map(read_parquet, paths)).drop_duplicates(["policy", "regime", "window"])
        for site, paths in measured.items()
    }
    replicates = transfer.Replicates(known, runs, resamples, key)
    statuses = site_tables.tuple_table(drawn, fewest)["status"]
    matrix = site_tables.matrix(replicates, dict(zip(measured, statuses, strict=True)), own)
    tables.write_csv(matrix, csv)
    title = "Site policies, and policies of one's own"
    tables.write_markdown(site_tables.shown(matrix), md, title, NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_sites_own(
            draws=job.input.draws,
            policies=job.input.policies,
            measured={
                site: [path for path in job.input.measured if path.endswith(f"/{name}.parquet")]
                for name, site in job.params.sites.items()
            },
            own=job.params.own,
            fewest=job.params.fewest,
            resamples=job.params.resamples,
            key=job.params.key,
            csv=job.output.csv,
            md=job.output.md,
        )
