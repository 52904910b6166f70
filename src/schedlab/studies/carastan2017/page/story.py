"""Build the first page's text on carastan2017: the window, the shuffle and the seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.comparison.toggles.sentences import discovery
from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import MATCH, NOT_AVAILABLE
from schedlab.studies.carastan2017.page.table4 import advantage, times
from schedlab.studies.carastan2017.toggles import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Mapping

ACTUAL = "actual runtimes r"
MODEL = "Workload model"
TABLE4 = "table4_comparison.csv"


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Summarize the paper for the first page.

    `tables` has table4_comparison, fig_samplers, claims, and toggles if choices were varied, every
    cell as text. If `models` ran in place of the logs, the story uses only results on the paper's
    data.
    """
    texts = tables["table4_comparison"]
    compared = texts.assign(computed=pd.to_numeric(texts["computed"]))
    regimes = {regime["regime"]: regime for regime in advantage(compared)["regimes"]}
    window = regimes.get(ACTUAL)
    found = [_seeds(texts), _shuffle(tables["fig_samplers"])]
    found.append(discovery(tables.get("toggles"), NUMBERS, "toggle_table4", models=False))
    return Story(
        finding=_sentence(window) if window else "",
        claims=claims_of(tables["claims"], "artefact"),
        discoveries=tuple(filter(None, [_window(window) if window else None, *found])),
    )


def _sentence(window: Mapping) -> str:
    """Return the learned policies' advantage as published and without the window."""
    return (
        "With actual run times the best learned policy is × "
        f"{times(window['published'])} ahead of the best ad-hoc one as printed, and × "
        f"{times(window['full'])} once both see the whole queue: the published simulator shows "
        "them its 32 oldest tasks."
    )


def _window(window: Mapping) -> Discovery:
    """Return the effect of the window of 32 tasks."""
    bars = {"printed": "published", "window of 32": "artefact", "whole queue": "full"}
    return Discovery(
        headline=(
            f"A window of 32 tasks turns × {times(window['full'])} into × "
            f"{times(window['artefact'])}"
        ),
        text=(
            "By how much the best of F1–F4 beats the best ad-hoc policy with actual run times, "
            f"median of {window['over']} experiments. The paper’s text sorts the whole queue; the "
            "published simulator sorts the 32 oldest waiting tasks."
        ),
        bars=tuple(
            Bar(label, window[name], f"× {times(window[name])}") for label, name in bars.items()
        ),
        rule="compare_table4",
        csv=TABLE4,
    )


def _shuffle(samplers: pd.DataFrame) -> Discovery | None:
    """Return the effect of the shuffle's bias on the published scores; None without both."""
    # a pool that is not available has rows with 0 tuples
    compared = samplers[samplers["tuples"].astype(int) > 0]
    uniform = compared[compared["simulated"] == "uniform"].set_index("published")
    if not {"published", "corrected"} <= set(uniform.index):
        return None
    raw, corrected = (float(uniform.at[way, "median"]) for way in ("published", "corrected"))
    return Discovery(
        headline=(
            f"The published scores carry a biased shuffle: r = {raw:.2f}, and {corrected:.2f} "
            "once it is taken out"
        ),
        text=(
            "Correlation of the published scores with those from uniform permutations of the same "
            f"tuples, median of {uniform.at['published', 'tuples']}. The artefact’s shuffle puts "
            "some places of a tuple first more often than others."
        ),
        bars=(
            Bar("as published", raw, f"{raw:.2f}"),
            Bar("bias taken out", corrected, f"{corrected:.2f}"),
        ),
        rule="draw_samplers",
        csv="fig_samplers.csv",
    )


def _seeds(texts: pd.DataFrame) -> Discovery | None:
    """Return how many numbers of the model rows match; None if these rows did not run."""
    rows = texts[texts["experiment"].str.startswith(MODEL) & (texts["dialect"] == "artefact")]
    compared = rows[rows["verdict"] != NOT_AVAILABLE]
    if compared.empty:
        return None
    equal = int((compared["verdict"] == MATCH).sum())
    return Discovery(
        headline=(
            "The model workloads are one number each, and with them "
            f"{equal} of {len(compared)} numbers of Table 4’s model rows have the printed digits"
        ),
        text=(
            "The paper does not give the seeds: the second in which the generator was started, "
            "found by trying every second of thirty months. So these rows need no download."
        ),
        bars=(
            Bar("printed digits", equal, str(equal)),
            Bar("compared", len(compared), str(len(compared))),
        ),
        rule="compare_table4",
        csv=TABLE4,
    )
