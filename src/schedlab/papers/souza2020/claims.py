"""What souza2020 says in words, held against what was run.

Claims of makespans, waits and core-hours are held against means over replicates. On a model's
background nothing of them is held against the paper; figure 5 and theorem 1 need no background.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.papers.souza2020.tables.accuracy import APART, REAL
from schedlab.papers.souza2020.tables.runs import COLUMNS, excess, extra
from schedlab.report import claims
from schedlab.report.claims import Claim, Found
from schedlab.report.verdicts import NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Callable

YES, NO = "yes", "no"
RUNS, SERIES, CURVES, GAMES = "runs", "series", "curves", "games"
SYSTEM1, SYSTEM2 = (28, 56, 112), (160, 320, 640)
#: the paper's numbers: ASA's makespan above Big Job's, its core-hours above Per-Stage's, and below
#: Big Job's, in per cent
MAKESPAN, OPTIMAL, LESS = 2, 0.2, 43
#: numbers that are said to be about so many are within so many points
ABOUT = 5
#: what is negligible, in per cent of the best makespan; how many times as long is twice
NEGLIGIBLE, TWICE = 2, 2
#: a policy has come to a wait when so many of the runs hit it
COME = 0.5


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was run.

    Parameters
    ----------
    table : DataFrame
        Table 1, from `schedlab.papers.souza2020.tables.runs.table1`.
    means : DataFrame
        From `schedlab.papers.souza2020.tables.runs.means`, every strategy.
    """

    table: pd.DataFrame
    means: pd.DataFrame

    def rows(self, workflow: str = "", scales: tuple[int, ...] = ()) -> pd.DataFrame:
        """Return rows of Table 1 of a workflow, and of some scales; all by default."""
        names = self.table["run"].str.split()
        kept = (names.str[0] == workflow) if workflow else names.str[0].notna()
        if scales:
            kept &= names.str[1].astype(int).isin(scales)
        return self.table[kept]


def makespan_near_big_job(one: Evidence) -> Found:
    """Compare makespans over all runs."""
    found = excess(one.table, "makespan", "ASA", "Big Job")
    return f"{found:+.2f}%", found <= MAKESPAN


def core_hours_near_optimal(one: Evidence) -> Found:
    """Compare core-hours with Per-Stage."""
    found = excess(one.table, "CH", "ASA", "Per-Stage")
    return f"{found:+.2f}%", abs(found) <= OPTIMAL


def core_hours_below_big_job(one: Evidence) -> Found:
    """Compare core-hours with Big Job: about 43 % less, within 5 points."""
    found = excess(one.table, "CH", "ASA", "Big Job")
    return f"{found:+.1f}%", abs(-found - LESS) <= ABOUT


def shorter_than_per_stage(workflow: str) -> Callable[[Evidence], Found]:
    """Return the test that ASA's makespan is shorter at every scale of System 2."""

    def test(one: Evidence) -> Found:
        own = one.rows(workflow, SYSTEM2)
        change = 100 * (own["ASA makespan"] / own["Per-Stage makespan"] - 1)
        said = [f"{run} {by:+.1f}%" for run, by in zip(own["run"], change, strict=True)]
        return ", ".join(said), bool((change < 0).all())

    return test


def per_stage_is_longer(workflow: str) -> Callable[[Evidence], Found]:
    """Return the test that Per-Stage takes longer than Big Job, in the mean over scales."""

    def test(one: Evidence) -> Found:
        own = one.rows(workflow)
        found = float(100 * (own["Per-Stage makespan"] / own["Big Job makespan"] - 1).mean())
        return f"{found:+.1f}%", found > 0

    return test


def blast_is_alike(one: Evidence) -> Found:
    """Compare makespans of BLAST: no strategy is 2 % above the best in the mean over scales."""
    over = extra(one.rows("BLAST"))[[name for name in COLUMNS if "makespan" in name]].mean()
    said = ", ".join(f"{name.removesuffix(' makespan')} {by:+.2f}%" for name, by in over.items())
    return said, bool((over <= NEGLIGIBLE).all())


