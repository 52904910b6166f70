"""Answer of the arena in a few sentences, written from the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS, labels_of
from schedlab.comparison.standing import OPEN, WORSE
from schedlab.comparison.tails import LONGEST, by_scheduler
from schedlab.core.metrics import METRICS, window_metrics
from schedlab.core.splitting import DAY
from schedlab.files.stand_ins import kind_of
from schedlab.policies import get
from schedlab.policies.ageing import in_words
from schedlab.report.words import joined

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from schedlab.comparison.choice import Choice
    from schedlab.comparison.standing import Standing

#: the metric that the literature commonly uses alone
USUAL = "bsld"
NOTHING = "No scheduler was compared: no log is available."
#: what begins the answer where models replace logs
DEMONSTRATION = (
    "This is a demonstration, on model workloads, of what the page shows with logs. It recommends "
    "nothing. Here its rules select"
)


def findings(
    standings: Mapping[str, Standing],
    survivors: pd.DataFrame,
    choice: Choice,
    results: pd.DataFrame,
    labels: Mapping[str, str],
    losers: pd.DataFrame,
) -> str:
    """Return sentences on which policy a site should run, how certain that is, and which jobs lose.

    Standings are by metric, labels by log. `results` and `losers`
    (`schedlab.comparison.losers.LOSERS`) have rows of all logs. `survivors` is from
    `schedlab.comparison.tables.survivors`, `choice` from `schedlab.comparison.choice.choose`. One
    or two sentences per line; `NOTHING` without results.
    """
    if not standings[USUAL].blocks:
        return NOTHING
    lines = [
        recommendation(standings, survivors, choice, labels),
        certainty(choice),
        worst_case(choice, results, labels, losers),
        by_usual(standings, survivors, choice),
    ]
    return "\n".join(line for line in lines if line)


def recommendation(
    standings: Mapping[str, Standing],
    survivors: pd.DataFrame,
    choice: Choice,
    labels: Mapping[str, str],
) -> str:
    """Return which scheduler to run, in words, and its mean gain; models give a demonstration."""
    windows, logs = standings[USUAL].blocks, standings[USUAL].means.shape[1]
    kind = kind_of(labels.values())
    where = f"On {windows} windows of {logs} {kind if logs > 1 else kind.removesuffix('s')}"
    keep, run = "Recommendation: keep", "Recommendation: run"
    if kind != "logs":
        keep = run = DEMONSTRATION
    other_count = len(survivors) - 1
    if not choice.order:
        return (
            f"{keep} EASY. {where}, none of {other_count} other schedulers is better "
            "by more metrics than worse with its losses and its longest wait within the bounds."
        )
    name = choice.order[0]
    rows = survivors.set_index("name")
    return (
        f"{run} {rows.loc[name, 'scheduler']} ({words_of(name)}). {where}, it has "
        f"{ratio_of(standings, name, 'wait')} EASY's mean wait and "
        f"{ratio_of(standings, name, USUAL)} its mean bounded slowdown. It is better than EASY by "
        f"{rows.loc[name, 'better']} of {len(window_metrics())} metrics and "
        f"{costs(standings, name)}."
    )


def costs(standings: Mapping[str, Standing], name: str) -> str:
    """Return by which metrics a scheduler is worse than EASY, with all such ratios."""
    worse = [
        f"{METRICS[one].label} ({ratio_of(standings, name, one)})"
        for one in worse_metrics(standings, name)
    ]
    return f"worse by {joined(worse)}" if worse else "worse by none"


def worse_metrics(standings: Mapping[str, Standing], name: str) -> list[str]:
    """Return the metrics by which a scheduler is worse than EASY."""
    return [
        metric
        for metric, standing in standings.items()
        if standing.ratios.loc[name, "verdict"] == WORSE
    ]


def overloaded(facts: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """Return on which logs the queue grows without end; empty if it does on none.

    `facts` has `schedlab.comparison.runs.FACTS` of all logs.
    """
    rows = facts[facts["overload"].astype(bool)]
    return " ".join(
        f"Overload: the queue of {labels.get(row.experiment, row.experiment)} grows without end "
        f"under EASY, from {row.backlog_before:.1f} to {row.backlog_after:.1f} days of work of the "
        f"whole machine (offered load {row.load:.2f}). Waits depend on the length of the run."
        for row in rows.itertuples()
    )


def significance(low: float, high: float) -> str:
    """Return whether a ratio differs from 1, from its interval.

    Examples
    --------
    >>> significance(0.8, 0.99), significance(0.8, 1.0)
    ('significant', 'not significant')
    """
    return "significant" if high < 1 or low > 1 else "not significant"


def certainty(choice: Choice) -> str:
    """Compare the first candidate with the second, and return how often resampled windows agree."""
    if not choice.order:
        return ""
    first, *rest = choice.order
    label = labels_of([first])[first]
    if not rest:
        return f"{label} is the only candidate."
    second = labels_of([rest[0]])[rest[0]]
    ratio, low, high = choice.versus["wait"]
    return (
        f"The difference to the runner-up is {significance(low, high)}: the mean wait is "
        f"{ratio:.2f} times (95 % CI {low:.2f} to {high:.2f}) that of {second}. "
        f"{choice.share:.0%} of resampled windows choose {label} among {len(choice.order)} "
        "candidates."
    )


def worst_case(
    choice: Choice, results: pd.DataFrame, labels: Mapping[str, str], losers: pd.DataFrame
) -> str:
    """Return the longest wait under the recommended scheduler, and which jobs lose."""
    if not choice.order:
        return ""
    name = choice.order[0]
    longest = by_scheduler(results, LONGEST)
    ratios = (longest.loc[name] / longest.loc[REFERENCE]).dropna()
    if ratios.empty:
        return ""
    log = ratios.idxmax()
    days, easy = longest.loc[name, log] / DAY, longest.loc[REFERENCE, log] / DAY
    where = f" (on {labels.get(log, log)})" if len(longest.columns) > 1 else ""
    waits = f"The longest wait{where} is {days:.1f} days, compared with {easy:.1f} under EASY."
    return f"{waits} {who_loses(losers, name, labels)}."


def who_loses(losers: pd.DataFrame, name: str, labels: Mapping[str, str]) -> str:
    """Return which class of jobs loses most by mean wait, on the log where it loses most."""
    scheduler_rows = losers[losers["scheduler"] == name]
    lost = scheduler_rows[scheduler_rows["group"] != ""]
    if lost.empty:
        return "No class of jobs waits longer on average"
    row = lost.loc[(lost["wait"] - lost["easy_wait"]).idxmax()]
    where = (
        f" on {labels.get(row['experiment'], row['experiment'])}" if len(scheduler_rows) > 1 else ""
    )
    return (
        f"{row['longer']:.0%} of the jobs{where} wait longer than under EASY. The class that loses "
        f"most, {row['group']} ({row['jobs']:,} jobs), waits {row['wait'] / 3600:.1f} instead of "
        f"{row['easy_wait'] / 3600:.1f} hours on average"
    )


def words_of(name: str) -> str:
    """Return in plain words how a scheduler orders jobs."""
    scheduler = SCHEDULERS.get(name)
    if scheduler is None:
        return "a policy of the configuration"
    if scheduler.kind != "order":
        return scheduler.meaning
    text = in_words(get(scheduler.policy))
    if scheduler.backfill:
        text += f", backfilling {in_words(get(scheduler.backfill))}"
    if scheduler.threshold is not None:
        text += f", but a job that waited more than {scheduler.threshold / DAY:g} days goes first"
    return text


def by_usual(standings: Mapping[str, Standing], survivors: pd.DataFrame, choice: Choice) -> str:
    """Return the choice by mean bounded slowdown alone, and the arguments against it."""
    rows = survivors.set_index("name")
    ratios = standings[USUAL].ratios["ratio"].loc[standings[USUAL].ranks.index]
    name = REFERENCE if ratios.isna().all() else ratios.idxmin()
    if name == REFERENCE:
        return "By mean bounded slowdown alone, no scheduler is better than EASY."
    label = rows.loc[name, "scheduler"]
    if choice.order and name == choice.order[0]:
        return f"By mean bounded slowdown alone, the choice would also be {label}."
    against = []
    if name in choice.forbidden:
        against.append("its longest wait is beyond the bound")
    if name in choice.youth:
        against.append("it puts younger jobs first")
    worse = [
        f"{METRICS[one].label} ({standing.ratios.loc[name, 'ratio']:.3f} times)"
        for one, standing in standings.items()
        if rows.loc[name, one] == WORSE
    ]
    if worse:
        against.append(f"it is worse by {joined(worse)}")
    if rows.loc[name, USUAL] == OPEN:
        against.append("its advantage over EASY is not significant")
    why = f" However, {joined(against)}." if against else ""
    return (
        f"By mean bounded slowdown alone, the choice would be {label}, with "
        f"{ratio_of(standings, name, USUAL)} EASY's value.{why}"
    )


def ratio_of(standings: Mapping[str, Standing], name: str, metric: str) -> str:
    """Return a scheduler's ratio to EASY by a metric, with its interval, in words."""
    row = standings[metric].ratios.loc[name]
    return f"{row['ratio']:.2f} times (95 % CI {row['low']:.2f} to {row['high']:.2f})"
