"""Make the matrix of policies learned and tested on every site, with its summary."""

from collections.abc import Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.learning import transfer
from schedlab.learning.regimes import FEWEST_WINDOWS
from schedlab.report.parts import Table
from schedlab.studies.carastan2017.tables import sites as site_tables

DECIMALS = {"share_dropped": 3, "effective_tasks": 1, "rank_error": 6, "K": 0}


def make(
    draws: Sequence[str],
    fits: Sequence[str],
    policies: Sequence[str],
    measured: Sequence[str],
    sites: Sequence[str],
    fewest: int,
    resamples: int,
    key: Sequence[str],
) -> dict[str, Table | str]:
    """Return the matrix, its summary, the tuples and the policies; the files are by `sites`."""

    def by_site(paths: Sequence[str]) -> dict[str, pd.DataFrame]:
        return dict(zip(sites, map(read_parquet, paths), strict=True))

    all_draws = pd.concat(by_site(draws).values(), ignore_index=True)
    tuples = site_tables.tuple_table(all_draws, fewest)
    trained = pd.concat([transfer.references(), *by_site(policies).values()])
    replicates = transfer.Replicates(trained, by_site(measured), resamples, key)
    matrix = site_tables.matrix(replicates, dict(zip(sites, tuples["status"], strict=True)))
    summary = site_tables.summary(replicates, sites)
    finding = site_tables.sentence(summary)
    paragraphs = finding.replace("\n", "\n\n")

    facts = {"resamples": f"{resamples:,}", "fewest_windows": FEWEST_WINDOWS}
    contention = {"contention": site_tables.contention_note(tuples)}
    return {
        "sites": Table(matrix, DECIMALS, facts, paragraphs, site_tables.shown(matrix)),
        "sites_summary": Table(summary, DECIMALS, facts, paragraphs),
        "sites_tuples": Table(tuples, DECIMALS, contention),
        "sites_policies": Table(site_tables.policy_table(by_site(fits)), DECIMALS),
        "sites_sentence": finding,
    }
