"""Tables 6.1 and 6.2 of kellari2025, beside the printed ones, and what survives more workloads."""

from collections.abc import Mapping

import pandas as pd

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.kellari2025.claims import check
from schedlab.papers.kellari2025.tables import chapter6
from schedlab.report import comparison, tables

# Title and note of every table.
SHOWN = {
    "table6_1": ("Table 6.1: mean values, part 1", ""),
    "table6_2": ("Table 6.2: mean values, part 2", ""),
    "table6_comparison": (
        "Tables 6.1 and 6.2, published and ours",
        "match: the printed mean is in the interval that 95 % of means over as many of our "
        "workloads lie in, or equal to ours as printed. ordering holds: it is not, but the "
        "scheduler has the printed rank in its column. The reason of a match says what it rests "
        "on; what is the same on every workload by definition says nothing about the simulation.",
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
        "Correlations of section 6.4, published and ours",
        "match: equal to the printed digits, one unit of the last allowed. ordering holds: of the "
        "same sign, or both within 0.1 of 0. ours: over the smaller number, many: over the larger.",
    ),
    "claims": (
        "What the thesis says, tested",
        "printed: whether the sentence follows from the thesis's own tables, where they can tell; "
        "ten and many: whether it does from the smaller and the larger number of our workloads. "
        "Means are compared as they are, however small the difference; found: over the smaller.",
    ),
}


def make_table6(
    labels: Mapping[str, str],
    runs: Mapping[str, str],
    example: str,
    published: str,
    reasons: str,
    outputs: Mapping[str, str],
) -> None:
    """Write the tables as .csv and .md; `runs` are files by item, `outputs` by `table_kind`."""
    found = {item: chapter6.with_speedups(read_parquet(path)) for item, path in runs.items()}
    ten, many = found["table6"], found["orderings"]
    kept = read_parquet(example)
    kept = kept[(kept["experiment"] == "example") & (kept["scheduler"] == "Popularity")]
    means = published.read_table6(published)
    coefficients = [comparison.read_published(published, item) for item in ("fig6_14", "fig6_15")]
    why = {item: comparison.read_reasons(reasons, item) for item in ("table6", "fig6_14")}
    made = {
        "table6_1": chapter6.table6(ten, "table6_1"),
        "table6_2": chapter6.table6(ten, "table6_2"),
        "table6_comparison": published.compare_table6(means, ten, many, why["table6"]),
        "table6_readings": published.readings(means, found["readings"], pd.Series(labels)),
        "orderings": published.orderings(means, ten, many),
        "correlations_comparison": published.compare_correlations(
            coefficients, ten, many, why["fig6_14"]
        ),
        "claims": check(means, ten, many, kept),
    }
    on = f"On {ten['pool'].iloc[0]}: {ten['workload'].nunique()} and {many['workload'].nunique()} "
    on += f"workloads of {ten['jobs'].iloc[0]} jobs."
    for name, table in made.items():
        title, note = SHOWN[name]
        tables.write_csv(table, outputs[f"{name}_csv"])
        tables.write_markdown(table, outputs[f"{name}_md"], title, f"{on} {note}".rstrip(), 3)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table6(
            job.params.labels,
            {item: job.input[item] for item in ("table6", "orderings", "readings")},
            *(job.input.example, job.input.published, job.input.reasons, dict(job.output.items())),
        )
