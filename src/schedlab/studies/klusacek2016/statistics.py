"""Statistics of the simulated runs of klusacek2016 that its claims.tsv names.

Statements on production periods and on the simulation are tested on the runs of one whole log, with
recorded and reacting users, by node and by cluster. Statements on Table 1 are tested on the
computed sets, statements on the search on accepted moves and measured times.

Means over the seeds of Plan-RS are compared with Orig-BF. A claim is undecided if the 95 % interval
over the seeds includes both the claimed change and none, or the opposite. For claims on most users,
moves or plans, the exact binomial interval of their share decides. On a model in place of the log
no claim is tested.
"""

from collections.abc import Callable, Mapping, Sequence
from sys import modules
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import binomtest

from schedlab.core.intervals import LEVEL, mean_interval
from schedlab.core.streams import generator
from schedlab.files.stand_ins import listed
from schedlab.planning.settings import Search
from schedlab.report.claims import (
    Claim,
    Facts,
    Interval,
    StandIn,
    below,
    check_results,
    counted,
    read_claims,
)
from schedlab.report.items import From, item, resource
from schedlab.report.parts import Table
from schedlab.studies.klusacek2016 import inputs
from schedlab.studies.klusacek2016.evidence import (
    NAMES,
    ORIG,
    PLAN,
    Evidence,
    SchedulerRun,
    mean_change,
    read_evidence,
)
from schedlab.studies.klusacek2016.figure_data import HOUR, LIMITS, LONGER, by_seed
from schedlab.studies.klusacek2016.inputs import Moves, NodeRows, results_of, rows_of
from schedlab.studies.klusacek2016.sheet import PAPER
from schedlab.studies.klusacek2016.tables.sets import SHOWN_FOR

SETS, RUNS, MOVES, COSTS = "sets", "runs", "moves", "costs"
#: seconds above which a requested time is long; the class of long jobs that the paper excepts
LONG, EXCEPTION = 4 * HOUR, LIMITS[7 * 24 * HOUR]


def means(evidence: Evidence, metric: str) -> Facts:
    """Return the means of a metric under each scheduler, and the change with its interval."""
    parts = [
        {"scheduler": name, "mean": evidence.mean(scheduler, metric)}
        for scheduler, name in NAMES.items()
    ]
    change = Interval(*evidence.change(metric))
    text = "" if np.isnan(change.mean) else f": {change.mean:+.1f}%"
    if text and np.isfinite(change.low):
        text += f" ({change.low:+.1f} to {change.high:+.1f})"
    return {"parts": parts, "change": change, "change_text": text}


def changes_by_set(sets: Sequence[Evidence], metric: str) -> Facts:
    """Return the change of a metric on every set."""
    changes = {one.row["name"]: one.change(metric) for one in sets}
    texts = [
        f"{label} {'no job waits' if np.isnan(change[0]) else f'{change[0]:+.1f}%'}"
        for label, change in changes.items()
    ]
    parts = [{"change": Interval(*change)} for change in changes.values()]
    return {"parts": parts, "changes": listed(texts)}


def _shares(evidence: Evidence, of: Callable[[SchedulerRun], ArrayLike], *key: str) -> Facts:
    """Return the percentage of jobs or users that meet a condition, under each scheduler.

    That of Plan-RS is the mean over the seeds with its interval; with one seed both ends are the
    percentage itself.
    """
    before, after = (evidence.share(scheduler, of) for scheduler in NAMES)
    values = np.array([100 * float(np.mean(of(ran))) for ran in evidence.runs[PLAN]])
    low, high = mean_interval(values, generator(PAPER, "claims", evidence.row["experiment"], *key))
    low, high = (low, high) if np.isfinite(low) else (after, after)
    parts = [
        {"scheduler": name, "percent": percent}
        for name, percent in zip(NAMES.values(), (before, after), strict=True)
    ]
    difference = Interval(after - before, low - before, high - before)
    after = Interval(after, low, high)
    return {"parts": parts, "before": before, "after": after, "difference": difference}


def fair_users(evidence: Evidence) -> Facts:
    """Return the percentages of users that waited less than they computed."""
    return _shares(evidence, lambda ran: ran.nuwt < 1, "fair users")


def shorter_waits(evidence: Evidence) -> Facts:
    """Return the percentages of jobs that wait less than the mean wait of Plan-RS."""
    mean = evidence.mean(PLAN, "wait")
    return {"mean": mean, **_shares(evidence, lambda ran: ran.wait < mean, "shorter waits")}


def _share(true: int, count: int) -> Facts:
    """Return how often something is true, with the exact binomial 95 % interval of the share."""
    share = None
    if count:
        ends = binomtest(true, count).proportion_ci(LEVEL, method="exact")
        share = Interval(true / count, ends.low, ends.high)
    return {"true": true, "count": count, "percent": 100 * true / max(count, 1), "share": share}


def users_with_lower_nuwt(evidence: Evidence) -> Facts:
    """Count the users who wait at all and have a lower NUWT under Plan-RS: a sign test."""
    users = pd.concat([ran.nuwt for ran in evidence.runs[PLAN]], axis=1).mean(axis=1)
    before = evidence.runs[ORIG][0].nuwt.reindex(users.index)
    waiting = (users > 0) | (before > 0)
    return _share(int((users < before)[waiting].sum()), int(waiting.sum()))


