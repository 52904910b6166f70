"""The items of the search of programs."""

import sys
from typing import Annotated, Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS
from schedlab.core.intervals import (
    LEVEL,
    block_length,
    chance_true,
    holm,
    interval,
    resampled_places,
)
from schedlab.core.streams import generator
from schedlab.learning.program_scores import MEASURED, SCORED
from schedlab.learning.weights.guarded import too_long
from schedlab.policies.expression import compile_expression
from schedlab.policies.published import published
from schedlab.report.figures.picture import Picture, log_not_available, mark_missing
from schedlab.report.figures.style import BLUE, GREY, ORANGE, legend_below, titled
from schedlab.report.items import From, Given, Group, Item, Study, groups_of, item, with_words
from schedlab.report.parts import Table, Text
from schedlab.studies.programs.trial import FOUND, LATER, OTHER, PARTS, TRAINING

MADE = "<results>/simulations/programs"
#: all windows that the search has not seen
HELD_OUT = "held_out"
RESAMPLES = 10_000


def page(study: Study) -> dict[str, Any]:
    """Return nothing: the search has no page of the report."""
    return {}


def groups(study: Study) -> list[Group]:
    """Return the groups of items."""
    settings, bound = study.config[study.key], study.config["advice"]["longest_wait"]
    facts = settings | {"bound": bound, "models": study.config["source"] == "models"}
    return with_words(groups_of(study, sys.modules[__name__]), study, lambda _: facts)


def log_ratios(measured: pd.DataFrame) -> pd.DataFrame:
    """Return the logarithm of each scheduler's ratios to EASY in each window, as the search scores.

    Rows are windows (part, log, window), columns schedulers.
    """
    index = ["part", "log", "window"]
    wide = measured.pivot(index=index, columns="scheduler", values=list(SCORED))
    ratios = [np.log(wide[name].div(wide[name][REFERENCE], axis=0)) for name in SCORED]
    return sum(ratios[1:], ratios[0]) / len(SCORED)


def resampled(ratios: pd.DataFrame) -> np.ndarray:
    """Return the mean over logs, then resampled ones: shape (1 + `RESAMPLES`, schedulers).

    Blocks of neighboring windows of each log are drawn, the same for all schedulers. Without a
    window all are nan.
    """
    logs = ratios.groupby(["part", "log"])
    total = np.full((1 + RESAMPLES, ratios.shape[1]), 0.0 if len(ratios) else np.nan)
    for key, rows in logs:
        count, stream = len(rows), generator("programs", "resamples", *key)
        places = resampled_places(count, RESAMPLES, stream, block_length(count))
        total += rows.to_numpy()[np.vstack([np.arange(count), places])].mean(axis=1) / len(logs)
    return total


def standing_of(measured: pd.DataFrame, longest_wait: float) -> pd.DataFrame:
    """Return how each scheduler compares with EASY on the windows of each part, by scheduler.

    Columns: label, expression, size; ratio, low and high for each of `PARTS` and `HELD_OUT`;
    too_long, the logs on which its longest wait exceeds the bound, with the one of training apart;
    chance, the Holm-adjusted p-value of a difference of a found expression from the reference, in
    the column reference. That is the best known scheduler on the training windows by one expression
    whose waits were not too long there.
    """
    ratios = log_ratios(measured)
    names = [name for name in measured["scheduler"].unique() if name != REFERENCE]
    ratios = ratios[names]
    texts = measured.drop_duplicates("scheduler").set_index("scheduler")["expression"]
    table = pd.DataFrame({"expression": texts[names]}, index=names)
    table["label"] = [SCHEDULERS[name].label if name in SCHEDULERS else name for name in names]
    is_network = table.index.isin(list(published()))
    table.loc[is_network, "expression"] = ""
    table["size"] = [
        len(compile_expression(text).op) if text else np.nan for text in table["expression"]
    ]
    draws = {}
    for part in (*PARTS, HELD_OUT):
        chosen = ratios.index.isin([LATER, OTHER] if part == HELD_OUT else [part], level="part")
        draws[part] = resampled(ratios[chosen])
        table[part] = np.exp(draws[part][0])
        ends = [interval(column[1:]) for column in draws[part].T]
        table[f"{part}_low"], table[f"{part}_high"] = np.exp(np.array(ends)).T
    longest = measured.groupby(["part", "log", "scheduler"])[MEASURED[-1]].max().unstack()
    for part, column in ((TRAINING, "too_long_training"), (HELD_OUT, "too_long")):
        waits = longest[(longest.index.get_level_values("part") == TRAINING) == (part == TRAINING)]
        table[column] = [
            sum(map(too_long, waits[name], waits[REFERENCE], [longest_wait] * len(waits)))
            for name in names
        ]
    is_found = table.index.str.startswith(FOUND)
    is_one = ~is_found & ~is_network & (table.index != "w_train")
    eligible = table[is_one & (table["too_long_training"] == 0)]
    table["reference"] = reference = str(eligible[TRAINING].idxmin())
    held = draws[HELD_OUT]
    base = held[:, names.index(reference)]
    chances = [
        chance_true((held[1:, place] < base[1:]) == (held[0, place] < base[0]))
        for place in np.flatnonzero(is_found)
    ]
    table["chance"] = np.nan
    table.loc[is_found, "chance"] = holm(np.array(chances))
    return table


