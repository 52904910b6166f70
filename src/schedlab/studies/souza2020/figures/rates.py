"""Beyond souza2020: compare Algorithm 1 under two kinds of learning rates."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.report.figures.picture import Picture
from schedlab.report.figures.style import COLORS, GREY, legend_below, titled
from schedlab.report.items import Item, item
from schedlab.report.parts import Table
from schedlab.studies.souza2020.convergence import tracks, windows
from schedlab.studies.souza2020.evidence import (
    background_of,
    by_workflow,
    over_instants,
    systems_of,
)
from schedlab.studies.souza2020.figures.beyond import moved, with_finding
from schedlab.studies.souza2020.inputs import (
    LARGE,
    Facts,
    Games,
    Learning,
    Series,
    Stages,
    rows_of,
    setting,
)
from schedlab.studies.souza2020.sheet import APART, PAPER
from schedlab.studies.souza2020.tables.accuracy import CLOSEST, COLUMNS, of_submissions
from schedlab.studies.souza2020.tables.runs import METRICS
from schedlab.waits.backtest_predictors import ASA, FALLING, learners_of
from schedlab.waits.settings import Settings

FIGURE5, THEOREM, TABLE1, TABLE2 = "Figure 5", "Theorem 1", "Table 1", "Table 2"
#: policies that have rates: the greedy one uses losses alone
LEARNING = ("default", "tuned")
LATE = ("hits (%)", "late")
STRATEGIES = ("ASA", "ASA Naive")
#: the columns of Table 2 that a prediction can change
PREDICTED = [column for column in (*COLUMNS, CLOSEST) if column != "WT"]
KEYS = ["item", "where", "what", "measure"]
ENDS = ("", " low", " high")
TABLE = [*KEYS, *(f"{name}{end}" for name in (ASA, FALLING, "change") for end in ENDS)]


def of_figure(learning: Settings, cases: int, runs: int) -> pd.DataFrame:
    """Compare shares of hits of figure 5."""
    came = {}
    for name, settings in learners_of(learning).items():
        waits, tracked = tracks(settings, cases, runs)
        for policy in LEARNING:
            for when, window in windows(waits).items():
                came[name, policy, when] = 100 * tracked[policy].hit[:, window].mean(axis=1)
    places = dict.fromkeys(key[1:] for key in came)
    rows = [
        _compare_pair((FIGURE5, policy, "hits (%)", when), came[ASA, policy, when],
                came[FALLING, policy, when])
        for policy, when in places
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=TABLE)


def of_games(games: pd.DataFrame) -> pd.DataFrame:
    """Compare shares (%) of runs within the bound of theorem 1, from `theorem.coverage_of_bound`.

    Returns `TABLE`, with the interval of the game; the change has no interval.
    """
    keys = ["losses", "alternatives", "delta"]
    rows = []
    for (kind, count, delta), game in games.groupby(keys, sort=False):
        by_learner = game.set_index("learner")
        key = (THEOREM, kind, f"m = {count}", f"δ = {delta:g}")
        row = dict(zip(KEYS, key, strict=True))
        for name in (ASA, FALLING):
            for end, cell in zip(ENDS, ("coverage", "low", "high"), strict=True):
                row[f"{name}{end}"] = 100 * float(by_learner.loc[name, cell])
        rows.append(row | {"change": row[FALLING] - row[ASA]})
    return pd.DataFrame(rows, columns=TABLE)


def of_runs(runs: pd.DataFrame, systems: dict[int, str] | None = None) -> pd.DataFrame:
    """Compare Table 1 under both strategies that use Algorithm 1."""
    learned_runs = runs[runs["estimator"].isin((ASA, FALLING))]
    learned_runs = learned_runs.rename(columns={column: name for name, column in METRICS.items()})
    return _compare_metrics(TABLE1, learned_runs, "strategy", list(METRICS), systems)


def of_series(submissions: pd.DataFrame, systems: dict[int, str] | None = None) -> pd.DataFrame:
    """Compare Table 2."""
    return _compare_metrics(TABLE2, submissions, "spacing", PREDICTED, systems)


def _compare_metrics(
    item: str, frame: pd.DataFrame, what: str, measures: list[str], systems: dict[int, str] | None
) -> pd.DataFrame:
    """Compare metrics by system or by run, each for every value of column `what`."""
    run = frame["workflow"].astype(str) + " " + frame["scale"].astype(str)
    placed = frame.assign(where=frame["scale"].map(systems) if systems else run)
    rows = []
    for place, place_runs in placed.groupby(["where", what], sort=False):
        means = place_runs.groupby(["estimator", "replicate"])[measures].mean()
        for measure in measures:
            values = means[measure].unstack("estimator").dropna()
            if len(values):
                key = (item, *place, measure)
                rows.append(_compare_pair(key, values[ASA].to_numpy(), values[FALLING].to_numpy()))
    return pd.DataFrame(rows, columns=TABLE)


def _compare_pair(key: tuple[str, ...], configured: np.ndarray, falling: np.ndarray) -> dict:
    row = dict(zip(KEYS, key, strict=True))
    change = falling - configured
    interval = over_instants if key[0] == TABLE1 else mean_interval
    for name, values in ((ASA, configured), (FALLING, falling), ("change", change)):
        low, high = interval(values, generator(PAPER, "rates", name, *key))
        row |= {name: float(np.mean(values)), f"{name} low": low, f"{name} high": high}
    return row


#: parts of the sentence on a system: item, what, metric, words and digits
CHANGES = (
    (TABLE1, "ASA", "TWT", "waits under ASA (s)", 0),
    (TABLE1, "ASA", "makespan", "makespans (s)", 0),
    (TABLE1, "ASA Naive", "CH", "core-hours under ASA Naive", 2),
    (TABLE2, APART, CLOSEST, "closest predictions (points)", 1),
)


def headline(table: pd.DataFrame, games: pd.DataFrame, systems: list[str]) -> str:
    """Return sentences: what changes with falling rates."""
    by_key = table.set_index(KEYS)
    late = {policy: by_key.loc[(FIGURE5, policy, *LATE)] for policy in LEARNING}
    hits = " and ".join(
        f"{one[FALLING]:.1f}% under the {policy} policy ({one[ASA]:.1f}% as configured)"
        for policy, one in late.items()
    )
    counts = games.groupby("learner")["result"].value_counts().unstack(fill_value=0)
    counts = counts.reindex(columns=["holds", "fails"], fill_value=0)
    falling, usual = counts.loc[FALLING], counts.loc[ASA]
    parts = [
        f"With falling rates, the late hit rate of figure 5 is {hits}.",
        f"Of {len(games) // 2} bounds in games of theorem 1, {falling['holds']} hold and "
        f"{falling['fails']} fail ({usual['holds']} and {usual['fails']} as configured).",
    ]
    for system in systems:
        changes = [
            f"{words} {_with_interval(by_key.loc[(item, system, what, measure)], digits)}"
            for item, what, measure, words, digits in CHANGES
            if (item, system, what, measure) in by_key.index
        ]
        if changes:
            parts.append(f"Changes on {system}: {', '.join(changes)}.")
    return " ".join(parts)


def _with_interval(row: pd.Series, digits: int) -> str:
    ends = (round(row[f"change{end}"], digits) + 0.0 for end in ENDS)
    mean, low, high = (f"{value:+,.{digits}f}" for value in ends)
    return f"{mean} ({low} to {high})"


#: column, color, marker and label of each learner, and of their difference
LEARNERS = (
    (ASA, COLORS[ASA], "o", "rates as configured"),
    (FALLING, COLORS[FALLING], "D", "falling rates"),
)
CHANGE = (("change", GREY, "s", "change"),)
#: panels, by rows: item, metric (all if none), what is drawn, title and axis
PANELS = (
    (FIGURE5, None, LEARNERS, "Figure 5: hits of first and last iterations", "runs (%)"),
    (THEOREM, None, LEARNERS, "Theorem 1: regret within the bound", "runs (%)"),
    (TABLE1, "TWT", CHANGE, "Table 1: waiting with falling rates", "change of TWT (s)"),
    (TABLE1, "CH", CHANGE, "Table 1: core-hours with falling rates", "change (h)"),
    (TABLE2, "hit", LEARNERS, "Table 2: predictions not above the wait", "hits (%)"),
    (TABLE2, "closest", LEARNERS, "Table 2: predictions closest to the wait", "closest (%)"),
)
#: inches of the upper panels for each of their rows, and of all other panels together
EACH, REST = 0.24, 6.0


@item(
    Item("beyond_rates", "table figure text"), "beyond_rates_runs",
    section="Beyond the paper", **LARGE,
)  # fmt: skip
def show_rates(
    stages: Stages,
    series: Series,
    played: Games,
    learning: Learning,
    of_fig5: Annotated[Mapping[str, int], setting("convergence")],
    rows: Annotated[Facts, rows_of("table1", "table2")],
) -> dict[str, Table | tuple[Table, Picture, str]]:
    """Compare Algorithm 1 with falling rates with the configured ones."""
    systems = systems_of(rows)
    runs, submitted = by_workflow(stages), of_submissions(series, learning.alternatives)
    table = _concatenate(
        of_figure(learning, **of_fig5),
        of_games(played),
        of_runs(runs, systems),
        of_series(submitted, systems),
    )
    by_run = _concatenate(of_runs(runs), of_series(submitted))
    finding = headline(table, played, list(dict.fromkeys(systems.values())))
    title = "Algorithm 1 with falling rates"
    return {
        "beyond_rates": with_finding(table, finding, draw_rates, title, rows),
        "beyond_rates_runs": Table(by_run, facts={"on": background_of(rows)}),
    }


def _concatenate(*parts: pd.DataFrame) -> pd.DataFrame:
    """Concatenate tables, and skip those without rows: their column types are undefined."""
    filled = [part for part in parts if len(part)]
    return pd.concat(filled, ignore_index=True) if filled else parts[0]


def draw_rates(table: pd.DataFrame, title: str) -> Figure:
    """Draw the results of both learners and their differences, with intervals."""
    upper = EACH * table["item"].isin((FIGURE5, THEOREM)).sum()
    with titled(
        upper + REST, moved(table, "change", "Falling rates change numbers"), title
    ) as figure:
        grid = figure.subplots(3, 2, height_ratios=(upper, REST / 2, REST / 2))
        for axes, (item, measure, series, name, unit) in zip(grid.flat, PANELS, strict=True):
            item_rows = table[table["item"] == item]
            item_rows = item_rows if measure is None else item_rows[item_rows["measure"] == measure]
            _draw(axes, item_rows.reset_index(drop=True), series)
            axes.set_title(name.replace(": ", ":\n"), loc="left", fontsize=8)
            axes.set_xlabel(unit)
        legend_below(figure, grid[0, 0])
    return figure


def _draw(axes: Axes, table: pd.DataFrame, series: tuple[tuple[str, str, str, str], ...]) -> None:
    for number, (column, color, marker, label) in enumerate(series):
        places = table.index + 0.3 * (number - (len(series) - 1) / 2)
        axes.hlines(places, table[f"{column} low"], table[f"{column} high"], color=color, lw=2)
        axes.plot(table[column], places, marker, color=color, ms=5, label=label)
    if series is CHANGE:
        axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(range(len(table)), [_label_of(one) for _, one in table.iterrows()])
    axes.tick_params(axis="y", labelsize=7)
    axes.invert_yaxis()


def _label_of(row: pd.Series) -> str:
    if row["item"] == FIGURE5:
        return f"{row['where']}, {row['measure']}"
    if row["item"] == THEOREM:
        return f"{row['where']}, {row['what']}, {row['measure']}"
    return f"{row['where']}, {row['what']}"
