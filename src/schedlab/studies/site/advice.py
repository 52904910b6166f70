"""What a site's Slurm should change: chosen on training windows, judged on held-out ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from schedlab.comparison.comparing import FEWEST_WINDOWS
from schedlab.comparison.standing import BETTER, WORSE, compare_by_metric
from schedlab.core.splitting import DAY
from schedlab.core.windows import WHOLE
from schedlab.learning.weights.guarded import too_long
from schedlab.studies.site.trials import FEWEST, RANKED_BY, TODAY, extremes, said_of

if TYPE_CHECKING:
    from schedlab.studies.site.changes import Change
    from schedlab.studies.site.trials import Trials

HOUR = 3600
#: columns of ratios to today on the whole log
WHOLE_LOG = ("whole_wait", "whole_slowdown")
#: columns of the table of changes
TOGGLES = (
    "group", "change", "today", "wait", "wait low", "wait high", "wait verdict",
    "slowdown", "slowdown low", "slowdown high", "slowdown verdict", "longest", "gains", "loses",
)  # fmt: skip


@dataclass(frozen=True)
class Advice:
    """Advice on a site's settings.

    Parameters
    ----------
    order : tuple of str
        Labels of the changes that may be recommended, the best in training windows first.
    verdict : str
        ``change``, ``nothing``, ``undecided`` (too few windows), or ``unheld`` (the best in
        training windows is not better in held-out ones).
    held_out : mapping of str to tuple of float
        Ratio to today of the first by each metric of `RANKED_BY` in held-out windows, with low and
        high of its 95 % interval.
    versus : tuple of float
        The same of its mean wait to that of the second; empty without a second.
    every : mapping of str to tuple of float
        As `held_out`, in all windows.
    windows, judged : int
        Number of training and of held-out windows.
    whole : tuple of float
        Ratios to today on the whole log, if the windows are of a part of it; empty otherwise.
    """

    order: tuple[str, ...]
    verdict: str
    held_out: Mapping[str, tuple[float, float, float]]
    versus: tuple[float, ...]
    every: Mapping[str, tuple[float, float, float]]
    windows: int
    judged: int
    whole: tuple[float, ...] = ()

    def on_whole_log(self, ratios: tuple[float, ...]) -> Advice:
        """Return the advice with ratios to today on the whole log, which it must survive.

        It does if the geometric mean of the ratios is below 1.
        """
        survives = float(np.prod(ratios)) < 1
        verdict = "unheld" if self.verdict == "change" and not survives else self.verdict
        return replace(self, whole=ratios, verdict=verdict)


def advise(trials: Trials, changes: Sequence[Change], split: int, longest_wait: float) -> Advice:
    """Choose a change on training windows, those up to number `split`, and judge it on the others.

    Only changes that are free (`Change.is_free`) count. Changes under which the longest wait is
    more than `longest_wait` times today's are left out.
    """
    results = trials.results
    free = [change.label for change in changes if change.is_free]
    training, judged = _parts(results, split)
    names = [name for name in free if name in set(results["scheduler"])]
    whole = results[results["window"] == WHOLE].set_index("scheduler")["max_wait"]
    names = [one for one in names if not too_long(whole[one], whole[TODAY], longest_wait)]
    combined = _combined(training)
    order = tuple(sorted((one for one in names if combined[one] < 1), key=combined.get))
    count = judged["window"].nunique()
    nothing = Advice(order, "nothing", {}, (), {}, training["window"].nunique(), count)
    if count < FEWEST_WINDOWS:
        return Advice(order, "undecided", {}, (), {}, nothing.windows, count)
    if not order:
        return nothing
    first = order[0]
    held_out, every = ({metric: _ratio(part, metric, first) for metric in RANKED_BY}
                       for part in (judged, results[results["window"] != WHOLE]))  # fmt: skip
    versus = _ratio(judged, RANKED_BY[0], first, order[1])[:3] if len(order) > 1 else ()
    verdicts = [_verdict(one) for part in (held_out, every) for one in part.values()]
    holds = BETTER in verdicts[:2] and BETTER in verdicts[2:] and WORSE not in verdicts
    verdict = "change" if holds else "unheld"
    return Advice(order, verdict, held_out, versus, every, nothing.windows, count)


def _parts(results: pd.DataFrame, split: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of training windows and of held-out ones."""
    rows = results[results["window"] != WHOLE]
    return rows[rows["window"] <= split], rows[rows["window"] > split]


def _combined(rows: pd.DataFrame) -> dict[str, float]:
    """Return the geometric mean of the ratios to today by the metrics, by change."""
    means = rows.groupby("scheduler")[list(RANKED_BY)].mean()
    ratios = means / means.loc[TODAY] if TODAY in means.index else means
    return {str(name): float(np.sqrt(row.prod())) for name, row in ratios.iterrows()}


def _ratio(
    rows: pd.DataFrame, metric: str, name: str, reference: str = TODAY
) -> tuple[float, float, float]:
    """Return a change's ratio to a reference by a metric, with its interval."""
    pair = rows[rows["scheduler"].isin([name, reference])]
    row = compare_by_metric(pair, metric, reference).ratios.loc[name]
    return float(row["ratio"]), float(row["low"]), float(row["high"])


