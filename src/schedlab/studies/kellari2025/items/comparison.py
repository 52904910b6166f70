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
        f"{verdicts.explanation()} low and high: range of 95 % of the means over as many "
        "workloads. joint: probability of the row's published means that are inside their "
        "ranges, together (for Popularity and Pop-Filler, which no reading matches, of the whole "
        "row); below 5 % none of them is consistent. The makespan speedup, which needs the row of "
        "Conservative, is tested alone. Values that are equal on every workload by definition do "
        "not test the "
        "simulation. kendall: Kendall's tau between the computed and the published column.",
    ),
    "joint": (
        "Joint test of each row of Tables 6.1 and 6.2",
        "Whether the published means of a scheduler are jointly consistent with as many workloads "
        "like these: chi-square of the differences between published and computed means over "
        "their covariance, with rounding. Excludes means that cannot vary, and the makespan "
        "speedup, which needs the row of Conservative. inside: means inside their own 95 % ranges; "
        "p_inside: these alone.",
    ),
    "identity": (
        "A number that is the same for all schedulers on one set of workloads",
        "Utilization times weighted mean job speedup over makespan speedup. low and high: limits "
        "from the published means, which are rounded unless they are 1 by definition. computed: "
        "from the means over as many computed workloads. spread: largest difference of computed "
        "rows over groups of as many workloads.",
    ),
    "table6_readings": (
        "Readings of Popularity and Pop-Filler, none of which matches",
        "Readings are over the smaller number of workloads.",
    ),
    "orderings": (
        "Pairwise rankings of the thesis",
        "Each row is a pair of schedulers; the first has the larger value in the thesis. survives: "
        "whether the 95 % confidence interval of the mean difference over the larger number of "
        "workloads is above 0 (yes), below 0 (no) or includes 0 (undecided). Intervals are not "
        "adjusted for multiple comparisons.",
    ),
    "correlations_comparison": (
        "Correlations of section 6.4, published and computed",
        f"{verdicts.explanation()} computed and many: over the smaller and the larger number of "
        "workloads. low and high: range of 95 % of the coefficients over as many workloads as the "
        "smaller number. joint: probability of all published coefficients of a kind together, by "
        "Fisher's statistic among those of the same groups of workloads; below 5 % none of them "
        "is consistent. low_at, high_at and joint_at: the same with Popularity and Pop-Filler, "
        "which no reading matches, shifted to their published means. A difference is explained by "
        "these two if the published coefficient is in this range and joint_at is at least 5 %.",
    ),
}


def make(
    labels: Mapping[str, str],
    table6: Sequence[str],
    orderings: Sequence[str],
    readings: Sequence[str],
    printed: str,
    reasons: str,
) -> dict[str, Table | tuple[Table, str]]:
    """Return the tables, and the finding of `identity`; `labels` describe the readings."""
    ten, many = chapter6.read_runs(table6), chapter6.read_runs(orderings)
    means = published.read_table6(printed)
    coefficients = [comparison.read_published(printed, item) for item in ("fig6_14", "fig6_15")]
    why = {item: comparison.read_reasons(reasons, item) for item in ("table6", "fig6_14")}
    tables = {
        "table6_comparison": published.compare_table6(means, ten, many, why["table6"]),
        "table6_readings": published.readings(
            means, chapter6.read_runs(readings), pd.Series(labels)
        ),
        "joint": published.joint(means, ten, many),
        "orderings": published.orderings(means, ten, many),
        "correlations_comparison": published.compare_correlations(
            coefficients, means, ten, many, why["fig6_14"]
        ),
        "identity": published.identity(means, many, ten["workload"].nunique()),
    }
    on = chapter6.run_on(ten, many["workload"].nunique())
    made = {
        name: Table(table, title, f"{on} {note}", 5 if name == "identity" else 3)
        for name, table in tables.items()
        for title, note in [SHOWN[name]]
    }
    return made | {"identity": (made["identity"], published.contradiction(tables["identity"]))}
