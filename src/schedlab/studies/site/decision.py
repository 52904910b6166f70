"""The recommendation as a sheet: the best order, and the best one that Slurm can run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.comparison.choice import SIGNIFICANT, significance
from schedlab.comparison.comparing import FEWEST_WINDOWS
from schedlab.comparison.findings import USUAL, words_of, worse_metrics
from schedlab.comparison.schedulers import REFERENCE, labels_of
from schedlab.comparison.tails import LONGEST, by_scheduler
from schedlab.core.metrics import METRICS
from schedlab.core.splitting import DAY
from schedlab.report.words import between, joined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.comparison.choice import Choice
    from schedlab.comparison.standing import Standing

#: columns of the sheet: the question, and the answers for two schedulers
SHEET = ("question", "best", "slurm")
KEEP, TOO_SHORT = "keep the present order", "undecided: the log is too short"


def decision_sheet(
    simulated: Mapping[str, Standing],
    results: pd.DataFrame,
    simulated_choice: Choice,
    choice: Choice,
    losers: pd.DataFrame,
) -> pd.DataFrame:
    """Return a row per question about the best scheduler and the best one that Slurm can run.

    If nothing should change, or nothing can be said, the only question is which scheduler to run.
    """
    short = simulated[USUAL].blocks < FEWEST_WINDOWS
    if short or not simulated_choice.order:
        answer = TOO_SHORT if short else KEEP
        return pd.DataFrame([("scheduler", answer, answer)], columns=list(SHEET))
    answers = {
        column: facts_of(one.order[0], simulated, results, losers) | certainty_of(one)
        if one.order
        else {"scheduler": KEEP}
        for column, one in zip(SHEET[1:], (simulated_choice, choice), strict=True)
    }
    questions = list(dict.fromkeys(question for each in answers.values() for question in each))
    table = pd.DataFrame(answers, index=questions)
    return table.fillna("").rename_axis(index="question").reset_index()


def facts_of(
    name: str, simulated: Mapping[str, Standing], results: pd.DataFrame, losers: pd.DataFrame
) -> dict[str, str]:
    """Return what a site gains and loses with a scheduler, by question."""
    worse = [METRICS[metric].label for metric in worse_metrics(simulated, name)]
    longest = by_scheduler(results, LONGEST).iloc[:, 0] / DAY
    row = losers[losers["scheduler"] == name]
    lost = row[row["group"] != ""]
    return {
        "scheduler": labels_of([name])[name],
        "order": words_of(name),
        "mean wait, ratio to EASY": _ratio(*_interval(simulated["wait"], name)),
        "mean bounded slowdown, ratio to EASY": _ratio(*_interval(simulated[USUAL], name)),
        "worse than EASY by": joined(worse) if worse else "no metric",
        "longest wait": f"{longest[name]:.1f} days (EASY: {longest[REFERENCE]:.1f})",
        "jobs that wait longer": f"{row['longer'].iloc[0]:.0%}" if len(row) else "unknown",
        "class of jobs that loses most": _class_of(lost.iloc[0]) if len(lost) else "none",
    }


def certainty_of(choice: Choice) -> dict[str, str]:
    """Return how the best candidate compares with the second, and how certain the choice is."""
    if len(choice.order) < 2:
        return {"runner-up": "there is none"}
    ratio, low, high = choice.versus[choice.order[1]]
    second = labels_of([choice.order[1]])[choice.order[1]]
    differs = significance(low, high)
    facts = {
        "runner-up": second,
        "combined ratio over the runner-up's": f"{ratio:.3f} ({low:.3f} to {high:.3f}), {differs}",
    }
    if differs == SIGNIFICANT:
        facts["resampled windows with the same choice"] = f"{choice.share:.0%}"
    return facts


def _interval(standing: Standing, name: str) -> tuple[float, float, float]:
    row = standing.ratios.loc[name]
    return row["ratio"], row["low"], row["high"]


def _ratio(ratio: float, low: float, high: float) -> str:
    return f"{ratio:.2f} ({between(low, high)})"


def _class_of(row: pd.Series) -> str:
    return (
        f"{row['group']}: {row['wait'] / 3600:.1f} instead of {row['easy_wait'] / 3600:.1f} hours "
        "of mean wait"
    )