def system2_waits_longer(one: Evidence) -> Found:
    """Compare waits of the systems."""
    first = one.rows(scales=SYSTEM1)["Big Job TWT"].mean()
    second = one.rows(scales=SYSTEM2)["Big Job TWT"].mean()
    return f"System 1 {first:,.0f} s, System 2 {second:,.0f} s", second > first


def waits_grow_with_cores(one: Evidence) -> Found:
    """Compare the Big Jobs of Montage."""
    own = one.rows("Montage")
    waits = own["Big Job TWT"]
    said = ", ".join(f"{run} {wait:,.0f} s" for run, wait in zip(own["run"], waits, strict=True))
    return said, bool(waits.is_monotonic_increasing)


def sometimes_twice(one: Evidence) -> Found:
    """Compare Statistics on 320 and 640 cores under Per-Stage and Big Job."""
    own = one.rows("Statistics", (320, 640))
    times = own["Per-Stage makespan"] / own["Big Job makespan"]
    said = ", ".join(f"{run} {by:.2f} times" for run, by in zip(own["run"], times, strict=True))
    return said, bool((times >= TWICE).any())


def naive_idles(one: Evidence) -> Found:
    """Compare Montage on 112 cores under ASA and ASA Naive: waits and core-hours."""
    own = one.means
    own = own[(own["workflow"] == "Montage") & (own["scale"] == 112) & (own["estimator"] == "ASA")]
    held = own.set_index("strategy")
    asa, naive = held.loc["ASA"], held.loc["ASA Naive"]
    said = (
        f"waits {asa['twt']:,.0f} and {naive['twt']:,.0f} s, core-hours {asa['core_hours']:.2f} "
        f"and {naive['core_hours']:.2f}"
    )
    return said, bool(naive["twt"] > asa["twt"] and naive["core_hours"] > asa["core_hours"])


def _series(table: pd.DataFrame, scales: tuple[int, ...]) -> pd.DataFrame:
    own = table[table["spacing"] == APART]
    return own[own["run"].str.split().str[1].astype(int).isin(scales)]


def no_misses(table: pd.DataFrame) -> Found:
    """Count misses on System 2, of runs that have stages submitted ahead on all cores."""
    own = _series(table, SYSTEM2)
    return f"misses {own['miss'].min():.1f} to {own['miss'].max():.1f}%", own["miss"].max() == 0


def misses_fall(table: pd.DataFrame) -> Found:
    """Compare shares of misses on 28 and 112 cores of System 1, in the mean over workflows."""
    scale = table["run"].str.split().str[1].astype(int)
    own = table[table["spacing"] == APART].groupby(scale)["miss"].mean()
    return f"28 cores {own[28]:.1f}%, 112 cores {own[112]:.1f}%", own[112] < own[28]


def perceived_is_less(table: pd.DataFrame) -> Found:
    """Compare perceived waits with real ones of the same stages on System 2."""
    own = _series(table, SYSTEM2).dropna(subset=["PWT"])
    said = f"real {own[REAL].mean():.2f} h, perceived {own['PWT'].mean():.2f} h"
    return said, bool((own["PWT"] < own[REAL]).all())


def tuned_is_faster(steps: pd.DataFrame) -> Found:
    """Compare shares of hits in the first cases after a change."""
    early = steps.groupby("policy")["early"].mean()
    said = f"tuned {100 * early['tuned']:.0f}%, default {100 * early['default']:.0f}%"
    return said, early["tuned"] > early["default"]


def tuned_converges(steps: pd.DataFrame) -> Found:
    """Count waits that more than half of the tuned learners hit in the end."""
    own = steps[steps["policy"] == "tuned"]["late"]
    return f"{(own > COME).sum()} of {len(own)} waits", bool((own > COME).all())


def greedy_fails(steps: pd.DataFrame) -> Found:
    """See whether the greedy policy hits the wait after the first drop of it, in the end."""
    own = steps[steps["policy"] == "Greedy"]
    dropped = own[own["wait"].diff() < 0]
    said = ", ".join(f"{row.wait} s {100 * row.late:.0f}%" for row in dropped.itertuples())
    return f"hits after a drop to {said}", bool((dropped["late"] <= COME).all())


