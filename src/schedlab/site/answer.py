"""Which order should this site run: two sentences that the results decide."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.arena.findings import best_of, by_usual, whom_to_run
from schedlab.arena.schedulers import REFERENCE, labels_of
from schedlab.arena.standing import BETTER, WORSE
from schedlab.arena.tables import shortened
from schedlab.arena.windows import LEARNING
from schedlab.queue.dialect_cells import dialect_of
from schedlab.site.training import best_of_others
from schedlab.traces.splitting import DAY, WEEK
from schedlab.workbench.comparing import FEWEST_WINDOWS
from schedlab.workbench.learned import LEARNED
from schedlab.workbench.results import RECORDED
from schedlab.workbench.tuned import DAYS, TUNED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.arena.standing import Standing
    from schedlab.site.settings import SiteSettings

USUAL, WAIT = "bsld", "wait"
#: where EASY's simulated mean wait is a smaller share of the recorded one than this, most of what
#: jobs waited for is nothing that an order of the queue decides
ORDERED = 0.5


def chosen(simulated: Mapping[str, Standing], survivors: pd.DataFrame) -> list[str]:
    """Return the schedulers that the site should try, the best first; none where EASY is to stay.

    Parameters
    ----------
    simulated : mapping of str to Standing
        By metric, against EASY.
    survivors : DataFrame
        From `schedlab.arena.tables.survivors`.
    """
    if simulated[USUAL].blocks < FEWEST_WINDOWS:
        return []
    return best_of(survivors)["name"].tolist()


def answer(
    simulated: Mapping[str, Standing],
    beside: Mapping[str, Standing] | None,
    survivors: pd.DataFrame,
    held_out: pd.DataFrame,
    settings: SiteSettings,
) -> str:
    """Say which order a site should run, and what speaks against it: two lines.

    Parameters
    ----------
    simulated, beside
        From `schedlab.site.contest.standings`.
    survivors : DataFrame
        From `schedlab.arena.tables.survivors`.
    held_out : DataFrame
        Of `schedlab.site.training.Trained`.
    settings : SiteSettings
        Of the site.
    """
    blocks = simulated[USUAL].blocks
    if blocks < FEWEST_WINDOWS:
        first = (
            f"This log cannot tell which order the site should run: behind its first quarter it "
            f"has {blocks} whole windows of {settings.days} days, and {FEWEST_WINDOWS} are the "
            "fewest that anything is said of."
        )
        return f"{first}\n{_next(weeks_of(held_out), settings)}"
    name = next(iter(chosen(simulated, survivors)), REFERENCE)
    return f"{whom_to_run(simulated, survivors)}\n{_second(simulated, beside, name, held_out)}"


def weeks_needed(days: int, warm_up: int) -> int:
    """Return how many weeks of a log are enough to say which order to run, and whether its own.

    Windows lie behind the first quarter and the first warm-up; weeks that are held out lie in the
    second half, each from the first job behind the one before: a week more is for these gaps.

    Parameters
    ----------
    days, warm_up : int
        Of a window of the arena.

    Examples
    --------
    >>> weeks_needed(days=7, warm_up=2)
    13
    """
    windows = (FEWEST_WINDOWS * days + warm_up) / (1 - LEARNING) * DAY / WEEK
    held_out = 2 * FEWEST_WINDOWS * DAYS * DAY / WEEK + 1
    return math.ceil(max(windows, held_out))


def _next(weeks: int, settings: SiteSettings) -> str:
    """What to do about a log that is too short, or about windows that are too few."""
    few = ""
    if settings.windows < FEWEST_WINDOWS:
        few = f", set site.windows to {FEWEST_WINDOWS} or more"
    return (
        f"Export more of the accounting, {weeks_needed(settings.days, settings.warm_up)} weeks or "
        f"longer{few}, and make the report again; what stands below is shown, and nothing is "
        f"concluded from it ({weeks} weeks are held out)."
    )


def _second(
    simulated: Mapping[str, Standing],
    beside: Mapping[str, Standing] | None,
    name: str,
    held_out: pd.DataFrame,
) -> str:
    own = own_policies(held_out)
    untold = [one for one in (USUAL, WAIT) if simulated[one].ratios.loc[name, "verdict"] != BETTER]
    if name != REFERENCE and len(untold) == 2:
        own = f"neither its slowdown nor its wait can be told to be less than EASY's; {own}"
    if beside is None:
        return f"What the site ran is not known, for the log does not tell all waits; {own}."
    means = beside[WAIT].means
    if not means.loc[RECORDED].mean() > 0:
        return (
            f"Nobody waited in the log's windows: no order would be better than what it ran; {own}."
        )
    one = beside[WAIT].ratios.loc[name]
    label = labels_of([name])[name]
    ends = f"{one['ratio']:.2f} times (95 % {one['low']:.2f} to {one['high']:.2f})"
    if one["verdict"] == WORSE:
        return (
            f"It would be worse than what the site ran: {label}'s mean wait is {ends} the recorded "
            f"one; {own}."
        )
    if one["verdict"] != BETTER:
        return (
            f"That it would be better than what the site ran cannot be told: {label}'s mean wait "
            f"is {ends} the recorded one; {own}."
        )
    share = float(means.loc[REFERENCE].mean() / means.loc[RECORDED].mean())
    if share < ORDERED:
        return (
            f"Its mean wait is {ends} the recorded one, but that of EASY is {share:.2f} times it "
            "already: most of what jobs waited for is not in the order of the queue but in what a "
            f"log does not say (limits, nodes, partitions, outages); {own}."
        )
    return f"Its mean wait is {ends} what the site recorded; {own}."


def weeks_of(held_out: pd.DataFrame) -> int:
    """Return how many weeks of a site's second half policies were tried on."""
    return int(held_out["weeks"].max()) if len(held_out) else 0


