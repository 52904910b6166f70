"""What klusacek2016 says in words, held against what was run.

What the paper says of its production periods and of its simulation is held against the runs of one
whole log, with recorded users and with users that react, by node and by cluster; what it says of
Table 1 against our sets. Means over the seeds of Plan-RS are compared with Orig-BF as they are; the
interval over the seeds is told beside them. A claim that does not hold is said to fail like any
other. On a stand-in for the log nothing is held against the paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.papers.klusacek2016.measures import NAMES, ORIG, PLAN
from schedlab.papers.klusacek2016.tables.sets import BESIDE, CHANGES
from schedlab.planning.settings import Search
from schedlab.report import claims
from schedlab.report.claims import Claim, Found
from schedlab.report.verdicts import NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from schedlab.papers.klusacek2016.evidence import Evidence
    from schedlab.papers.klusacek2016.measures import Ran

YES, NO = "yes", "no"
#: a share of users, jobs or moves that is most of them; how small a decent improvement is
MOST, DECENT = 0.5, 0.02
#: how much worse a mean may be and still be very close
CLOSE = 0.10
#: share of the users of whom the paper says that they wait less than they compute, about
FAIR_USERS, ABOUT = 97, 2
SETS, RUNS, MOVES = "sets", "runs", "moves"


def _lower(measure: str, words: str, decimals: int) -> Callable[[Evidence], Found]:
    """Return the test that Plan-RS lowers a measure."""

    def test(one: Evidence) -> Found:
        before, after = one.mean(ORIG, measure), one.mean(PLAN, measure)
        return _said(one, measure, words, decimals), after < before

    return test


def _said(one: Evidence, measure: str, words: str, decimals: int) -> str:
    numbers = [
        f"{name} {one.mean(scheduler, measure):,.{decimals}f}" for scheduler, name in NAMES.items()
    ]
    said = f"{words}: {', '.join(numbers)}"
    change, low, high = one.change(measure)
    if np.isnan(change):
        return said
    ends = f" ({low:+.1f} to {high:+.1f})" if np.isfinite(low) else ""
    return f"{said}: {change:+.1f}%{ends}"


def _shares(one: Evidence, of: Callable[[Ran], ArrayLike]) -> tuple[str, list[float]]:
    """Return under each scheduler the per cent of jobs or users of which something is true."""
    shares = [one.share(scheduler, of) for scheduler in NAMES]
    named = zip(NAMES.values(), shares, strict=True)
    return ", ".join(f"{name} {share:.1f}%" for name, share in named), shares


def _lowers_everywhere(measure: str) -> Callable[[Sequence[Evidence]], Found]:
    """Return the test that Plan-RS lowers a measure on every set."""

    def test(sets: Sequence[Evidence]) -> Found:
        changes = {one.row["label"]: one.change(measure)[0] for one in sets}
        said = [
            f"{label} {'nobody waits' if np.isnan(change) else f'{change:+.1f}%'}"
            for label, change in changes.items()
        ]
        return ", ".join(said), all(change < 0 for change in changes.values())

    return test


def utilisation_rises(one: Evidence) -> Found:
    """Compare utilisation."""
    said = _said(one, "utilisation", "utilisation", 4)
    return said, one.mean(PLAN, "utilisation") > one.mean(ORIG, "utilisation")


def fairness_not_worse(one: Evidence) -> Found:
    """Compare the mean over users of NUWT: no worse, or very close."""
    before, after = one.mean(ORIG, "nuwt"), one.mean(PLAN, "nuwt")
    return _said(one, "nuwt", "mean NUWT", 5), after <= (1 + CLOSE) * before


def most_users_are_treated_fairly(one: Evidence) -> Found:
    """Count users who waited less than they computed, under both."""
    said, shares = _shares(one, lambda ran: ran.nuwt < 1)
    return said, all(share >= FAIR_USERS - ABOUT for share in shares)


def nuwt_falls_across_users(one: Evidence) -> Found:
    """Count, of users who wait at all, those with a lower NUWT under Plan-RS."""
    users = pd.concat([ran.nuwt for ran in one.runs[PLAN]], axis=1).mean(axis=1)
    before = one.runs[ORIG][0].nuwt.reindex(users.index)
    waiting = (users > 0) | (before > 0)
    lower, count = int((users < before)[waiting].sum()), int(waiting.sum())
    return f"{lower} of {count} users who wait", lower > MOST * count


def shorter_waits_are_alike(one: Evidence) -> Found:
    """Compare the share of jobs that wait less than the mean wait of Plan-RS."""
    mean = one.mean(PLAN, "wait")
    said, shares = _shares(one, lambda ran: ran.wait < mean)
    return f"wait less than {mean:,.0f} s: {said}", abs(np.subtract(*shares)) <= ABOUT


def most_moves_are_for_fairness(moves: pd.DataFrame) -> Found:
    """Count accepted moves of whose gain fairness, by its weight, is the larger part."""
    gain = Search().fairness * moves["fairness"]
    share = float((gain > moves["gain"] - gain).mean())
    return f"{100 * share:.1f}% of {len(moves):,} accepted moves", share > MOST


def most_moves_are_small(moves: pd.DataFrame) -> Found:
    """Count improvements of wait, and of fairness, of less than 2 per cent."""
    shares = {
        name: float((moves.loc[moves[name] > 0, name] < DECENT).mean())
        for name in ("wait", "fairness")
    }
    said = ", ".join(f"{name} {100 * share:.1f}%" for name, share in shares.items())
    return said, all(share > MOST for share in shares.values())


CLAIMS = (
    *(
        Claim(
            f"Plan-RS lowers the mean {measure} in every set",
            "4.2, table 1",
            _lowers_everywhere(measure),
            SETS,
        )
        for measure in CHANGES.values()
    ),
    Claim("Plan-RS raises utilisation", "4.1, fig 1", utilisation_rises, RUNS),
    Claim("Plan-RS lowers the mean wait", "4.1 and 4.3, fig 1 and 6", _lower("wait", "s", 0), RUNS),
    Claim(
        "Plan-RS lowers the deviation of waits",
        "4.1, fig 1",
        _lower("wait_sd", "s", 0),
        RUNS,
    ),
    Claim(
        "Plan-RS lowers the mean bounded slowdown",
        "4.1 and 4.3, fig 1 and 6",
        _lower("slowdown", "slowdown", 2),
        RUNS,
    ),
    Claim(
        "Plan-RS lowers the deviation of slowdowns",
        "4.1, fig 1",
        _lower("slowdown_sd", "slowdown", 2),
        RUNS,
    ),
    Claim(
        "the same share of jobs waits less than the mean wait of Plan-RS: within 2 points",
        "4.3, fig 6",
        shorter_waits_are_alike,
        RUNS,
    ),
    Claim(
        "fairness is very close or better: mean NUWT at most 10% higher",
        "4.1, fig 3",
        fairness_not_worse,
        RUNS,
    ),
    Claim(
        "about 97% of users have a NUWT below 1: at least 95%",
        "4.1, fig 3",
        most_users_are_treated_fairly,
        RUNS,
    ),
    Claim("Plan-RS lowers the mean NUWT", "4.3, fig 7", _lower("nuwt", "NUWT", 5), RUNS),
    Claim("Plan-RS lowers the deviation of NUWT", "4.3, fig 7", _lower("nuwt_sd", "NUWT", 5), RUNS),
    Claim(
        "Plan-RS lowers NUWT across the users: of most who wait at all",
        "4.3, fig 7",
        nuwt_falls_across_users,
        RUNS,
    ),
    Claim(
        "Plan-RS has fewer users who complain",
        "4.3, fig 8",
        _lower("complaining", "users", 2),
        RUNS,
    ),
    Claim(
        "Plan-RS has fewer complaints", "4.3, fig 8", _lower("complaints", "complaints", 2), RUNS
    ),
    Claim(
        "Plan-RS has less to complain of: the sum of the sizes of complaints",
        "4.3, fig 8",
        _lower("size", "sizes", 2),
        RUNS,
    ),
    Claim(
        "moves are mostly accepted for fairness: it is the larger part of the gain of most of them",
        "4.1, fig 4",
        most_moves_are_for_fairness,
        MOVES,
    ),
    Claim(
        "most improvements by accepted moves are below 2%",
        "4.1, fig 4",
        most_moves_are_small,
        MOVES,
    ),
)


def check(
    sets: Sequence[Evidence], logs: Sequence[Evidence], moves: dict[str, pd.DataFrame]
) -> pd.DataFrame:
    """Hold every claim against every experiment.

    Parameters
    ----------
    sets : sequence of Evidence
        Those of Table 1.
    logs : sequence of Evidence
        Those of whole logs.
    moves : dict of str to DataFrame
        Accepted moves of the whole logs whose moves were kept, by their experiment's name.

    Returns
    -------
    DataFrame
        experiment, ran_on, claim, where, measured, holds: a row per claim and experiment, yes or
        no, or `NOT_AT_HAND` where nothing ran, or a stand-in did: what was found is shown.
    """
    beside = [one for one in sets if one.row["label"] in BESIDE.values()]
    own = [one for one in sets if one.row["label"] not in BESIDE.values()]
    bodies = {"sets of Table 1": own, "sets beside those of Zewura": beside}
    rows = [_checked(label, body, {SETS: body}) for label, body in bodies.items() if body]
    for one in logs:
        kinds: dict[str, object] = {RUNS: one}
        if one.row["experiment"] in moves:
            kinds[MOVES] = moves[one.row["experiment"]]
        rows.append(_checked(one.row["label"], [one], kinds))
    return pd.concat(rows, ignore_index=True)


def _checked(label: str, ran: Sequence[Evidence], kinds: dict[str, object]) -> pd.DataFrame:
    """Hold the claims of these kinds against one body of evidence."""
    own = [claim for claim in CLAIMS if claim.on in kinds]
    there = kinds if all(map(len, ran)) else {}
    checked = claims.check(own, {"holds": there}, "holds", (YES, NO), NOT_AT_HAND)
    sources = ", ".join(dict.fromkeys(one.row["source"] for one in ran))
    checked = checked.assign(experiment=label, ran_on=sources)
    if not all(one.held for one in ran):
        checked["holds"] = NOT_AT_HAND
    columns = ["experiment", "ran_on", "claim", "where", "found", "holds"]
    return checked[columns].rename(columns={"found": "measured"})


def count(checked: pd.DataFrame) -> str:
    """Say how many claims hold and which fail."""
    said = checked[checked["holds"].isin([YES, NO])]
    if said.empty:
        return "No claim was tested: nothing ran on the paper's logs."
    failed = said[said["holds"] == NO]
    text = f"{len(said) - len(failed)} of {len(said)} claims hold."
    if len(failed):
        each = (f"{row.experiment}, {row.claim} ({row.measured})" for row in failed.itertuples())
        text += f" Those that fail: {'; '.join(each)}."
    return text
