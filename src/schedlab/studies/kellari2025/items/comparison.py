"""Compare chapter 6 of kellari2025 with the published tables, and test it on more workloads."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.report import comparison, verdicts
from schedlab.report.parts import Table
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025.tables import chapter6

# Title and note of every table.
SHOWN = {
    "table6_comparison": (
        "Tables 6.1 and 6.2, published and computed",
        f"{verdicts.explanation()} low and high: between these lie 95 % of means over as many "
        "workloads. joint: the chance of the metric's printed means together (for Popularity and "
        "Pop-Filler, which no reading matches, with all others); below 5 % none of them is "
        "consistent. "
        "What is the same on every workload by definition says nothing about the simulation. "
        "kendall: Kendall's tau of the metric's column with the printed one.",
    ),
    "joint": (
        "All schedulers of a metric at once",
        "Whether the printed means of a metric could together be those of as many workloads like "
        "these, whose means move together: chi-square of the gaps between the published and the "
        "computed means over their covariance, with rounding. Without "
        f"{' and '.join(published.UNMATCHED)}, which no reading matches, and without schedulers "
        "for which the metric cannot vary. off: pairs that are printed further apart, or nearer, "
        "than 95 % of the computed ones over as many workloads.",
    ),
    "table6_readings": (
        "Readings tried of the schedulers that none matches",
        "Readings are over the smaller number.",
    ),
    "orderings": (
        "Orderings of the thesis",
        "A pair of schedulers, the thesis's larger value first. survives: whether the 95 % "
        "confidence interval of the mean difference over the larger number of workloads lies "
        "above 0 (yes), below 0 (no) or around it (undecided); each by itself.",
    ),
    "correlations_comparison": (
        "Correlations of section 6.4, published and computed",
        f"{verdicts.explanation()} computed: over the smaller number, many: over the larger; low "
        "and high: between these lie 95 % of the coefficients over as many workloads as the "
        "smaller number. joint: the chance of all printed coefficients of a kind together, by "
        "Fisher's "
        "statistic among those of the same groups of workloads; below 5 % none of them is "
        "consistent.",
    ),
}


def make(
    labels: Mapping[str, str],
    table6: Sequence[str],
    orderings: Sequence[str],
    readings: Sequence[str],
    printed: str,
    reasons: str,
) -> dict[str, Table]:
    """Return the tables; `labels` describe the readings."""
    ten, many = chapter6.read_runs(table6), chapter6.read_runs(orderings)
    means = published.read_table6(printed)
    coefficients = [comparison.read_published(printed, item) for item in ("fig6_14", "fig6_15")]
    why = {item: comparison.read_reasons(reasons, item) for item in ("table6", "fig6_14")}
    made = {
        "table6_comparison": published.compare_table6(means, ten, many, why["table6"]),
        "table6_readings": published.readings(
            means, chapter6.read_runs(readings), pd.Series(labels)
        ),
        "joint": published.joint(means, ten, many),
        "orderings": published.orderings(means, ten, many),
        "correlations_comparison": published.compare_correlations(
            coefficients, ten, many, why["fig6_14"]
        ),
    }
    on = chapter6.run_on(ten, many["workload"].nunique())
    return {
        name: Table(table, title, f"{on} {note}", 3)
        for name, table in made.items()
        for title, note in [SHOWN[name]]
    }
