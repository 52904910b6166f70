"""Ratios of the waits of Table 1, to compare backgrounds with the paper's private queues.

Absolute waits depend on the queue. The relative wait of a workflow that is submitted stage by stage
depends on it much less. A background resembles the paper's if its runs have the published ratios.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from schedlab.core.intervals import (
    RESAMPLES,
    block_length,
    interval,
    joint_chance,
    resampled_places,
)
from schedlab.core.streams import generator
from schedlab.report.claims import Outcome
from schedlab.report.items import item
from schedlab.report.parts import Table
from schedlab.studies.souza2020.evidence import by_workflow
from schedlab.studies.souza2020.inputs import LARGE, Facts, Table1, results_of, rows_of
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.backtest_predictors import ASA

BIG_JOB, PER_STAGE = ("Big Job", "-"), ("Per-Stage", "-")
LEARNED, AT_ONCE = ("ASA", ASA), ("All at once", "-")
#: ratios of waits that are summed over the runs of a system: numerator and denominator; the last
#: ratio is not published
PAIRS = {
    "Per-Stage ÷ Big Job": (PER_STAGE, BIG_JOB),
    "ASA ÷ Per-Stage": (LEARNED, PER_STAGE),
    "ASA ÷ Big Job": (LEARNED, BIG_JOB),
    "All at once ÷ Per-Stage": (AT_ONCE, PER_STAGE),
}
WORKFLOWS = ("Montage", "BLAST", "Statistics")
#: workflows over which waits are summed: all of them, and each alone
SUMMED = {"all": WORKFLOWS} | {one: (one,) for one in WORKFLOWS}
#: waits of one scale count as equal if the largest is at most this many times the least
EQUAL = 1.1
#: share of the instants that remains without those with the most waiting
TRIMMED = 0.9
AGREES, DIFFERS, OPEN, UNPRINTED = "agrees", "differs", Outcome.UNDECIDED.value, ""
KEYS = ["experiment", "system", "source", "request", "accrue", "load", "of", "ratio"]
COLUMNS = [*KEYS, "printed", "computed", "low", "high", "trimmed", "above", "below", "p"]
COLUMNS += ["joint", "outcome"]


@item("ratios", kind="table text", section="Table 1", **LARGE)
def hold_ratios(
    runs: Annotated[list[pd.DataFrame], results_of("stages", "table1", "readings")],
    printed: Table1,
    rows: Annotated[Facts, rows_of("table1", "readings")],
) -> tuple[Table, str]:
    """Compare ratios of the waits of Table 1 under every reading with the published ones."""
    names = [row["experiment"] for row in rows]
    table = ratios(rows, dict(zip(names, map(by_workflow, runs), strict=True)), printed)
    finding = headline(table.replace({"source": {r["source"]: r["workload"] for r in rows}}))
    logging.info(finding)
    return Table(table, facts={"equal": EQUAL}, more=finding), finding


def ratios(
    rows: Sequence[Mapping], runs: Mapping[str, pd.DataFrame], printed: pd.DataFrame
) -> pd.DataFrame:
    """Compare the ratios of every background that ran with the published ones."""
    records = []
    for row in rows:
        background_runs = runs[row["experiment"]]
        if background_runs.empty:
            continue
        waits = background_runs.pivot_table(
            index="replicate", columns=["strategy", "estimator", "workflow", "scale"], values="twt"
        )
        facts = {key: row[key] for key in KEYS[:6]}
        every = list(_ratios(row, waits, printed))
        published, samples = [one[2] for one in every], [one[3] for one in every]
        together = _joint_probability(published, samples, len(waits))
        for of, ratio, value, resampled, trimmed, wait_sums, null in every:
            low, high = interval(resampled) if len(waits) > 1 else (-np.inf, np.inf)
            above, below, chance = _signs(wait_sums)
            outcome = outcome_of_ratio(value, low, high, null)
            computed, without = trimmed
            cells = (value, computed, low, high, without, above, below, chance, together, outcome)
            records.append((*facts.values(), of, ratio, *cells))
    return pd.DataFrame(records, columns=COLUMNS)


def _joint_probability(
    printed: Sequence[float], resampled: Sequence[np.ndarray], instants: int
) -> float:
    """Return the joint chance of the published ratios; nan with a single instant."""
    published_places = [place for place, value in enumerate(printed) if not np.isnan(value)]
    if not published_places or instants < 2:
        return np.nan
    table = np.stack([resampled[place] for place in published_places], axis=1)
    return joint_chance(np.array([printed[place] for place in published_places]), table)


def _ratios(row: Mapping, waits: pd.DataFrame, printed: pd.DataFrame):
    """Yield each ratio of a background: of, name, printed, resampled, computed, instants, null."""
    count = len(waits)
    stream = generator(PAPER, "ratios", row["experiment"])
    places = resampled_places(count, RESAMPLES, stream, block_length(count))
    order = np.argsort(waits.sum(axis=1).to_numpy(), kind="stable")
    shortest = order[: max(1, int(TRIMMED * count))]
    scales = [int(one) for one in row["cores"]]
    for name, (over, under) in PAIRS.items():
        for of, workflows in SUMMED.items():
            sums = [
                sum(waits[(*who, workflow, scale)] for workflow in workflows for scale in scales)
                for who in (over, under)
            ]
            top, bottom = (one.to_numpy(float) for one in sums)
            value, base = (
                _published_sum(printed, who[0], workflows, scales) for who in (over, under)
            )
            resampled = _divide(top[places].sum(1), bottom[places].sum(1))
            trimmed = _divide(top[shortest].sum(), bottom[shortest].sum())
            computed = _divide(top.sum(), bottom.sum()), trimmed
            yield of, name, value / base, resampled, computed, (top, bottom), 1.0
    for scale in scales:
        workflow_waits = np.array(
            [waits[(*BIG_JOB, one, scale)].to_numpy(float) for one in WORKFLOWS]
        )
        waits_printed = [_published_sum(printed, BIG_JOB[0], (one,), [scale]) for one in WORKFLOWS]
        resampled_sums = workflow_waits[:, places].sum(axis=2)
        yield (
            f"{scale} cores", "most ÷ least of Big Job", max(waits_printed) / min(waits_printed),
            _divide(resampled_sums.max(0), resampled_sums.min(0)),
            tuple(
                _divide(one.max(), one.min())
                for one in (workflow_waits.sum(1), workflow_waits[:, shortest].sum(1))
            ),
            None, EQUAL,
        )  # fmt: skip


def _published_sum(
    printed: pd.DataFrame, strategy: str, workflows: Sequence[str], scales: Sequence[int]
) -> float:
    """Return the published waits of a strategy, summed; nan if none is published."""
    column = f"{strategy} TWT"
    if column not in printed:
        return np.nan
    rows = [f"{workflow} {scale}" for workflow in workflows for scale in scales]
    return float(printed.loc[rows, column].astype(float).sum())


def _divide(over: np.ndarray | float, under: np.ndarray | float) -> np.ndarray | float:
    """Divide; zero by zero gives 1, as both wait equally long."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.divide(over, under)
    quotient = np.where((np.asarray(over) == 0) & (np.asarray(under) == 0), 1.0, quotient)
    return quotient if quotient.ndim else float(quotient)