def moves_for_fairness(moves: pd.DataFrame) -> Facts:
    """Count the accepted moves with weighted fairness as the larger part of their gain."""
    gain = Search().fairness * moves["fairness"]
    return _share(int((gain > moves["gain"] - gain).sum()), len(moves))


def small_improvements(moves: pd.DataFrame, size: float) -> Facts:
    """Count the improvements of wait, and of fairness, below a size."""
    improved = {name: moves.loc[moves[name] > 0, name] for name in ("wait", "fairness")}
    parts = [
        {"metric": name, **_share(int((values < size).sum()), len(values))}
        for name, values in improved.items()
    ]
    return {"parts": parts}


def class_changes(evidence: Evidence, by: str) -> dict[str, tuple[float, float, float]]:
    """Return the change of the mean wait of each class of jobs, with its interval over seeds."""
    orig, *plans = (by_seed(ran, by) for scheduler in NAMES for ran in evidence.runs[scheduler])
    table = pd.DataFrame(plans)
    return {
        name: mean_change(orig[name], table[name].to_numpy(), evidence.row["experiment"], by, name)
        for name in orig.index
    }


def classes_that_wait_less(evidence: Evidence, by: str) -> Facts:
    """Count the classes of jobs with a shorter mean wait; open if neither side has most."""
    less = [below(change, 0) for change in class_changes(evidence, by).values()]
    lower, higher = less.count(True), less.count(False)
    decided = 2 * max(lower, higher) > len(less)
    counts = {"lower": lower, "higher": higher, "count": len(less)}
    return counts | {"most_are_lower": lower > higher if decided else None}


def changes_of_long_classes(evidence: Evidence) -> Facts:
    """Return the changes of the waits of classes that request more than `LONG`."""
    changes = class_changes(evidence, "walltime")
    names = [LIMITS[limit] for limit in LIMITS if limit > LONG] + [LONGER]
    long_changes = {name: changes[name] for name in names if name in changes}
    text = ", ".join(f"{name} {change:+.1f}%" for name, (change, *_) in long_changes.items())
    tested = [Interval(*change) for name, change in long_changes.items() if name != EXCEPTION]
    parts = [{"change": change} for change in tested or [None]]
    return {"parts": parts, "changes": text or "no such jobs"}


def plans_with_long_iterations(costs: pd.DataFrame, updates: float) -> Facts:
    """Count the plans for which one iteration takes at least as long as so many updates."""
    return _share(int((costs["iteration"] >= updates * costs["update"]).sum()), len(costs))


def check_claims(
    claims: Sequence[Claim],
    sets: Sequence[Evidence],
    logs: Sequence[Evidence],
    moves: Mapping[str, pd.DataFrame],
    costs: Mapping[str, pd.DataFrame],
) -> pd.DataFrame:
    """Test every claim on every experiment, and return one row per claim and experiment."""
    replaced = [one for one in sets if one.row["label"] in SHOWN_FOR.values()]
    table1_sets = [one for one in sets if one.row["label"] not in SHOWN_FOR.values()]
    bodies = {"sets of Table 1": table1_sets, "sets in place of those of Zewura": replaced}
    rows = [_check_kinds(claims, name, own, {SETS: own}) for name, own in bodies.items() if own]
    for evidence in logs:
        name, kinds = evidence.row["experiment"], {RUNS: evidence}
        for kind, by_name in ((MOVES, moves), (COSTS, costs)):
            if name in by_name:
                kinds[kind] = by_name[name]
        rows.append(_check_kinds(claims, evidence.row["label"], [evidence], kinds))
    return pd.concat(rows, ignore_index=True)


def _check_kinds(
    claims: Sequence[Claim], label: str, ran: Sequence[Evidence], kinds: Mapping[str, object]
) -> pd.DataFrame:
    if not all(one.on_log for one in ran):
        kinds = {kind: StandIn(evidence) for kind, evidence in kinds.items()}
    sources = ", ".join(dict.fromkeys(one.row["source"] for one in ran))
    return check_results(
        [claim for claim in claims if claim.on in kinds],
        kinds if all(map(len, ran)) else None,
        {"experiment": label, "ran_on": sources},
    )


@item("claims", kind="table text", section="Claims")
def check_plans_claims(
    sets: Annotated[inputs.Facts, rows_of("table1")],
    set_jobs: Annotated[list[str], results_of("jobs", "table1")],
    set_starts: Annotated[list[str], results_of("starts", "table1")],
    logs: Annotated[inputs.Facts, rows_of("means")],
    log_jobs: Annotated[list[str], results_of("jobs", "means")],
    log_starts: Annotated[list[str], results_of("starts", "means")],
    by_node: NodeRows,
    moves: Moves,
    costs: Annotated[pd.DataFrame, From(lambda study, _: study.shown("fig5.csv"), pd.read_csv)],
    claims: Annotated[str, From(resource("claims.tsv"), str)],
) -> tuple[Table, str]:
    """Return one row per claim and experiment, and a summary."""
    first = by_node[0]["experiment"]
    checked = check_claims(
        read_claims(claims, modules[__name__]),
        read_evidence(sets, set_jobs, set_starts),
        read_evidence(logs, log_jobs, log_starts),
        {first: moves},
        {first: costs},
    )
    return counted(checked)
