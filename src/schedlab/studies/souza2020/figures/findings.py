"""Headlines of the figures of souza2020: one sentence each, from the data they draw."""

import pandas as pd

from schedlab.report.claims import outcomes
from schedlab.report.words import joined
from schedlab.studies.souza2020.theorem import outcomes_of_games

# Number of iterations at the end of a curve that count as late.
LATE = 20


def _join_values(values: pd.Series, form: str) -> str:
    return joined(f"{form.format(value)} ({name})" for name, value in values.items())


def core_hours(table: pd.DataFrame) -> str:
    """Return a sentence with the core-hours of each strategy: strategy, cores, start, end (s)."""
    hours = table["cores"] * (table["end"] - table["start"]) / 3600
    sums = hours.groupby(table["strategy"], sort=False).sum()
    return f"Core-hours allocated: {_join_values(sums, '{:,.0f}')}"


def done(table: pd.DataFrame) -> str:
    """Return a sentence with each strategy's end of the workflow: columns strategy and end (s)."""
    ends = table.groupby("strategy", sort=False)["end"].max() / 60
    return f"Workflow ends after {_join_values(ends, '{:,.0f} min')}"


def late_hits(curves: pd.DataFrame) -> str:
    """Return a sentence with each policy's late share of hits: columns policy, case and hit."""
    late = curves[curves["case"] > curves["case"].max() - LATE]
    shares = 100 * late.groupby("policy", sort=False)["hit"].mean()
    return f"Hit rate of the last {LATE} estimates: {_join_values(shares, '{:.0f} %')}"


def sooner(stacks: pd.DataFrame, workflow: str) -> str:
    """Return at how many scales ASA's mean makespan is below Per-Stage's, from `stacks`."""
    wide = stacks.drop_duplicates(["scale", "bar"]).pivot(
        index="scale", columns="bar", values="makespan"
    )
    count = int((wide["ASA"] < wide["Per"]).sum())
    return f"{workflow}: ASA’s mean makespan is below Per-Stage’s at {count} of {len(wide)} scales"


def bounds(kept: pd.DataFrame) -> str:
    """Return in how many games the bound holds, from `theorem.coverage_of_bound`."""
    return f"Bound of theorem 1: {outcomes(outcomes_of_games(kept), 'games')}"


def reached(searches: pd.DataFrame) -> str:
    """Return how many backgrounds reach the published wait, from `calibration.collect_searches`."""
    verdicts = searches.drop_duplicates("experiment")["printed wait"]
    return (
        f"{(verdicts == 'reached').sum()} of {len(verdicts)} backgrounds reach the published wait"
    )


def moved(table: pd.DataFrame, column: str, what: str) -> str:
    """Return a sentence: how many differences are significant, and in which direction.

    Expects ``<column> low`` and ``<column> high``. `what` is subject and verb of the sentence.
    """
    up, down = (table[f"{column} low"] > 0).sum(), (table[f"{column} high"] < 0).sum()
    return f"{what}: significantly up in {up}, down in {down} of {len(table)}"