def _signs(pairs: tuple[np.ndarray, np.ndarray] | None) -> tuple[float, float, float]:
    """Return the numbers of instants with a longer and a shorter wait, and the sign test's p."""
    if pairs is None:
        return np.nan, np.nan, np.nan
    above, below = int((pairs[0] > pairs[1]).sum()), int((pairs[0] < pairs[1]).sum())
    chance = binomtest(above, above + below).pvalue if above + below else 1.0
    return above, below, float(chance)


def outcome_of_ratio(printed: float, low: float, high: float, null: float) -> str:
    """Return whether a computed ratio agrees with the published one (nan if none is published).

    `low` and `high` end the interval of the computed ratio. `null` is the ratio of no effect: 1, or
    `EQUAL` for the waits of one scale.
    """
    if np.isnan(printed):
        return UNPRINTED
    if null == 1:
        if not low <= printed <= high:
            return DIFFERS
        near = printed / EQUAL <= low and high <= printed * EQUAL
        return AGREES if near or not low <= null <= high else OPEN
    if low <= null < high:
        return OPEN
    return AGREES if (low > null) == (printed > null) else DIFFERS


def headline(table: pd.DataFrame) -> str:
    """Return how many published ratios each background reproduces, the best one first."""
    if table.empty:
        return "Nothing ran: the logs behind the systems are not available."
    tested = table[table["outcome"] != UNPRINTED]
    parts = []
    for (system, source, request, accrue), background_rows in tested.groupby(KEYS[1:5], sort=False):
        word = background_rows["outcome"].value_counts()
        age = "" if accrue else ", waiting jobs do not accrue age"
        text = (
            f"{source}, {REQUESTS.get(request, f'all request {request}')}{age} ({system}): "
            f"{word.get(AGREES, 0)} agree, {word.get(DIFFERS, 0)} differ, "
            f"{word.get(OPEN, 0)} undecided, joint p = {background_rows['joint'].iloc[0]:.2g}."
        )
        parts.append((-word.get(AGREES, 0), text))
    first = f"Each system has {len(tested) // len(parts)} published ratios of waits."
    return f"{first} {' '.join(words for _, words in sorted(parts, key=lambda one: one[0]))}"


REQUESTS = {"own": "jobs request their run times", "log": "jobs request as in the log"}
