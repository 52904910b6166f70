"""Make the matrix of policies learned and tested on every site, with its summary."""

from collections.abc import Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.learning import transfer
from schedlab.learning.regimes import FEWEST_WINDOWS
from schedlab.report.parts import Table
from schedlab.studies.carastan2017.tables import sites as site_tables

NOTE = (
    "Rows: site where the policy was learned (first half of the log, by time), and policies that "
    "were not learned here. Columns: site where it is tested (15-day windows of the second half of "
    "the log). Cells: median of the windows' mean bounded slowdowns (10 s) = ratio to the best of "
    "F1–F4 at the site, chosen in hindsight [95 % interval of the ratio]. Intervals are over "
    "{resamples:,} resamples of the windows, and of the tuples if a site's policy is tested on its "
    "own log. Windows and tuples do not overlap, so they are drawn one by one. Intervals are not "
    "adjusted for multiple comparisons. regime actual: decisions on actual run times, no "
    "backfilling. regime backfill: users' estimates, EASY backfilling."
)
SUMMARY_NOTE = (
    "windows: of the site with the fewest. ratio: median bounded slowdown of a site's policy "
    "divided by that of the site's best of F1–F4, geometric mean over the sites. low, high: 95 % "
    "interval over {resamples:,} resamples of the tuples and windows of these sites. fixed, "
    "fixed_low, fixed_high: the same ratio to F1, which needs no hindsight. better: sites whose "
    "interval of ratio is below 1. worse: sites whose interval of fixed is above 1. undecided: all "
    "other sites, and those with fewer than {fewest_windows} windows. verdicts: sites with enough "
    "windows. adjusted: sites that are still better or worse after Holm's correction for the "
    "verdicts of both regimes. foreign: as ratio, for the policies of the other sites."
)
TUPLES_NOTE = (
    "Tuples of 48 consecutive jobs of the first half of each log, from an empty machine. No two "
    "tuples share a job, so they can be resampled one by one. contended: a task of Q waits under "
    "FCFS; the other tuples carry no information about policies and are dropped. effective_tasks: "
    "Kish's effective number of tasks in the fit, under its weights (r n)². "
)
POLICIES_NOTE = (
    "The four best of 400 distinct functions by equation 5, fitted exactly. The first is the "
    "site's policy. policy: its expression for `policies` in a configuration."
)
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

    def table(rows: pd.DataFrame, title: str, note: str, readable: pd.DataFrame | None = None):
        full_note = note.format(resamples=resamples, fewest_windows=FEWEST_WINDOWS)
        return Table(rows, title, full_note, DECIMALS, readable)

    contended = TUPLES_NOTE + site_tables.contention_note(tuples)
    return {
        "sites": table(
            matrix, "Site policies", f"{NOTE}\n\n{paragraphs}", site_tables.shown(matrix)
        ),
        "sites_summary": table(summary, "Do site policies pay?", f"{SUMMARY_NOTE}\n\n{paragraphs}"),
        "sites_tuples": table(tuples, "Tuples of the sites", contended),
        "sites_policies": table(
            site_tables.policy_table(by_site(fits)), "Policies of the sites", POLICIES_NOTE
        ),
        "sites_sentence": finding,
    }
