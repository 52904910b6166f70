"""Beyond souza2020: compare estimators of waits."""

import logging
from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from schedlab.core.intervals import (
    LEVEL,
    RESAMPLES,
    block_length,
    chance_above,
    chance_below,
    holm,
    interval,
    resampled_places,
)
from schedlab.core.streams import generator
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import COLORS, titled
from schedlab.report.items import item
from schedlab.report.parts import Table, Words
from schedlab.report.words import filled
from schedlab.studies.souza2020.evidence import background_of, by_workflow, systems_of
from schedlab.studies.souza2020.inputs import LARGE, Facts, Rows, Stages
from schedlab.studies.souza2020.sheet import PAPER, PERFECT
from schedlab.waits.backtest_predictors import ASA, FALLING


def moved(table: pd.DataFrame, column: str, what: str) -> str:
    """Return a sentence: how many differences are significant, and in which direction.

    Expects ``<column> low`` and ``<column> high``. `what` is subject and verb of the sentence.
    """
    up, down = (table[f"{column} low"] > 0).sum(), (table[f"{column} high"] < 0).sum()
    return f"{what}: significantly up in {up}, down in {down} of {len(table)}"


BASELINE = ("Per-Stage", "-")
LEARNED = "ASA"
AT_ONCE = "All at once"
INDEPENDENT = "ASA Naive"
HOUR = 3_600
#: metric, and its column of `by_workflow`
CHANGES = {"makespan": "makespan", "core-hours": "core_hours"}
SHOWN = {"TWT": "twt"} | CHANGES | {"resubmitted": "resubmitted"}


def predictors(runs: pd.DataFrame, systems: dict[int, str]) -> pd.DataFrame:
    """Return a row per system, strategy and estimator: changes compared with Per-Stage."""
    keys = ["system", "strategy", "estimator"]
    frame = runs.assign(system=runs["scale"].map(systems))
    frame["cost"] = frame["core_hours"] + frame["scale"] * frame["makespan"] / HOUR
    columns = ["twt", "makespan", "core_hours", "resubmitted", "cost"]
    by_replicate = frame.groupby([*keys, "replicate"])[columns].mean()
    rows = []
    for place in dict.fromkeys(zip(*(frame[key] for key in keys), strict=True)):
        system, strategy = place[:2]
        values, base = by_replicate.loc[place], by_replicate.loc[(system, *BASELINE)]
        row = dict(zip(keys, place, strict=True)) | {"replicates": len(values)}
        row |= {name: values[column].mean() for name, column in SHOWN.items()}
        for name, column in CHANGES.items():
            change = 100 * (values[column] - base[column]) / base[column].mean()
            row |= _with_ends(f"{name} (%)", change, place)
        if (system, strategy, LEARNED) in by_replicate.index:
            learned = by_replicate.loc[(system, strategy, LEARNED)]
            row |= _with_ends("learned", values["twt"] - learned["twt"], place)
        if (system, strategy, PERFECT) in by_replicate.index:
            best = by_replicate.loc[(system, strategy, PERFECT)]
            row["delay"] = (values["makespan"] - best["makespan"]).mean()
            row |= _with_ends("lost", values["cost"] - best["cost"], place)
        rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else keys)


def _with_ends(name: str, change: pd.Series, place: tuple[str, ...]) -> dict[str, float]:
    values, ends, chance = change.to_numpy(float), (-np.inf, np.inf), 1.0
    if len(values) > 1:
        stream = generator(PAPER, "predictors", name, *place)
        places = resampled_places(len(values), RESAMPLES, stream, block_length(len(values)))
        resampled = values[places].mean(axis=1)
        ends = interval(resampled)
        chance = min(chance_below(resampled, 0), chance_above(resampled, 0))
    mean_of = {name: float(np.mean(values))}
    return mean_of | {f"{name} low": ends[0], f"{name} high": ends[1], f"{name} p": chance}


