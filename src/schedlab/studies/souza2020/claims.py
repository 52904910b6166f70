"""Compare the claims in the text of souza2020 with the simulated runs.

Claims about makespans, waits and core-hours are compared with means over replicates. A claim is
undecided if the 95 % interval, over replicates or over runs of a learner, includes both answers.
On a synthetic background these claims are not compared with the paper; figure 5 and theorem 1 need
no background. Claims about the published tables are checked against those tables.
"""

import pandas as pd

from schedlab.report import claims
from schedlab.report.claims import Claim, Outcome
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.souza2020 import findings

RUNS, SERIES, CURVES, GAMES = "runs", "series", "curves", "games"
#: the published Tables 1 and 2
PRINT, HITS = "Table 1", "Table 2"

#: the claim of the abstract
MAKESPAN = "ASA's makespan is at most 2% above Big Job's"

CLAIMS = (
    Claim(MAKESPAN, "6", findings.makespan_near_big_job,
          RUNS),
    Claim("ASA's core-hours are within 0.2% of Per-Stage's", "6", findings.core_hours_near_optimal,
          RUNS),
    Claim("ASA's core-hours are about 43% below Big Job's: within 5 points", "6",
          findings.core_hours_below_big_job, RUNS),
    *(Claim(f"{workflow} takes longer under Per-Stage than under Big Job", "4.7, table 1",
            findings.per_stage_is_longer(workflow), RUNS)
      for workflow in ("Montage", "Statistics")),
    *(Claim(f"on System 2 ASA makes {workflow} shorter than Per-Stage, at every scale", "4.6",
            findings.shorter_than_per_stage(workflow), RUNS)
      for workflow in ("Montage", "Statistics")),
    Claim("the makespans of BLAST differ by at most 2% between strategies", "4.6",
          findings.blast_is_alike, RUNS),
    Claim("waits of Montage grow with its cores", "4.6", findings.waits_grow_with_cores, RUNS),
    Claim("Statistics on 320 or 640 cores takes twice as long under Per-Stage as under Big Job",
          "4.6", findings.sometimes_twice, RUNS),
    Claim("without dependencies Montage on 112 cores waits longer and uses more core-hours",
          "4.5 and 4.6", findings.naive_idles, RUNS),
    Claim("no stage is resubmitted on System 2", "4.8", findings.no_misses, SERIES),
    Claim("larger jobs have fewer misses on System 1", "4.8", findings.misses_fall, SERIES),
    Claim("perceived waits are below real ones on System 2", "4.8", findings.perceived_is_less,
          SERIES),
    Claim("the tuned policy converges to a new wait sooner", "4.4, fig 5", findings.tuned_is_faster,
          CURVES),
    Claim("the tuned policy converges to every wait", "4.4, fig 5", findings.tuned_converges,
          CURVES),
    Claim("the greedy policy fails when the wait drops", "4.4, fig 5", findings.greedy_fails,
          CURVES),
    Claim("regret is within the bound of theorem 1", "Appendix A", findings.bound_holds, GAMES),
    Claim("in Table 1, ASA's makespan of Montage on 56 cores is below Big Job's", "4.6, table 1",
          findings.asa_below_big_job, PRINT),
    Claim("in Table 1, Statistics takes up to twice as long under Per-Stage", "4.6, table 1",
          findings.twice_in_print, PRINT),
    Claim("in Table 1, Big Job always uses more core-hours", "5, table 1",
          findings.big_job_uses_most, PRINT),
    Claim("stages use fewer core-hours if and only if their sum of cores is below Big Job's", "2.2",
          findings.fewer_core_hours_iff, PRINT),
    Claim("hits are shares of 60 submissions", "4.8, table 2", findings.shares_of_sixty, HITS),
)  # fmt: skip
#: kinds of evidence that need a background
QUEUED = (RUNS, SERIES)


def check(kinds: dict[str, object], on_log: bool) -> pd.DataFrame:
    """Compare every claim with the simulated runs.

    `kinds` has, by key, `RUNS`: `findings.Evidence`; `SERIES`: Table 2; `CURVES`: steps of figure
    5; `GAMES`: games of theorem 1; `PRINT` and `HITS`: the published Tables 1 and 2. `on_log`
    states whether the background comes from a log. Columns: claim, where, found, and result (an
    outcome or `NOT_AVAILABLE`).
    """
    checked = claims.check(CLAIMS, {"result": kinds}, "result")
    if not on_log:
        queued = [claim.on in QUEUED for claim in CLAIMS]
        checked.loc[queued, "result"] = NOT_AVAILABLE
    return checked[["claim", "where", "found", "result"]]


def count(checked: pd.DataFrame) -> str:
    """Return a sentence: how many claims hold, which fail and which are undecided."""
    return claims.count(checked, listed=(Outcome.FAILS, Outcome.UNDECIDED))
