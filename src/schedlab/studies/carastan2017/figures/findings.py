"""Summarize each figure of carastan2017 in one sentence, from the data that it draws."""

import pandas as pd

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.files.stand_ins import is_stand_in, kind_of
from schedlab.learning.regimes import FEWEST_WINDOWS
from schedlab.learning.tuples import MEAN_SCORE
from schedlab.report.words import joined, most_often, number_of
from schedlab.studies.carastan2017.names import DIALECT_WORDS

#: features of a function, in words
FEATURES = {"runtime": "run time", "procs": "processors", "submit": "submit time"}


def lowest(boxes: pd.DataFrame) -> str:
    """Return for each dialect which policy has the lowest median in most panels."""
    titles = boxes["title"]
    of_logs = titles.str.contains(" trace, ").any() or any(map(is_stand_in, titles))
    on = kind_of(titles, "workload traces") if of_logs else "the workload model"
    setting = f"on {on}, {joined(dict.fromkeys(titles.str.rpartition(', ')[2]))}"
    ran = boxes[boxes["n"] > 0]
    if ran.empty:
        return f"Medians {setting}: {NOT_AVAILABLE}"
    winners = []
    for dialect, dialect_boxes in ran.groupby("dialect", sort=False):
        best = dialect_boxes.loc[dialect_boxes.groupby("panel")["median"].idxmin(), "policy"]
        most, count = most_often(best)
        each = " each" if " and " in most else ""
        seen = DIALECT_WORDS[dialect].removeprefix("with the ")
        winners.append(f"{most} in {count} of {len(best)} panels{each} ({seen})")
    return f"Lowest median of {ran['policy'].nunique()} policies {setting}: {', '.join(winners)}"


def spread(examples: pd.DataFrame) -> str:
    """Return how far scores are from their mean; columns sampler, score."""
    deviation = examples.groupby("sampler", sort=False)["score"].std() / MEAN_SCORE
    spreads = [f"{100 * value:.0f} % of the mean ({name})" for name, value in deviation.items()]
    return f"Scores of tasks vary by {' and '.join(spreads)}"


def noise(convergence: pd.DataFrame) -> str:
    """Return the noise that remains with the most trials; columns sampler, trials, deviation."""
    trials = convergence["trials"].max()
    last = convergence[convergence["trials"] == trials]
    mean_deviation = last.groupby("sampler", sort=False)["deviation"].mean()
    deviations = [f"{100 * value:.2g} % ({name})" for name, value in mean_deviation.items()]
    return f"With {trials:,} trials a score’s noise is {' and '.join(deviations)} of its mean"


def corrected(correlations: pd.DataFrame) -> str:
    """Return how published and uniform scores correlate; columns simulated, published, median."""
    uniform = correlations[correlations["simulated"] == "uniform"]
    medians = uniform.set_index("published")["median"]
    return (
        f"Published and simulated scores correlate with r = {medians['published']:.2f}; corrected "
        f"for the artefact’s shuffle, with r = {medians['corrected']:.2f}"
    )


def rising(surfaces: pd.DataFrame) -> str:
    """Return with which features the scores of how many functions rise, from the drawn planes.

    A score rises if it is higher on average at the feature's largest value than at its smallest.
    """
    functions = surfaces["id"].nunique()
    counts = []
    for feature, words in FEATURES.items():
        planes = surfaces[(surfaces["x"] == feature) | (surfaces["y"] == feature)]
        ends = [
            planes[planes[feature] == value].groupby("id")["score"].mean()
            for value in (planes[feature].min(), planes[feature].max())
        ]
        counts.append(f"{words} in {(ends[1] > ends[0]).sum()}")
    return f"Of {functions} functions the score rises with {joined(counts)}"


def significant(matrix: pd.DataFrame) -> str:
    """Return at how many sites the site's policy is better or worse than the best of F1 to F4."""
    local_policies = matrix[(matrix["trained"] == matrix["tested"]) & (matrix["status"] == "")]
    verdicts = []
    for regime, cells in local_policies.groupby("regime", sort=False):
        enough = cells["windows"] >= FEWEST_WINDOWS
        better, worse = enough & (cells["high"] < 1), enough & (cells["low"] > 1)
        counts = f"better at {better.sum()} and worse at {worse.sum()} of {len(cells)} sites"
        if not (better | worse).any():
            counts = f"no significant difference at {number_of(enough.sum(), 'site')}"
            if not enough.any():
                counts = "too few windows at each site"
        verdicts.append(f"{counts} ({regime})")
    if not verdicts:
        return "No policy learned on a site’s log is compared with the best of F1–F4"
    return f"Site policies compared with the best of F1–F4: {'; '.join(verdicts)}"