def headline(table: pd.DataFrame, text: str) -> str:
    """Fill whether Algorithm 1 pays, and which predictors are better or worse."""
    if table.empty:
        return filled(text, {"systems": ()})
    asa_rows, systems = table[table["strategy"] == "ASA"], []
    asa_rows = asa_rows.assign(significant=_significant(asa_rows))
    for system, part in asa_rows.groupby("system", sort=False):
        others = part[~part["estimator"].isin([LEARNED, PERFECT]) & part["significant"]]
        own = table[table["system"] == system].set_index("strategy")
        independent = own.loc[own.index == INDEPENDENT].set_index("estimator")
        one = {"name": system, "learned": part[part["estimator"] == LEARNED].iloc[0]}
        one |= {"better": others.loc[others["learned"] < 0, "estimator"].tolist()}
        one |= {"worse": others.loc[others["learned"] > 0, "estimator"].tolist()}
        one |= {"at_once": own.loc[own.index == AT_ONCE].to_dict("records")}
        one |= {"lost": independent["lost"].drop(PERFECT) if PERFECT in independent.index else None}
        systems.append(one)
    return filled(text, {"systems": systems, "learner": LEARNED})


def _significant(changes: pd.DataFrame) -> pd.Series:
    p_values = changes.loc[~changes["estimator"].isin([LEARNED, PERFECT]), "learned p"]
    corrected = pd.Series(holm(p_values.to_numpy(float)), p_values.index)
    return (corrected < 1 - LEVEL).reindex(changes.index, fill_value=False)


WITHOUT = "no estimates"
NAMES = {"-": WITHOUT, ASA: "Algorithm 1", FALLING: "Algorithm 1, falling rates"}
MARKERS = {"Big Job": "s", "Per-Stage": "X", "ASA": "o", "ASA Naive": "^", "All at once": "P"}
METRICS = ("makespan (%)", "core-hours (%)")


@item("beyond_predictors", kind="table figure text", section="Beyond the paper", **LARGE)
def show_predictors(stages: Stages, rows: Rows, words: Words) -> tuple[Table, Picture, str]:
    """Compare the strategies with other wait predictors."""
    table = predictors(by_workflow(stages), systems_of(rows))
    title = "Strategies with other predictors of waits"
    finding = headline(table, words["beyond_predictors"]["sentence"])
    return with_finding(table, finding, draw_predictors, title, rows)


def with_finding(
    table: pd.DataFrame,
    finding: str,
    draw: Callable[[pd.DataFrame, str], Figure],
    title: str,
    rows: Facts,
    digits: int = 2,
) -> tuple[Table, Picture, str]:
    """Return a table with the sentence of what it shows, its figure, and the sentence."""
    on = background_of(rows)
    logging.info(finding)
    empty = log_not_available(rows[0]["source"]) if table.empty else None
    figure = empty or draw(table, f"{title}. {on}")
    return Table(table, digits, {"on": on}, finding), Picture(figure), finding


def draw_predictors(table: pd.DataFrame, title: str) -> Figure:
    """Draw the change of makespan and of core-hours compared with Per-Stage, with intervals."""
    systems = list(dict.fromkeys(table["system"]))
    changed = table[table["strategy"] != "Per-Stage"]
    with titled(
        1.6 + 2.1 * len(systems),
        moved(
            changed[changed["estimator"] != PERFECT], "makespan (%)", "Makespans against Per-Stage"
        ),
        title,
    ) as figure:
        grid = figure.subplots(len(systems), len(METRICS), squeeze=False, sharey="row")
        for row, system in zip(grid, systems, strict=True):
            system_rows = changed[changed["system"] == system].reset_index(drop=True)
            for axes, measure in zip(row, METRICS, strict=True):
                for place, entry in system_rows.iterrows():
                    estimator = entry["estimator"]
                    color = COLORS[WITHOUT if estimator == "-" else estimator]
                    ends = [entry[f"{measure} low"], entry[f"{measure} high"]]
                    axes.plot(ends, [place, place], color=color, lw=2)
                    axes.plot(entry[measure], place, MARKERS[entry["strategy"]], color=color, ms=5)
                axes.axvline(0, color="black", lw=0.8)
                axes.set_xlabel(f"{measure.removesuffix(' (%)')}, against Per-Stage (%)")
                axes.set_title(system, loc="left", fontsize=9)
            row[0].set_yticks(
                range(len(system_rows)), [_label_of(one) for _, one in system_rows.iterrows()]
            )
            row[0].tick_params(axis="y", labelsize=7)
            row[0].invert_yaxis()
    return figure


def _label_of(row: pd.Series) -> str:
    if row["estimator"] == "-":
        return row["strategy"]
    return f"{row['strategy']}: {NAMES.get(row['estimator'], row['estimator'])}"
