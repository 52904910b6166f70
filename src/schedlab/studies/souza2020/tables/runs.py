"""Table 1 of souza2020: means over replicates, normalized averages, and the spread of single runs.

One run of each strategy, as in the paper, is compared with the mean over replicates in `spread`.
"""

from collections.abc import Callable, Mapping
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.streams import generator
from schedlab.report.comparison import ANY, compare_number, published_of, read_reasons, reason_for
from schedlab.report.items import From, item, resource
from schedlab.report.parts import Table
from schedlab.report.verdicts import MATCH, verdict_of
from schedlab.studies.souza2020.evidence import (
    background_of,
    by_workflow,
    compare_means,
    over_instants,
)
from schedlab.studies.souza2020.inputs import Rows, Stages, Table1
from schedlab.studies.souza2020.sheet import PAPER

STRATEGIES = ("Big Job", "Per-Stage", "ASA")
#: published name of a metric, and its column of `by_workflow`
METRICS = {"TWT": "twt", "makespan": "makespan", "CH": "core_hours"}
COLUMNS = [f"{strategy} {measure}" for strategy in STRATEGIES for measure in METRICS]
#: the columns of Table 1, each with the ends of its interval
ENDED = [f"{column}{end}" for column in COLUMNS for end in ("", " low", " high")]
LEARNED = "ASA"
NO_ESTIMATOR = "-"
#: item of the percentages missing from Table 1, their meaning, and the largest value they allow
BLANKS, AT_MOST, LEFT_OUT = "percentages left out", "at most 1", 1.5
#: no percentage is given over a mean wait below this, in s. It is half of the minute between two
#: submissions: one waiting job more or less would change such a percentage several times over
LEAST = {"TWT": 30}


@item(
    *("table1", "table1_comparison", "averages", "arithmetic_comparison", "percentages", "text"),
    "spread", section="Table 1",
)  # fmt: skip
def make_run_tables(
    stages: Stages,
    printed: Table1,
    printed_averages: Annotated[pd.DataFrame, published_of("averages")],
    printed_percentages: Annotated[pd.DataFrame, published_of("percentages")],
    printed_text: Annotated[pd.DataFrame, published_of("text")],
    reasons: Annotated[
        Mapping[str, pd.DataFrame],
        From(
            resource("reasons.tsv"),
            lambda path: {
                name: read_reasons(path, name)
                for name in ("table1", "averages", "percentages", "text")
            },
        ),
    ],
    rows: Rows,
) -> dict[str, Table]:
    """Return Table 1, its averages, their comparisons, and the spread over replicates."""
    runs = by_workflow(stages)
    table = table1(runs)
    parts = {"averages": printed_averages, "percentages": printed_percentages}
    made = {
        "table1": table,
        "table1_comparison": compare_means(printed, table, COLUMNS, reasons["table1"]),
        "averages": averages(table),
        "arithmetic_comparison": recompute(printed, parts, reasons),
        "percentages": percentages(table),
        "text": compare_text(printed_text, printed, table, reasons["text"]),
        "spread": spread(printed, runs),
    }
    facts = {"on": background_of(rows), "least": LEAST["TWT"]}
    return {name: Table(one, facts=facts) for name, one in made.items()}


def papers_own(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of the paper's strategies; those with predictions use Algorithm 1."""
    return runs[runs["estimator"].isin((NO_ESTIMATOR, LEARNED))]


def means(runs: pd.DataFrame) -> pd.DataFrame:
    """Return mean and interval of every metric."""
    rows = []
    keys = ["workflow", "scale", "strategy", "estimator"]
    for place, group_runs in runs.groupby(keys, sort=False):
        row = dict(zip(keys, place, strict=True)) | {"replicates": len(group_runs)}
        for column in (*METRICS.values(), "idle_hours", "resubmitted"):
            values = group_runs[column].to_numpy(float)
            low, high = over_instants(values, generator(PAPER, "means", *map(str, place), column))
            row |= {column: values.mean(), f"{column}_low": low, f"{column}_high": high}
        rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else keys)


