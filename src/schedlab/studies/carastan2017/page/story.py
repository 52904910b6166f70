"""Build the first page's text on carastan2017: the window, the shuffle and the seeds."""

from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.toggles.sentences import discovery
from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import MATCH, is_compared
from schedlab.studies.carastan2017.page.table4 import advantage, factors, times
from schedlab.studies.carastan2017.toggles import NUMBERS

ACTUAL = "actual runtimes r"
MODEL = "Workload model"
TABLE4 = "table4_comparison.csv"


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Summarize the paper for the first page."""
    texts = tables["table4_comparison"]
    compared = texts.assign(computed=pd.to_numeric(texts["computed"]))
    regimes = {regime["regime"]: regime for regime in advantage(compared)["regimes"]}
    window = regimes.get(ACTUAL)
    discoveries = [_describe_seeds(texts), _describe_shuffle(tables["fig_samplers"])]
    discoveries.append(discovery(tables.get("toggles"), NUMBERS, "toggle_table4", models=False))
    return Story(
        finding=_compare_advantages(window) if window else "",
        claims=claims_of(tables["claims"], "artefact"),
        discoveries=tuple(
            filter(None, [_describe_window(window) if window else None, *discoveries])
        ),
    )


def _compare_advantages(window: Mapping) -> str:
    """Return the learned policies' advantage as published, with and without the window."""
    return (
        "With actual run times, the best learned policy leads the best ad-hoc policy by "
        f"{factors(window)}. The published simulator shows policies only the 32 oldest tasks."
    )


def _describe_window(window: Mapping) -> Discovery:
    """Return the effect of the window of 32 tasks."""
    bars = {"window of 32": "artefact", "whole queue": "full"}
    return Discovery(
        headline=(
            "A hidden window of 32 tasks changes the advantage from "
            f"× {times(window['full'])} to × {times(window['artefact'])}"
        ),
        text=(
            "Advantage of the best of F1–F4 over the best ad-hoc policy with actual run times, "
            f"median of {window['over']} experiments. The paper’s text sorts the whole queue. The "
            "published simulator sorts only the 32 oldest waiting tasks."
        ),
        bars=tuple(
            Bar(label, window[name], f"× {times(window[name])}") for label, name in bars.items()
        ),
        rule="compare_table4",
        csv=TABLE4,
        section="finding",
        of_finding=True,
    )


def _describe_shuffle(samplers: pd.DataFrame) -> Discovery | None:
    """Return the effect of the shuffle's bias on the published scores; None without both."""
    # a pool that is not available has rows with 0 tuples
    compared = samplers[samplers["tuples"].astype(int) > 0]
    uniform = compared[compared["simulated"] == "uniform"].set_index("published")
    if not {"published", "corrected"} <= set(uniform.index):
        return None
    raw, corrected = (float(uniform.at[way, "median"]) for way in ("published", "corrected"))
    return Discovery(
        headline=(
            f"A biased shuffle distorts the published scores: r = {raw:.2f}, corrected "
            f"{corrected:.2f}"
        ),
        text=(
            "Correlation between published scores and scores from uniform permutations of the same "
            f"tuples, median of {uniform.at['published', 'tuples']} tuples. The artefact’s shuffle "
            "puts some positions of a tuple first more often than others."
        ),
        bars=(
            Bar("as published", raw, f"{raw:.2f}"),
            Bar("bias corrected", corrected, f"{corrected:.2f}"),
        ),
        rule="draw_samplers",
        csv="fig_samplers.csv",
        section="fig_samplers",
    )


def _describe_seeds(texts: pd.DataFrame) -> Discovery | None:
    """Return how many numbers of the model rows match; None if these rows did not run."""
    rows = texts[texts["experiment"].str.startswith(MODEL) & (texts["dialect"] == "artefact")]
    compared = rows[is_compared(rows)]
    if compared.empty:
        return None
    equal = int((compared["verdict"] == MATCH).sum())
    return Discovery(
        headline=(
            f"Recovered seeds reproduce {equal} of {len(compared)} numbers of Table 4’s model rows"
        ),
        text=(
            "The paper does not state the seeds. A seed is the second in which the generator "
            "started; schedlab tried every second of thirty months. These rows need no download."
        ),
        bars=(
            Bar("published digits", equal, str(equal)),
            Bar("compared", len(compared), str(len(compared))),
        ),
        rule="compare_table4",
        csv=TABLE4,
        section="seeds",
    )
