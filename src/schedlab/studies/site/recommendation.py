"""Recommend an order that a site's Slurm can run, in sentences that depend on the results."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.comparison.comparing import ERROR, FEWEST_WINDOWS, LONGEST_WAIT
from schedlab.comparison.findings import (
    backlog_of,
    by_usual,
    certainty,
    gain,
    ratio_of,
    recommendation,
    worst_case,
)
from schedlab.comparison.learned_policy import LEARNED
from schedlab.comparison.schedulers import REFERENCE, labels_of
from schedlab.comparison.standing import BETTER, WORSE
from schedlab.comparison.tables import shortened
from schedlab.comparison.tuned_policy import DAYS, TUNED
from schedlab.core.splitting import DAY, WEEK
from schedlab.core.windows import WARM_UP, WHOLE
from schedlab.learning.weights.guarded import too_long
from schedlab.queue.dialect_cells import dialect_of
from schedlab.report.words import joined, number_of
from schedlab.studies.site.comparison import TODAY, against_record, without_record
from schedlab.studies.site.training import best_of_others
from schedlab.workbench.results import RECORDED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.comparison.choice import Choice
    from schedlab.comparison.standing import Standing
    from schedlab.studies.site.settings import SiteSettings

USUAL, WAIT = "bsld", "wait"


def answer(
    simulated: Mapping[str, Standing],
    simulated_choice: Choice,
    choice: Choice,
    days: int,
    weeks: int,
) -> str:
    """Return what Slurm should run, and on a second line which scheduler is first in simulations.

    `simulated` is from `comparison.standings`. `simulated_choice` is the choice of
    `schedlab.comparison.choice.choose` among all schedulers, `choice` that among those that Slurm
    can run. A window has `days` days; the log has `weeks` test weeks.
    """
    blocks = simulated[USUAL].blocks
    if blocks < FEWEST_WINDOWS:
        return (
            "This log is too short to recommend an order. After its first quarter it has "
            f"{number_of(blocks, 'whole window')} of {days} days; at least {FEWEST_WINDOWS} are "
            f"needed.\nExport at least {weeks_needed(days)} weeks of accounting and rebuild the "
            f"report. The results below have no verdicts ({number_of(weeks, 'test week')})."
        )
    lines = [recommendation(choice), best_simulated(simulated, simulated_choice, choice)]
    return "\n".join(line for line in lines if line)


def best_simulated(
    simulated: Mapping[str, Standing], simulated_choice: Choice, choice: Choice
) -> str:
    """Return which scheduler is the best in simulations, if Slurm cannot run it; else ""."""
    if not simulated_choice.order or simulated_choice.order[0] in choice.order:
        return ""
    name = simulated_choice.order[0]
    return (
        f"In simulations {labels_of([name])[name]} comes first, with "
        f"{ratio_of(simulated, name, WAIT)} EASY's mean wait, but "
        f"{joined(choice.obstacles(name))}."
    )


def simulation_error(results: pd.DataFrame) -> str:
    """Return by how much simulated waits miss the recorded ones; results from `compare_on_site`."""
    if RECORDED not in set(results["scheduler"]):
        return "The log does not have all waits, so simulated waits cannot be checked."
    whole = results[results["window"] == WHOLE].set_index("scheduler")[WAIT]
    simulated, recorded = whole[TODAY if TODAY in whole else REFERENCE], whole[RECORDED]
    times = f", {simulated / recorded:.2f} times the recorded" if recorded > 0 else "; recorded"
    return (
        f"Simulated mean wait of the site's current order: {simulated:,.0f} s{times} "
        f"{recorded:,.0f} s."
    )


def gains(
    simulated: Mapping[str, Standing],
    results: pd.DataFrame,
    survivors: pd.DataFrame,
    choice: Choice,
    losers: pd.DataFrame,
    facts: pd.DataFrame,
) -> str:
    """Return the gain of the recommended order, which jobs lose, and how certain the choice is.

    One line each; "" if the log is too short. `results` are from `comparison.compare_on_site`;
    `survivors` is from `schedlab.comparison.tables.survivors`. `losers` and `facts` are those of
    `schedlab.comparison.runs.ContestResults`.
    """
    if simulated[USUAL].blocks < FEWEST_WINDOWS:
        return ""
    name = choice.order[0] if choice.order else REFERENCE
    lines = [
        f"{gain(simulated, survivors, choice)} {of_record(results, name)}",
        worst_case(choice, without_record(results), {}, losers, facts),
        certainty(choice),
    ]
    return "\n".join(line for line in lines if line)


def of_record(results: pd.DataFrame, name: str) -> str:
    """Return how an order compares with the recorded schedule, or why it cannot be compared."""
    if RECORDED not in set(results["scheduler"]):
        return "Nothing is compared with the recorded schedule."
    share = against_record(results, name)
    if share is not None:
        label = labels_of([name])[name]
        return (
            f"The mean wait under {label} is {share:.2f} times the recorded one. A simulation of "
            f"the site's current scheduler is within {ERROR:.0%} of the waits recorded in the "
            "later half of the windows."
        )
    whole = results[results["window"] == WHOLE].set_index("scheduler")[WAIT]
    if not whole[RECORDED] > 0:
        return "No job waited in the log, so no order can be better than the recorded schedule."
    return (
        "No gain over the recorded waits is stated, because a simulation of the site's current "
        "scheduler is too far from them."
    )


def weeks_needed(days: int) -> int:
    """Return how many weeks of a log are needed to recommend an order and to evaluate policies.

    A window has `days` days. Windows come after the first quarter; test weeks are in the second
    half.

    Examples
    --------
    >>> weeks_needed(days=7)
    12
    """
    windows = FEWEST_WINDOWS * days / (1 - WARM_UP) * DAY / WEEK
    held_out = 2 * FEWEST_WINDOWS * DAYS * DAY / WEEK
    return math.ceil(max(windows, held_out))


def weeks_of(held_out: pd.DataFrame) -> int:
    """Return the number of test weeks in the second half of a site's log."""
    return int(held_out["weeks"].max()) if len(held_out) else 0