def table1(runs: pd.DataFrame) -> pd.DataFrame:
    """Return Table 1: a row per workflow and scale, the columns `COLUMNS`, and interval ends."""
    averaged = means(papers_own(runs))
    rows = []
    for (workflow, scale), scale_means in averaged.groupby(["workflow", "scale"], sort=False):
        row = {"run": f"{workflow} {scale}", "replicates": int(scale_means["replicates"].iloc[0])}
        by_strategy = scale_means.set_index("strategy")
        for strategy in STRATEGIES:
            for measure, column in METRICS.items():
                for end in ("", "_low", "_high"):
                    name = f"{strategy} {measure}{end.replace('_', ' ')}"
                    row[name] = by_strategy.loc[strategy, column + end]
        rows.append(row)
    return pd.DataFrame(rows, columns=["run", "replicates", *ENDED])


def extra(table: pd.DataFrame) -> pd.DataFrame:
    """Return by how many per cent each number exceeds the least of its metric in the row."""
    excess_of = {}
    for measure in METRICS:
        columns = [f"{strategy} {measure}" for strategy in STRATEGIES]
        values = table[columns].astype(float)
        least = values.min(axis=1)
        least = least.where(least >= LEAST.get(measure, 0))
        for column in columns:
            excess_of[column] = 100 * (values[column] - least) / least
    return pd.DataFrame(excess_of)[COLUMNS]


def averages(table: pd.DataFrame) -> pd.DataFrame:
    """Return the normalized averages: the mean of `extra` over the scales of each workflow."""
    grouped = extra(table).groupby(_workflows(table), sort=False)
    mean_excess = grouped.mean()
    mean_excess["scales of TWT"] = grouped["ASA TWT"].count()
    return mean_excess.rename_axis("workflow").reset_index()


def percentages(table: pd.DataFrame) -> pd.DataFrame:
    """Return `extra` with the names of the runs as first column; `table` as from `table1`."""
    excesses = extra(table)
    excesses.insert(0, "run", table["run"])
    return excesses


def excess(table: pd.DataFrame, measure: str, strategy: str, against: str) -> float:
    """Return by how many per cent a metric's sum over runs exceeds that of another strategy.

    The paper speaks of averages over all workflows. Its 2 % follow from the sums of the published
    table, not from the mean over runs of their excess, which is 1.2 %.
    """
    total = table[f"{strategy} {measure}"].astype(float).sum()
    base = table[f"{against} {measure}"].astype(float).sum()
    return float(100 * (total - base) / base)


def average(workflow: str, *strategies: str) -> Callable[[pd.DataFrame], float]:
    """Return a function for a strategy's average excess in makespan, minus that of another."""

    def excess_above(table: pd.DataFrame) -> float:
        workflow_averages = averages(table).set_index("workflow").loc[workflow]
        first, *subtracted = (float(workflow_averages[f"{one} makespan"]) for one in strategies)
        return first - sum(subtracted)

    return excess_above


def most_saved(measure: str) -> Callable[[pd.DataFrame], float]:
    """Return a function for the largest saving of ASA's average against Big Job's, in per cent."""

    def saving(table: pd.DataFrame) -> float:
        asa, big_job = (100 + averages(table)[f"{one} {measure}"] for one in ("ASA", "Big Job"))
        return float(100 * (1 - (asa / big_job).min()))

    return saving


#: numbers in the text, and the functions that compute them from a table like `table1`
TEXT: dict[str, Callable[[pd.DataFrame], float]] = {
    "makespan above Big Job (%)": lambda one: excess(one, "makespan", "ASA", "Big Job"),
    "core-hours above Per-Stage (%)": lambda one: excess(one, "CH", "ASA", "Per-Stage"),
    "core-hours below Big Job (%)": lambda one: -excess(one, "CH", "ASA", "Big Job"),
    "waits below Big Job, at most (%)": most_saved("TWT"),
    "makespan below Big Job, at most (%)": most_saved("makespan"),
    "Montage: Per-Stage's makespan above the least (%)": average("Montage", "Per-Stage"),
    "BLAST: Per-Stage's makespan above the least (%)": average("BLAST", "Per-Stage"),
    "Montage: of which ASA saves (%)": average("Montage", "Per-Stage", "ASA"),
    "BLAST: of which ASA saves (%)": average("BLAST", "Per-Stage", "ASA"),
}


