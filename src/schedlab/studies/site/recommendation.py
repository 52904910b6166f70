"""Facts of the recommendation of an order that a site's Slurm can run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pandas as pd

from schedlab.comparison.comparing import ERROR, FEWEST_WINDOWS, LONGEST_WAIT
from schedlab.comparison.findings import facts_of_choice, ratio_of, worst_case
from schedlab.comparison.learned_policy import LEARNED
from schedlab.comparison.schedulers import REFERENCE, labels_of
from schedlab.comparison.standing import BETTER, WORSE
from schedlab.comparison.tables import shortened
from schedlab.comparison.tuned_policy import DAYS, TUNED
from schedlab.core.splitting import DAY, WEEK
from schedlab.core.windows import WARM_UP, WHOLE
from schedlab.learning.weights.guarded import too_long
from schedlab.queue.dialect_cells import dialect_of
from schedlab.studies.site.comparison import TODAY, against_record, without_record
from schedlab.studies.site.training import best_of_others
from schedlab.workbench.results import RECORDED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.comparison.choice import Choice
    from schedlab.comparison.standing import Standing
    from schedlab.studies.site.settings import SiteSettings

WAIT = "wait"


def facts_of_answer(
    simulated: Mapping[str, Standing],
    results: pd.DataFrame,
    survivors: pd.DataFrame,
    simulated_choice: Choice,
    choice: Choice,
    losers: pd.DataFrame,
    facts: pd.DataFrame,
    settings: SiteSettings,
    weeks: int,
) -> dict[str, Any]:
    """Return what all texts on the recommendation are filled from.

    `simulated_choice` is the choice among all schedulers, `choice` that among those that Slurm can
    run. The log is ``short`` if it has fewer windows than a recommendation needs.
    """
    chosen = facts_of_choice(simulated, survivors, choice)
    row = facts.iloc[0].to_dict()
    return chosen | {
        "kind": "logs",
        "short": chosen["windows"] < FEWEST_WINDOWS,
        "days": settings.days,
        "fewest": FEWEST_WINDOWS,
        "weeks_needed": weeks_needed(settings.days),
        "weeks": weeks,
        "best": _best_simulated(simulated, simulated_choice, choice),
        "worst": worst_case(choice, without_record(results), {}, losers, facts),
        "record": _of_record(results, choice.order[0] if choice.order else REFERENCE),
        "load": row | {"weights": shortened(row["weights"] or "")},
        "dialect": settings.dialect,
        "slurm": dialect_of(settings.dialect).is_slurm,
    }


def _best_simulated(
    simulated: Mapping[str, Standing], simulated_choice: Choice, choice: Choice
) -> dict[str, Any]:
    """Return the best scheduler in simulations if Slurm cannot run it, and why it cannot."""
    if not simulated_choice.order or simulated_choice.order[0] in choice.order:
        return {}
    name = simulated_choice.order[0]
    why = {"label": labels_of([name])[name], "obstacles": choice.obstacles(name)}
    return why | ratio_of(simulated, name, WAIT)


def _of_record(results: pd.DataFrame, name: str) -> dict[str, Any]:
    """Return mean waits of the record and of today's order, and how an order compares with them.

    Empty if the log does not have all waits. `share` is None if simulations miss the record.
    """
    if RECORDED not in set(results["scheduler"]):
        return {}
    whole = results[results["window"] == WHOLE].set_index("scheduler")[WAIT]
    return {
        "simulated": whole[TODAY if TODAY in whole else REFERENCE],
        "recorded": whole[RECORDED],
        "label": labels_of([name])[name],
        "share": against_record(results, name),
        "error": ERROR,
    }


def weeks_needed(days: int) -> int:
    """Return how many weeks of a log are needed to recommend an order and to evaluate policies.

    A window has `days` days. Windows come after the first quarter; test weeks are in the second
    half.

    >>> weeks_needed(days=7)
    12
    """
    windows = FEWEST_WINDOWS * days / (1 - WARM_UP) * DAY / WEEK
    held_out = 2 * FEWEST_WINDOWS * DAYS * DAY / WEEK
    return math.ceil(max(windows, held_out))


def weeks_of(held_out: pd.DataFrame) -> int:
    """Return the number of test weeks in the second half of a site's log."""
    return int(held_out["weeks"].max()) if len(held_out) else 0


def own_policies(held_out: pd.DataFrame) -> dict[str, Any]:
    """Return whether each policy trained on the site's log pays on the test weeks.

    As in `schedlab learn`: a policy pays if it is better than the best of the others in hindsight.
    It is worse if it is worse than EASY, which is chosen in advance.
    """
    weeks = weeks_of(held_out)
    facts = {"test_weeks": weeks, "fewest": FEWEST_WINDOWS, "trained": []}
    if weeks < FEWEST_WINDOWS:
        return facts
    rows = held_out[held_out["metric"] == "slowdown"].set_index("policy")
    longest = rows["longest wait, d"]
    easy = longest.iloc[0]
    for label in (LEARNED, TUNED):
        row = rows.loc[label].to_dict() if label in rows.index else {}
        if row:
            row |= {"verdict": _verdict(row), "longest": longest[label], "easy": easy}
            row["too_long"] = too_long(longest[label] * DAY, easy * DAY, LONGEST_WAIT)
        facts["trained"].append(row | {"label": label})
    return facts | {"best_of_others": best_of_others(rows["mean"], longest)}


def _verdict(row: Mapping[str, Any]) -> str:
    """Return whether a policy pays, is better than EASY or worse, or is undecided, by its row."""
    if row["against best"] == BETTER:
        return "pays"
    known = row["against EASY"] in (BETTER, WORSE)
    return row["against EASY"] if known else "undecided"