def _verdict(ratio: tuple[float, float, float]) -> str:
    """Return whether a ratio is better, worse or open, by its interval."""
    _, low, high = ratio
    return BETTER if high < 1 else WORSE if low > 1 else ""


def toggle_table(trials: Trials, changes: Sequence[Change]) -> pd.DataFrame:
    """Return a row per change: ratios to today with intervals, Holm-adjusted verdicts, losers.

    Rows are by group and then by mean wait. Changes under which jobs never start say so in the
    columns of verdicts. Without results there are no ratios.
    """
    if trials.results.empty:
        rows = [(change.group, change.label, change.today) for change in changes]
        return pd.DataFrame(rows, columns=list(TOGGLES[:3])).reindex(columns=list(TOGGLES))
    standings = {name: compare_by_metric(trials.results, name, TODAY) for name in RANKED_BY}
    counted = trials.results.loc[trials.results["window"] != WHOLE, "window"].nunique()
    few = "" if counted >= FEWEST_WINDOWS else "too few windows"
    whole = trials.results[trials.results["window"] == WHOLE].set_index("scheduler")
    ends, never = extremes(trials.groups), trials.refused.set_index("scheduler")["jobs"]
    rows = []
    for change in changes:
        row: dict[str, Any] = {"group": change.group, "change": change.label, "today": change.today}
        if change.label in never:
            row |= {"wait verdict": f"{never[change.label]:,} jobs never start"}
            rows.append(row)
            continue
        for metric, heading in zip(RANKED_BY, ("wait", "slowdown"), strict=True):
            ratios = standings[metric].ratios.loc[change.label]
            row |= {heading: ratios["ratio"], f"{heading} low": ratios["low"]}
            row |= {f"{heading} high": ratios["high"]}
            row |= {f"{heading} verdict": few or ratios["verdict"]}
        row["longest"] = whole.loc[change.label, "max_wait"] / HOUR
        row |= ends.loc[change.label].to_dict() if change.label in ends.index else {}
        rows.append(row)
    table = pd.DataFrame(rows, columns=list(TOGGLES))
    groups = {group: place for place, group in enumerate(dict.fromkeys(table["group"]))}
    order = table.assign(place=table["group"].map(groups)).sort_values(
        ["place", "wait"], kind="stable"
    )
    return order.drop(columns="place").reset_index(drop=True)


def group_table(trials: Trials, label: str) -> pd.DataFrame:
    """Return mean waits (h) of each group of jobs, today and under a change, losers first."""
    rows = trials.groups[trials.groups["scheduler"] == label]
    rows = rows[rows["jobs"] >= FEWEST]
    table = pd.DataFrame({
        "kind": rows["kind"].replace({"qos": "QOS", "size": "processors"}),
        "group": rows["group"].replace({"": "(none)"}),
        "jobs": rows["jobs"],
        "today": rows["today"] / HOUR,
        "changed": rows["wait"] / HOUR,
    })  # fmt: skip
    table["difference"] = table["changed"] - table["today"]
    return table.sort_values("difference", ascending=False, kind="stable").reset_index(drop=True)


def facts_of_advice(
    advice: Advice, trials: Trials, changes: Sequence[Change], advice_bounds: Mapping[str, float]
) -> dict[str, Any]:
    """Return what the texts of the advice are filled from."""
    facts: dict[str, Any] = {
        "verdict": advice.verdict,
        "training": advice.windows,
        "held_out": advice.judged,
        "fewest": FEWEST_WINDOWS,
        "tried": sum(change.is_free for change in changes),
        "not_free": sum(not change.is_free for change in changes),
        "bound": advice_bounds["longest_wait"],
        "change": {},
    }
    if not advice.order:
        return facts
    label = advice.order[0]
    change = next(one for one in changes if one.label == label)
    whole = trials.results[trials.results["window"] == WHOLE].set_index("scheduler")
    wait, today = whole.loc[label], whole.loc[TODAY]
    part = trials.groups[trials.groups["scheduler"] == label]
    part = part[part["jobs"] >= FEWEST]
    growth = part["wait"] - part["today"]
    losers = part[growth > 0].loc[growth[growth > 0].sort_values(ascending=False).index].head(3)
    winners = part[growth < 0].loc[growth[growth < 0].sort_values().index].head(3)
    return facts | {
        "change": {
            "label": label,
            "settings": list(change.texts),
            "policy": change.policy,
            "ratios": {name: list(ratio) for name, ratio in advice.held_out.items()},
            "every": {name: list(ratio) for name, ratio in advice.every.items()},
            "wait": float(wait["wait"]), "today": float(today["wait"]),
            "longest": float(wait["max_wait"]) / DAY,
            "longest_today": float(today["max_wait"]) / DAY,
            "losers": [said_of(row) for _, row in losers.iterrows()],
            "winners": [said_of(row) for _, row in winners.iterrows()],
        },
        "second": advice.order[1] if len(advice.order) > 1 else "",
        "versus": list(advice.versus),
        "whole": list(advice.whole),
    }  # fmt: skip
