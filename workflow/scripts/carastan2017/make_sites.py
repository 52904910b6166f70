"""Site policies, trained on every log and tested on every log: the matrix and what it says."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet, whole
from schedlab.files.logs import logged
from schedlab.learning import transfer
from schedlab.learning.regimes import FEWEST_WINDOWS
from schedlab.report import tables
from schedlab.studies.carastan2017.tables import sites as site_tables

NOTE = (
    "Rows: where the policy was learned (first half of the log, by time), and policies that were "
    "not learned here. Columns: 15-day windows of the second half of the log it is tested on. "
    "Cells: median of the windows' mean bounded slowdowns (10 s) = ratio to the best of F1–F4 "
    "there, which is chosen with hindsight [95 % interval of the ratio over {resamples:,} "
    "resamples of the windows, and of the tuples where a site's own log is tested; neither "
    "overlap, so both are drawn one by one]. No interval is adjusted for the others. regime "
    "actual: decisions on actual run times, no backfilling; backfill: users' estimates, EASY "
    "backfilling."
)
SUMMARY_NOTE = (
    "windows: of the site that has fewest; ratio: median bounded slowdown of a site's own policy "
    "over the best of F1–F4 there, geometric mean over the sites; low, high: 95 % interval over "
    "{resamples:,} resamples of tuples and windows, of these sites; fixed, fixed_low, fixed_high: "
    "the same over F1, which takes no hindsight. better: sites whose interval of ratio lies below "
    "1; worse: whose interval of fixed lies above 1; undecided: all others, and those with fewer "
    "than {fewest_windows} windows; verdicts: sites with enough windows; adjusted: sites that are "
    "still better or worse after Holm's correction for the verdicts of both regimes; foreign: as "
    "ratio, policies of the other sites."
)
TUPLES_NOTE = (
    "Tuples of 48 consecutive jobs of the first half of each log, from an empty machine; no two "
    "share a job, so that drawing them anew one by one does not count the same jobs as several. "
    "contended: a task of Q waits when all start in order of submission; the others say nothing "
    "about policies and are dropped. effective_tasks: tasks that carry the fit, by Kish's "
    "effective size under its weights (r n)². "
)
POLICIES_NOTE = (
    "The four best of 400 distinct functions by equation 5, fitted exactly; the first is the "
    "site's policy. policy: as `policies` in a configuration takes it."
)
DECIMALS = {"share_dropped": 3, "effective_tasks": 1, "rank_error": 6, "K": 0}


def make_sites(
    files: Mapping[str, Sequence[str]],
    sites: Sequence[str],
    fewest: int,
    resamples: int,
    key: Sequence[str],
    out: Mapping[str, str],
) -> None:
    """Write the matrix, its summary, what was drawn and the policies, each as .csv and .md."""
    read = {
        kind: dict(zip(sites, map(read_parquet, paths), strict=True))
        for kind, paths in files.items()
    }
    drawn = pd.concat(read["draws"].values(), ignore_index=True)
    tuples = site_tables.tuple_table(drawn, fewest)
    policies = pd.concat([transfer.yardsticks(), *read["policies"].values()])
    replicates = transfer.Replicates(policies, read["measured"], resamples, key)
    matrix = site_tables.matrix(replicates, dict(zip(sites, tuples["status"], strict=True)))
    summary = site_tables.summary(replicates, sites)
    best = site_tables.policy_table(read["fits"])
    said = site_tables.sentence(summary)
    listed = said.replace("\n", "\n\n")
    with whole(out["sentence"]) as draft:
        draft.write_text(said + "\n", encoding="utf-8")
    for name, frame, readable, title, note in (
        ("sites", matrix, site_tables.shown(matrix), "Site policies", NOTE + f"\n\n{listed}"),
        ("summary", summary, summary, "Do site policies pay?", f"{SUMMARY_NOTE}\n\n{listed}"),
        ("tuples", tuples, tuples, "Tuples of the sites",
         TUPLES_NOTE + site_tables.contention_note(tuples)),
        ("policies", best, best, "Policies of the sites", POLICIES_NOTE),
    ):  # fmt: skip
        tables.write_csv(frame, out[f"{name}_csv"])
        words = note.format(resamples=resamples, fewest_windows=FEWEST_WINDOWS)
        tables.write_markdown(readable, out[f"{name}_md"], title, words, DECIMALS)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_sites(
            files={kind: job.input[kind] for kind in ("draws", "fits", "policies", "measured")},
            sites=job.params.sites,
            fewest=job.params.fewest,
            resamples=job.params.resamples,
            key=job.params.key,
            out=dict(job.output.items()),
        )
