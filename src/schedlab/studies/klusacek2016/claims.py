"""Test the statements of klusacek2016 on the simulated runs.

Statements on production periods and on the simulation are tested on the runs of one whole log, with
recorded and reacting users, by node and by cluster. Statements on Table 1 are tested on the
computed sets, statements on the search on accepted moves and measured times.

Means over the seeds of Plan-RS are compared with Orig-BF. A claim is undecided if the 95 % interval
over the seeds includes both the claimed change and none, or the opposite. For claims on most users,
moves or plans, the exact binomial interval of their share decides. On a model in place of the log
no claim is tested.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import binomtest

from schedlab.core.intervals import LEVEL, mean_interval
from schedlab.core.streams import generator
from schedlab.files.stand_ins import listed
from schedlab.planning.settings import Search
from schedlab.report import claims
from schedlab.report.claims import Claim, Found, all_of, side_of, side_within
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016.evidence import Evidence, mean_change
from schedlab.studies.klusacek2016.figure_data import HOUR, LIMITS, LONGER, by_seed
from schedlab.studies.klusacek2016.metrics import NAMES, ORIG, PLAN, SchedulerRun
from schedlab.studies.klusacek2016.sheet import PAPER
from schedlab.studies.klusacek2016.tables.sets import CHANGES, SHOWN_FOR

#: a share above which users, jobs or moves are most; the size of a decent improvement
MOST, DECENT = 0.5, 0.02
#: relative increase of a mean that still counts as very close
CLOSE = 0.10
#: percent of users that, in the paper, wait less than they compute, and the tolerance in points
FAIR_USERS, ABOUT = 97, 2
SETS, RUNS, MOVES, COSTS = "sets", "runs", "moves", "costs"
#: seconds above which a requested time is long; the class of long jobs that the paper excepts
LONG, EXCEPTION = 4 * HOUR, LIMITS[7 * 24 * HOUR]


def _lower(measure: str, label: str, decimals: int) -> Callable[[Evidence], Found]:
    """Return the test that Plan-RS lowers a metric."""

    def test(evidence: Evidence) -> Found:
        return _means_text(evidence, measure, label, decimals), below(evidence.change(measure), 0)

    return test


def below(change: tuple[float, float, float], bound: float) -> bool | None:
    """Whether a change lies below a bound; None if its interval does not decide.

    Examples
    --------
    >>> below((-5, -9, -1), 0), below((-5, -9, 1), 0), below((4, 1, 9), 0)
    (True, None, False)

    A single run has no interval and decides alone; if the value was 0 before, the result is
    undecided:

    >>> below((-5, float("-inf"), float("inf")), 0), below((float("nan"),) * 3, 0)
    (True, None)
    """
    change, low, high = change
    if np.isnan(change):
        return None
    if not np.isfinite(low):
        low = high = change
    if high < bound:
        return True
    return False if low > bound or low == high else None


def _means_text(evidence: Evidence, measure: str, label: str, decimals: int) -> str:
    numbers = [
        f"{name} {evidence.mean(scheduler, measure):,.{decimals}f}"
        for scheduler, name in NAMES.items()
    ]
    text = f"{label}: {', '.join(numbers)}"
    change, low, high = evidence.change(measure)
    if np.isnan(change):
        return text
    ends = f" ({low:+.1f} to {high:+.1f})" if np.isfinite(low) else ""
    return f"{text}: {change:+.1f}%{ends}"


def _shares(
    evidence: Evidence, of: Callable[[SchedulerRun], ArrayLike], *key: str
) -> tuple[str, float, tuple[float, float, float]]:
    """Return the percentage of jobs or users that meet a condition, under each scheduler.

    Returns both percentages as text, the percentage under Orig-BF, and the mean over the seeds of
    Plan-RS with its 95 % interval. With one seed both ends are the percentage itself.
    """
    before, after = (evidence.share(scheduler, of) for scheduler in NAMES)
    values = np.array([100 * float(np.mean(of(ran))) for ran in evidence.runs[PLAN]])
    low, high = mean_interval(values, generator(PAPER, "claims", evidence.row["experiment"], *key))
    ends = (low, high) if np.isfinite(low) else (after, after)
    shares = zip(NAMES.values(), (before, after), strict=True)
    text = ", ".join(f"{name} {share:.1f}%" for name, share in shares)
    return text, before, (after, *ends)


def _majority(true: int, count: int) -> bool | None:
    """Return whether most cases are true, by the exact binomial 95 % interval of their share.

    Examples
    --------
    With 39 users, 27 are a significant majority and 26 are not:

    >>> _majority(27, 39), _majority(26, 39), _majority(12, 39)
    (True, None, False)
    """
    if not count:
        return None
    ends = binomtest(true, count).proportion_ci(LEVEL, method="exact")
    return side_of(ends.low, ends.high, MOST)


def _lowers_everywhere(measure: str) -> Callable[[Sequence[Evidence]], Found]:
    """Return the test that Plan-RS lowers a metric on every set."""

    def test(sets: Sequence[Evidence]) -> Found:
        changes = {one.row["name"]: one.change(measure)[0] for one in sets}
        changes_text = [
            f"{label} {'no job waits' if np.isnan(change) else f'{change:+.1f}%'}"
            for label, change in changes.items()
        ]
        return listed(changes_text), all_of(below(one.change(measure), 0) for one in sets)

    return test


def utilisation_rises(evidence: Evidence) -> Found:
    """Test that Plan-RS raises utilization."""
    fallen = below(evidence.change("utilisation"), 0)
    rises = evidence.mean(PLAN, "utilisation") > evidence.mean(ORIG, "utilisation")
    return _means_text(evidence, "utilisation", "utilization", 4), None if fallen is None else rises


def fairness_not_worse(evidence: Evidence) -> Found:
    """Test that the mean NUWT over users is no worse or very close."""
    change, low, high = evidence.change("nuwt")
    exact = (low == high or not np.isfinite(low)) and change <= 100 * CLOSE + 1e-9
    return _means_text(evidence, "nuwt", "mean NUWT", 5), exact or below(
        (change, low, high), 100 * CLOSE
    )


def most_users_are_treated_fairly(evidence: Evidence) -> Found:
    """Test that about 97 % of users waited less than they computed, under both schedulers."""
    text, before, (_, low, high) = _shares(evidence, lambda ran: ran.nuwt < 1, "fair users")
    least = FAIR_USERS - ABOUT
    return text, all_of([before >= least, side_within(low, high, (least, 100))])


def nuwt_falls_across_users(evidence: Evidence) -> Found:
    """Test that most users who wait at all have a lower NUWT under Plan-RS: a sign test."""
    users = pd.concat([ran.nuwt for ran in evidence.runs[PLAN]], axis=1).mean(axis=1)
    before = evidence.runs[ORIG][0].nuwt.reindex(users.index)
    waiting = (users > 0) | (before > 0)
    lower, count = int((users < before)[waiting].sum()), int(waiting.sum())
    return f"{lower} of {count} users whose jobs wait", _majority(lower, count)


def shorter_waits_are_alike(evidence: Evidence) -> Found:
    """Test that equal shares of jobs wait less than the mean wait of Plan-RS."""
    mean = evidence.mean(PLAN, "wait")
    text, before, (_, low, high) = _shares(evidence, lambda ran: ran.wait < mean, "shorter waits")
    alike = side_within(low - before, high - before, (-ABOUT, ABOUT))
    return f"wait less than {mean:,.0f} s: {text}", alike


def most_moves_are_for_fairness(moves: pd.DataFrame) -> Found:
    """Test that weighted fairness is the larger part of the gain of most accepted moves."""
    gain = Search().fairness * moves["fairness"]
    larger = int((gain > moves["gain"] - gain).sum())
    share = 100 * larger / len(moves) if len(moves) else 0.0
    return f"{share:.1f}% of {len(moves):,} accepted moves", _majority(larger, len(moves))


def most_moves_are_small(moves: pd.DataFrame) -> Found:
    """Test that most improvements of wait, and of fairness, are below 2 percent."""
    parts, small = [], []
    for name in ("wait", "fairness"):
        improved = moves.loc[moves[name] > 0, name]
        below_it = int((improved < DECENT).sum())
        parts.append(f"{name} {100 * below_it / max(len(improved), 1):.1f}%")
        small.append(_majority(below_it, len(improved)))
    return ", ".join(parts), all_of(small)


def class_changes(evidence: Evidence, by: str) -> dict[str, tuple[float, float, float]]:
    """Return the change of the mean wait of each class of jobs, with its interval over the seeds.

    `by` is "processors" or "walltime", as in `figure_data.by_class`.
    """
    orig, *plans = (by_seed(ran, by) for scheduler in NAMES for ran in evidence.runs[scheduler])
    table = pd.DataFrame(plans)
    return {
        name: mean_change(orig[name], table[name].to_numpy(), evidence.row["experiment"], by, name)
        for name in orig.index
    }


def most_classes_wait_less(evidence: Evidence) -> Found:
    """Test that most classes by processors have a shorter mean wait."""
    less = [below(change, 0) for change in class_changes(evidence, "processors").values()]
    lower, higher = less.count(True), less.count(False)
    text = f"{lower} of {len(less)} classes wait less, {higher} more"
    decided = max(lower, higher) > MOST * len(less)
    return text, lower > higher if decided else None


def long_classes_wait_less(evidence: Evidence) -> Found:
    """Test that classes that request more than 4 hours wait less, except 2 to 7 days."""
    changes = class_changes(evidence, "walltime")
    names = [LIMITS[limit] for limit in LIMITS if limit > LONG] + [LONGER]
    long_changes = {name: changes[name] for name in names if name in changes}
    less = [below(change, 0) for name, change in long_changes.items() if name != EXCEPTION]
    text = ", ".join(f"{name} {change:+.1f}%" for name, (change, *_) in long_changes.items())
    return text or "no such jobs", all_of(less) if less else None


def an_iteration_takes_two_updates(costs: pd.DataFrame) -> Found:
    """Test that for most plans one iteration takes at least twice as long as an update."""
    twice = int((costs["iteration"] >= 2 * costs["update"]).sum())
    share = 100 * twice / len(costs) if len(costs) else 0.0
    return f"{share:.1f}% of {len(costs):,} plans", _majority(twice, len(costs))


CLAIMS = (
    *(Claim(f"Plan-RS lowers the mean {measure} in every set", "4.2, table 1",
            _lowers_everywhere(measure), SETS)
      for measure in CHANGES.values()),
    Claim("Plan-RS raises utilization", "4.1, fig 1", utilisation_rises, RUNS),
    Claim("Plan-RS lowers the mean wait", "4.1 and 4.3, fig 1 and 6", _lower("wait", "s", 0), RUNS),
    Claim("Plan-RS lowers the deviation of waits", "4.1, fig 1", _lower("wait_sd", "s", 0), RUNS),
    Claim("Plan-RS lowers the mean bounded slowdown", "4.1 and 4.3, fig 1 and 6",
          _lower("slowdown", "slowdown", 2), RUNS),
    Claim("Plan-RS lowers the deviation of slowdowns", "4.1, fig 1",
          _lower("slowdown_sd", "slowdown", 2), RUNS),
    Claim("most classes of jobs by processors wait less", "4.1, fig 2", most_classes_wait_less,
          RUNS),
    Claim("jobs that request more than 4 h wait less, except those of 2 to 7 days", "4.1, fig 2",
          long_classes_wait_less, RUNS),
    Claim("equal shares of jobs wait less than the mean wait of Plan-RS: within 2 points",
          "4.3, fig 6", shorter_waits_are_alike, RUNS),
    Claim("fairness is very close or better: mean NUWT at most 10% higher", "4.1, fig 3",
          fairness_not_worse, RUNS),
    Claim("about 97% of users have a NUWT below 1: at least 95%", "4.1, fig 3",
          most_users_are_treated_fairly, RUNS),
    Claim("Plan-RS lowers the mean NUWT", "4.3, fig 7", _lower("nuwt", "NUWT", 5), RUNS),
    Claim("Plan-RS lowers the deviation of NUWT", "4.3, fig 7", _lower("nuwt_sd", "NUWT", 5), RUNS),
    Claim("Plan-RS lowers the NUWT of most users whose jobs wait", "4.3, fig 7",
          nuwt_falls_across_users, RUNS),
    Claim("Plan-RS has fewer users who complain", "4.3, fig 8", _lower("complaining", "users", 2),
          RUNS),
    Claim("Plan-RS has fewer complaints", "4.3, fig 8", _lower("complaints", "complaints", 2),
          RUNS),
    Claim("Plan-RS has a smaller sum of complaint sizes", "4.3, fig 8", _lower("size", "sizes", 2),
          RUNS),
    Claim("most moves are accepted for fairness: it is the larger part of their gain", "4.1, fig 4",
          most_moves_are_for_fairness, MOVES),
    Claim("most improvements by accepted moves are below 2%", "4.1, fig 4", most_moves_are_small,
          MOVES),
    Claim("for most plans, an iteration of the search takes at least twice as long as an update",
          "4.1, fig 5", an_iteration_takes_two_updates, COSTS),
)  # fmt: skip


def check(
    sets: Sequence[Evidence],
    logs: Sequence[Evidence],
    moves: dict[str, pd.DataFrame],
    costs: dict[str, pd.DataFrame] | None = None,
) -> pd.DataFrame:
    """Test every claim on every experiment, and return one row per claim and experiment.

    `sets` are the sets of Table 1, `logs` the whole logs. `moves` (accepted moves, if stored) and
    `costs` (backfill, update and iteration in µs) are keyed by experiment name. Columns:
    experiment, ran_on, claim, where, found, result. A result is an outcome, or `NOT_AVAILABLE` if
    nothing ran or a model ran in place of a log.
    """
    substitutes = [one for one in sets if one.row["label"] in SHOWN_FOR.values()]
    table1_sets = [one for one in sets if one.row["label"] not in SHOWN_FOR.values()]
    bodies = {"sets of Table 1": table1_sets, "sets in place of those of Zewura": substitutes}
    rows = [_check_kinds(label, body, {SETS: body}) for label, body in bodies.items() if body]
    for evidence in logs:
        name, kinds = evidence.row["experiment"], {RUNS: evidence}
        found = ((MOVES, moves), (COSTS, costs or {}))
        kinds |= {kind: by_name[name] for kind, by_name in found if name in by_name}
        rows.append(_check_kinds(evidence.row["label"], [evidence], kinds))
    return pd.concat(rows, ignore_index=True)


def _check_kinds(label: str, ran: Sequence[Evidence], kinds: dict[str, object]) -> pd.DataFrame:
    """Test the claims of these kinds on one body of evidence."""
    claims_tested = [claim for claim in CLAIMS if claim.on in kinds]
    available = kinds if all(map(len, ran)) else {}
    checked = claims.check(claims_tested, {"result": available}, "result")
    sources = ", ".join(dict.fromkeys(one.row["source"] for one in ran))
    checked = checked.assign(experiment=label, ran_on=sources)
    if not all(one.on_log for one in ran):
        checked["result"] = NOT_AVAILABLE
    return checked[["experiment", "ran_on", "claim", "where", "found", "result"]]


def count(checked: pd.DataFrame) -> str:
    """Return how many claims hold and which fail."""
    return claims.count(checked, "{experiment}, {claim}")