def own_policies(held_out: pd.DataFrame) -> str:
    """Say whether a policy of the site's own pays on the weeks that it has not seen.

    As of `schedlab learn`: one pays that is better than the best of the others with hindsight, and
    is worse where it is worse than EASY, which is chosen beforehand.
    """
    weeks = weeks_of(held_out)
    if weeks < FEWEST_WINDOWS:
        return (
            f"whether a policy of its own pays cannot be told, for {weeks} weeks are held out and "
            f"{FEWEST_WINDOWS} are the fewest"
        )
    rows = held_out[held_out["metric"] == "slowdown"].set_index("policy")
    best, said = best_of_others(rows["mean"]), []
    for label in (LEARNED, TUNED):
        if label not in rows.index:
            said.append(f"no policy could be {label}")
            continue
        one = rows.loc[label]
        said.append(
            f"a {label} policy {_verdict(one, best)} ({one['ratio']:.2f} times EASY's mean bounded "
            f"slowdown, 95 % {one['low']:.2f} to {one['high']:.2f})"
        )
    return f"on {weeks} held-out weeks {' and '.join(said)}"


def _verdict(one: pd.Series, best: str) -> str:
    """Say whether a policy pays, from a row of its own; `best` is the best of the others."""
    if one["against best"] == BETTER:
        return f"pays: it is better than {best}, the best of the others"
    if one["against EASY"] == BETTER:
        return f"is better than EASY but not told to be better than {best}, the best of the others"
    return "is worse than EASY" if one["against EASY"] == WORSE else "stays open"


def _in_dialect(cell: str) -> str:
    """Say which scheduler is imitated, and what EASY stands for in it."""
    words = f"Every scheduler runs in the dialect {cell}."
    if dialect_of(cell).slurm:
        words += (
            " It is Slurm's: EASY is first come first served with Slurm's backfilling, which "
            "reserves for every job; orders of other entries replace the priority."
        )
    return words


def said_of_arena(
    facts: pd.Series,
    settings: SiteSettings,
    simulated: Mapping[str, Standing],
    survivors: pd.DataFrame,
) -> str:
    """Say how the arena's windows were chosen, how loaded they are, who could not run, and more.

    Parameters
    ----------
    facts : Series
        A row of `schedlab.arena.runs.FACTS`.
    settings : SiteSettings
        Of the site.
    simulated, survivors
        As of `chosen`: where windows are enough it is told what the usual metric alone would say.
    """
    if not facts["windows"]:
        return (
            f"The log's {facts['days']:.1f} days of submissions have no whole window of "
            f"{settings.days} days (and {settings.warm_up} of warm-up) behind their first quarter."
        )
    said = [
        f"{facts['windows']} windows of {settings.days} days, evenly spread behind the log's first "
        f"quarter, each with {settings.warm_up} days before it that are simulated and do not "
        f"count; a window begins with an empty machine. Jobs in them ask for {facts['load']:.1%} "
        "of the machine on average."
    ]
    if settings.dialect != "full":
        said.append(_in_dialect(settings.dialect))
    if simulated[USUAL].blocks >= FEWEST_WINDOWS:
        said.append(by_usual(simulated, survivors))
    if facts["weights"]:
        said.append(
            f"w_train is learned from {facts['learning']} windows in the first quarter: "
            f"{shortened(facts['weights'])}."
        )
    if facts["absent"]:
        said.append(f"Could not run: {facts['absent']}.")
    return "\n".join(said)
