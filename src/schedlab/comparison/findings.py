"""Facts that texts and captions of the arena and of a site's report are filled from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schedlab.comparison.choice import significance
from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS, labels_of
from schedlab.comparison.standing import OPEN, WORSE
from schedlab.comparison.tails import LONGEST, by_scheduler
from schedlab.core.metrics import METRICS
from schedlab.core.splitting import DAY
from schedlab.policies import get
from schedlab.policies.ageing import in_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from schedlab.comparison.choice import Choice
    from schedlab.comparison.standing import Standing

#: the metric that the literature commonly uses alone
USUAL = "bsld"


def facts_of_choice(
    standings: Mapping[str, Standing], survivors: pd.DataFrame, choice: Choice
) -> dict[str, Any]:
    """Return how many windows and logs decide, the chosen scheduler, its gains and the runner-up.

    Without a candidate, ``first`` is None. ``usual`` is the choice by mean bounded slowdown alone.
    """
    facts: dict[str, Any] = {
        "windows": standings[USUAL].blocks,
        "logs": standings[USUAL].means.shape[1],
        "metrics": len(standings),
        "others": len(survivors) - 1,
        "first": None,
        "candidates": len(choice.order),
        "usual": _usual(standings, survivors, choice),
    }
    if not facts["windows"] or not choice.order:
        return facts
    name, *rest = choice.order
    facts["first"] = {
        "label": labels_of([name])[name],
        "order": words_of(name),
        "better": survivors.set_index("name").loc[name, "better"],
        "worse": [
            ratio_of(standings, name, metric) | {"label": METRICS[metric].label}
            for metric in worse_metrics(standings, name)
        ],
    } | {metric: ratio_of(standings, name, metric) for metric in ("wait", USUAL)}
    if rest:
        ratio, low, high = choice.versus[rest[0]]
        facts["second"] = {
            "label": labels_of(rest[:1])[rest[0]],
            "differs": significance(low, high),
            "share": choice.share,
        } | {"ratio": ratio, "low": low, "high": high}
    return facts


def worse_metrics(standings: Mapping[str, Standing], name: str) -> list[str]:
    """Return the metrics by which a scheduler is worse than EASY."""
    return [
        metric
        for metric, standing in standings.items()
        if standing.ratios.loc[name, "verdict"] == WORSE
    ]


def ratio_of(standings: Mapping[str, Standing], name: str, metric: str) -> dict[str, float]:
    """Return a scheduler's ratio to EASY by a metric, and low and high of its interval."""
    return dict(standings[metric].ratios.loc[name, ["ratio", "low", "high"]])


def overloaded(facts: pd.DataFrame, labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the logs whose queue grows without end, from `schedlab.comparison.runs.FACTS`."""
    rows = facts[facts["overload"].astype(bool)].to_dict("records")
    return [row | {"label": labels.get(row["experiment"], row["experiment"])} for row in rows]


def worst_case(
    choice: Choice,
    results: pd.DataFrame,
    labels: Mapping[str, str],
    losers: pd.DataFrame,
    facts: pd.DataFrame,
) -> dict[str, Any]:
    """Return the longest wait under the recommended scheduler, and which jobs lose.

    That is on the log where it is largest compared with EASY's; `results`, `losers` and `facts`,
    the attributes of `schedlab.comparison.runs.ContestResults`, have rows of all logs. Empty
    without a candidate.
    """
    if not choice.order:
        return {}
    name = choice.order[0]
    longest = by_scheduler(results, LONGEST) / DAY
    ratios = (longest.loc[name] / longest.loc[REFERENCE]).dropna()
    if ratios.empty:
        return {}
    log = ratios.idxmax()
    days, easy = longest.loc[name, log], longest.loc[REFERENCE, log]
    return {
        "log": labels.get(log, log) if len(longest.columns) > 1 else "",
        "days": days,
        "easy": easy,
        "guard": guard_exceeded(name, days),
        "load": facts.set_index("experiment").loc[log].to_dict(),
        "lost": who_loses(losers, name, labels),
    }


def guard_exceeded(name: str, days: float) -> float:
    """Return the guard of a scheduler in days, if waits of so many days exceed it; else 0."""
    threshold = SCHEDULERS[name].threshold if name in SCHEDULERS else None
    return threshold / DAY if threshold is not None and days > threshold / DAY else 0


def who_loses(losers: pd.DataFrame, name: str, labels: Mapping[str, str]) -> dict[str, Any]:
    """Return the class of jobs that loses most by mean wait, of the log where it loses most.

    Waits are in hours; the log's label is empty if there is only one log, the facts if no class
    waits longer.
    """
    rows = losers[losers["scheduler"] == name]
    lost = rows[rows["group"] != ""]
    if lost.empty:
        return {}
    row: dict[str, Any] = lost.loc[(lost["wait"] - lost["easy_wait"]).idxmax()].to_dict()
    label = labels.get(row["experiment"], row["experiment"]) if len(rows) > 1 else ""
    hours = {wait: row[wait] / 3600 for wait in ("wait", "easy_wait")}
    return row | hours | {"log": label}


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


def _usual(
    standings: Mapping[str, Standing], survivors: pd.DataFrame, choice: Choice
) -> dict[str, Any]:
    """Return the choice by mean bounded slowdown, unless it is EASY, and arguments against it."""
    rows = survivors.set_index("name")
    ratios = standings[USUAL].ratios["ratio"].loc[standings[USUAL].ranks.index]
    name = REFERENCE if ratios.isna().all() else ratios.idxmin()
    if name == REFERENCE:
        return {}
    is_first = name in choice.order[:1]
    against = [] if is_first else choice.reasons(name)
    if not is_first and rows.loc[name, USUAL] == OPEN:
        against.append("its advantage over EASY is not significant")
    label = rows.loc[name, "scheduler"]
    facts = {"label": label, "is_first": is_first, "against": against}
    return facts | ratio_of(standings, name, USUAL)


def facts_of_metric(item: str) -> dict[str, str]:
    """Return the facts for the caption of an item that is named after a metric, maybe with fig_.

    There are captions ``windows_of_metric`` and ``tail`` of tables, and ``ranks`` of figures.
    """
    metric = METRICS.get(item.removeprefix("fig_"))
    if metric is None:
        return {}
    if item.startswith("fig_"):
        return {"text": "ranks", "metric": metric.label}
    unit = f" ({metric.unit})" if metric.unit not in ("", "jobs") else ""
    name = f"{metric.label[0].upper()}{metric.label[1:]}{unit}"
    return {"text": "tail" if metric.tail else "windows_of_metric", "metric": name}