def own_policies(held_out: pd.DataFrame) -> str:
    """Return whether a policy trained on the site's log pays on the test weeks.

    As in `schedlab learn`: a policy pays if it is better than the best of the others in hindsight.
    It is worse if it is worse than EASY, which is chosen in advance.
    """
    weeks = weeks_of(held_out)
    if weeks < FEWEST_WINDOWS:
        return (
            f"it is undecided whether a learned policy pays, because {FEWEST_WINDOWS} test weeks "
            f"are needed and the log has {weeks}"
        )
    rows = held_out[held_out["metric"] == "slowdown"].set_index("policy")
    longest = rows["longest wait, d"]
    best, findings = best_of_others(rows["mean"], longest), []
    for label in (LEARNED, TUNED):
        if label not in rows.index:
            findings.append(f"no policy could be {label}")
            continue
        row = rows.loc[label]
        findings.append(
            f"a {label} policy {_verdict(row, best)} ({row['ratio']:.2f} times EASY's mean bounded "
            f"slowdown, 95 % CI {row['low']:.2f} to {row['high']:.2f})"
        )
        if too_long(longest[label] * DAY, longest.iloc[0] * DAY, LONGEST_WAIT):
            findings[-1] += (
                f". Its longest wait is {longest[label]:.1f} days, compared with "
                f"{longest.iloc[0]:.1f} under EASY: do not run it without a guard"
            )
    learned, tuned = findings
    return f"on {weeks} test weeks, {learned}. {tuned[0].upper()}{tuned[1:]}"


def _verdict(row: pd.Series, best: str) -> str:
    """Return whether a policy pays, given its row; `best` is the best of the others."""
    if row["against best"] == BETTER:
        return f"pays: it is better than {best}, the best of the others"
    if row["against EASY"] == BETTER:
        return (
            f"is better than EASY but not significantly better than {best}, the best of the others"
        )
    return "is worse than EASY" if row["against EASY"] == WORSE else "is undecided"


def _in_dialect(cell: str) -> str:
    """Return which scheduler the dialect imitates, and what EASY means in it."""
    text = f"Every scheduler runs in the dialect {cell}."
    if dialect_of(cell).slurm:
        text += (
            " It imitates Slurm: EASY is first come, first served with Slurm's backfilling, which "
            "reserves for every job. The orders of other schedulers replace the priority."
        )
    return text


def arena_summary(
    facts: pd.Series,
    settings: SiteSettings,
    simulated: Mapping[str, Standing],
    survivors: pd.DataFrame,
    choice: Choice,
) -> str:
    """Return how windows were chosen, their load, which schedulers could not run, and more.

    `facts` is a row of `schedlab.comparison.runs.FACTS`; other arguments as for `answer`. With
    enough windows the text adds the choice by the usual metric alone.
    """
    if not facts["windows"]:
        return (
            f"The log has {facts['days']:.1f} days of submissions and no whole window of "
            f"{settings.days} days after its first quarter."
        )
    sentences = [
        "Every scheduler runs once over the whole log. The first quarter is warm-up; the "
        f"{facts['windows']} windows of {settings.days} days after it are evaluated. Their offered "
        f"load is {facts['load']:.1%} of the machine."
    ]
    if settings.dialect != "full":
        sentences.append(_in_dialect(settings.dialect))
    if facts["overload"]:
        sentences.append(
            f"The offered load exceeds the machine: {backlog_of(facts)}. Waits then depend on the "
            "length of the log more than on the order."
        )
    if simulated[USUAL].blocks >= FEWEST_WINDOWS:
        sentences.append(by_usual(simulated, survivors, choice))
    if facts["weights"]:
        sentences.append(
            f"w_train is learned from the {facts['learning']:,} jobs of the first quarter: "
            f"{shortened(facts['weights'])}."
        )
    if facts["absent"]:
        sentences.append(f"Could not run: {facts['absent']}.")
    return "\n".join(sentences)