def verdicts(found: pd.DataFrame, reference: pd.Series) -> tuple[int, int]:
    """Return how many found expressions are better, and worse, than the reference (5 %)."""
    is_sure = found["chance"] < 1 - LEVEL
    return (
        int((is_sure & (found[HELD_OUT] < reference[HELD_OUT])).sum()),
        int((is_sure & (found[HELD_OUT] > reference[HELD_OUT])).sum()),
    )


def draw_sizes(table: pd.DataFrame) -> Figure:
    """Draw the gain over EASY by size of the expression, on later windows and on other logs."""
    found = table[table.index.str.startswith(FOUND)]
    known, reference = table.drop(found.index), table.loc[table["reference"].iloc[0]]
    better, _ = verdicts(found, reference)
    finding = (
        f"On windows that the search has not seen, {better or 'none'} of {len(found)} found "
        f"expressions {'beat' if better > 1 else 'beats'} {reference['label']}"
    )
    with titled(
        3.6, finding, "Gain: of the geometric mean of slowdown and response time; 95 % intervals"
    ) as figure:
        panels = figure.subplots(1, 2, sharey=True)
        parts = ((LATER, "later windows"), (OTHER, "other logs"))
        for axes, (part, name) in zip(panels, parts, strict=True):
            for rows, color, mark, label in (
                (known, GREY, "s", "known"),
                (known[known.index == known["reference"]], ORANGE, "s", "best known in training"),
                (found, BLUE, "o", "found"),
            ):
                gain, low, high = (
                    100 * (1 - rows[f"{part}{end}"]) for end in ("", "_high", "_low")
                )
                bars = [gain - low, high - gain]
                axes.errorbar(rows["size"], gain, bars, fmt=mark, color=color, ms=4, lw=1)
                axes.plot([], [], mark, color=color, label=label, ms=4)
            if table[part].isna().all():
                mark_missing(axes)
                continue
            axes.axhline(0, color=GREY, lw=0.8)
            axes.set(title=name, xlabel="size of the expression (nodes)")
        panels[0].set_ylabel("gain over EASY (%)")
        legend_below(figure, panels[0])
    return figure


@item(
    "programs", Item("fig_programs", "figure"), Item("finding", "text"),
    section="Programs", memory=1000, minutes=10,
)  # fmt: skip
def compare_programs(
    measured: Annotated[pd.DataFrame, From(lambda *_: f"{MADE}/measured.parquet")],
    front: Annotated[pd.DataFrame, From(lambda *_: f"{MADE}/front.parquet")],
    site: Annotated[pd.DataFrame, From(lambda *_: f"{MADE}/site.parquet")],
    advice: Annotated[dict, Given(lambda study, _: study.config["advice"])],
) -> dict[str, Table | Picture | Text]:
    """Compare found expressions with known schedulers on windows that the search has not seen."""
    seen = measured[measured["part"] != TRAINING] if len(measured) else measured
    if front.empty or seen.empty:
        nothing = pd.DataFrame({"expression": []})
        picture = Picture(log_not_available("the search of programs"), nothing)
        facts = {"available": False, "site": []}
        return {"programs": Table(nothing, facts=facts), "fig_programs": picture,
                "finding": Text(facts)}  # fmt: skip
    table = standing_of(measured, advice["longest_wait"])
    found = table[table.index.str.startswith(FOUND)]
    best, reference = found.iloc[-1], table.loc[table["reference"].iloc[0]]
    better, worse = verdicts(found, reference)
    facts = {
        "available": True,
        "reference": reference.to_dict(),
        "best": best.to_dict(),
        "leader": table.loc[table[HELD_OUT].idxmin()].to_dict(),
        "found": len(found),
        "better": better,
        "worse": worse,
        "too_long": int((found["too_long"] > 0).sum()),
        "logs": int(seen.groupby(["part", "log"]).ngroups),
        "windows": int(seen.groupby(["part", "log", "window"]).ngroups),
        "evaluations": int(front["evaluations"].iloc[0]),
        "site": site.to_dict("records"),
    }
    shown = table.sort_values(HELD_OUT).drop(columns="reference")
    shown["size"] = shown["size"].astype("Int64")  # networks have none
    shown = shown[["label", *shown.columns.drop(["label", "expression"]), "expression"]]
    return {
        "programs": Table(shown, facts=facts),
        "fig_programs": Picture(draw_sizes(table), table.drop(columns="reference")),
        "finding": Text(facts),
    }