def bound_holds(games: pd.DataFrame) -> Found:
    """Count the games in which the bound held as often as said."""
    holds = (games["holds"] == YES).sum()
    return f"{holds} of {len(games)} games", holds == len(games)


CLAIMS = (
    Claim("ASA's makespan is at most 2% above Big Job's", "6", makespan_near_big_job, RUNS),
    Claim("ASA's core-hours are within 0.2% of Per-Stage's", "6", core_hours_near_optimal, RUNS),
    Claim(
        "ASA's core-hours are about 43% below Big Job's: within 5 points",
        "6",
        core_hours_below_big_job,
        RUNS,
    ),
    *(
        Claim(
            f"{workflow} takes longer under Per-Stage than under Big Job",
            "4.7, table 1",
            per_stage_is_longer(workflow),
            RUNS,
        )
        for workflow in ("Montage", "Statistics")
    ),
    *(
        Claim(
            f"on System 2 ASA makes {workflow} shorter than Per-Stage, at every scale",
            "4.6",
            shorter_than_per_stage(workflow),
            RUNS,
        )
        for workflow in ("Montage", "Statistics")
    ),
    Claim("for BLAST strategies differ by at most 2%", "4.6", blast_is_alike, RUNS),
    Claim("waits are longer on System 2", "4.6", system2_waits_longer, RUNS),
    Claim("waits of Montage grow with its cores", "4.6", waits_grow_with_cores, RUNS),
    Claim(
        "Statistics on 320 or 640 cores takes twice as long under Per-Stage as under Big Job",
        "4.6",
        sometimes_twice,
        RUNS,
    ),
    Claim(
        "without dependencies Montage on 112 cores waits longer and uses more core-hours",
        "4.5 and 4.6",
        naive_idles,
        RUNS,
    ),
    Claim("nothing is submitted anew on System 2", "4.8", no_misses, SERIES),
    Claim("larger jobs miss less on System 1", "4.8", misses_fall, SERIES),
    Claim("perceived waits are below real ones on System 2", "4.8", perceived_is_less, SERIES),
    Claim("the tuned policy comes to a new wait sooner", "4.4, fig 5", tuned_is_faster, CURVES),
    Claim("the tuned policy comes to every wait", "4.4, fig 5", tuned_converges, CURVES),
    Claim("the greedy policy fails when the wait drops", "4.4, fig 5", greedy_fails, CURVES),
    Claim("regret is within the bound of theorem 1", "Appendix A", bound_holds, GAMES),
)
#: kinds that need a background
QUEUED = (RUNS, SERIES)


def check(kinds: dict[str, object], held: bool) -> pd.DataFrame:
    """Hold every claim against what was run.

    Parameters
    ----------
    kinds : dict of str to object
        `RUNS`: Evidence; `SERIES`: Table 2; `CURVES`: steps of figure 5; `GAMES`: of theorem 1.
    held : bool
        Whether the background is a log's.

    Returns
    -------
    DataFrame
        claim, where, measured, holds: yes, no, or `NOT_AT_HAND`; what was found is shown.
    """
    found = claims.check(CLAIMS, {"holds": kinds}, "holds", (YES, NO), NOT_AT_HAND)
    if not held:
        queued = [claim.on in QUEUED for claim in CLAIMS]
        found.loc[queued, "holds"] = NOT_AT_HAND
    return found.rename(columns={"found": "measured"})[["claim", "where", "measured", "holds"]]


def count(checked: pd.DataFrame) -> str:
    """Say how many claims hold and which fail."""
    said = checked[checked["holds"].isin([YES, NO])]
    if said.empty:
        return "No claim was tested."
    failed = said[said["holds"] == NO]
    text = f"{len(said) - len(failed)} of {len(said)} claims hold."
    if len(failed):
        text += " Those that fail: "
        text += "; ".join(f"{row.claim} ({row.measured})" for row in failed.itertuples()) + "."
    return text