def compare_text(
    text: pd.DataFrame, printed: pd.DataFrame, table: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare the numbers of the text with the published Table 1, and add the computed values."""
    rows = []
    for name, find in TEXT.items():
        value = text.loc[name, "value"]
        again = find(printed)
        computed = find(table) if len(table) else np.nan
        row = {"row": name, "published": value, "recomputed": again, "computed": computed}
        rows.append(row | compare_number(value, again, reasons, (ANY, name, "value")))
    names = ["row", "published", "recomputed", "verdict", "reason", "computed"]
    return pd.DataFrame(rows, columns=names)


def recompute(
    printed: pd.DataFrame, parts: Mapping[str, pd.DataFrame], reasons: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    """Compare the published percentages and averages with those of the published numbers.

    Percentages that are left out are compared too: the table gives them only above 1 %. The average
    of Big Job's core-hours uses the published percentages, because they come from exact hours.
    """
    over = extra(printed)
    published = parts["percentages"].reindex(index=over.index, columns=over.columns)
    exact = over.copy()
    exact["Big Job CH"] = published["Big Job CH"].astype(float).fillna(over["Big Job CH"])
    computed = {
        "percentages": over,
        "averages": exact.groupby(_workflows(exact), sort=False).mean(),
    }
    rows = []
    for name, table in parts.items():
        for (row, column), value in table.stack().dropna().items():
            mine = float(computed[name].loc[row, column])
            cells = {"item": name, "row": row, "column": column, "published": value}
            outcome = compare_number(value, mine, reasons[name], (ANY, row, column))
            rows.append(cells | {"computed": mine} | outcome)
    for row in over.index:
        for column in over.columns[published.loc[row].isna()]:
            mine = float(over.loc[row, column])
            cells = {"item": BLANKS, "row": row, "column": column, "published": AT_MOST}
            verdict = verdict_of(mine <= LEFT_OUT)
            cell = (reasons["percentages"], ANY, row, column, AT_MOST, mine)
            why = "" if verdict == MATCH else reason_for(*cell)
            rows.append(cells | {"computed": mine, "verdict": verdict, "reason": why})
    names = ["item", "row", "column", "published", "computed", "verdict", "reason"]
    return pd.DataFrame(rows, columns=names)


def _workflows(table: pd.DataFrame) -> np.ndarray:
    names = table["run"] if "run" in table else table.index.to_series()
    return names.astype(str).str.split().str[0].to_numpy()


#: columns of `spread`
SPREAD = ["run", "against", "printed", "computed", "low", "high", "shorter", "equal", "longer"]


def spread(printed: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return how often one run of each strategy shows what the mean over replicates shows."""
    compared_runs = papers_own(runs)
    rows = []
    for (workflow, scale), part in compared_runs.groupby(["workflow", "scale"], sort=False):
        wide = part.pivot(index="replicate", columns="strategy", values="makespan")
        run = f"{workflow} {scale}"
        for against in ("Big Job", "Per-Stage"):
            change = (wide["ASA"] - wide[against]).to_numpy(float)
            stream = generator(PAPER, "spread", run, against)
            row = printed.loc[run]
            gap = int(row["ASA makespan"]) - int(row[f"{against} makespan"])
            shares = (100 * side.mean() for side in (change < 0, change == 0, change > 0))
            ends = over_instants(change, stream)
            rows.append((run, against, gap, change.mean(), *ends, *shares))
    return pd.DataFrame(rows, columns=SPREAD)
