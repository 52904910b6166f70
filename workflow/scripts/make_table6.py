"""Tables 6.1 and 6.2 of kellari2025, beside the printed ones, and what survives more workloads."""

from collections.abc import Mapping

import pandas as pd

from schedlab import comparison, tables
from schedlab.cosched import evaluation
from schedlab.cosched.claims import check
from schedlab.cosched.experiments import read_coexperiments
from schedlab.logs import logged

COMPARED = (
    "match: the printed mean is in the interval that 95 % of means over as many of our workloads "
    "lie in, or equal to ours as printed. ordering holds: it is not, but the scheduler has the "
    "printed rank in its column."
)
SURVIVES = (
    "A pair of schedulers, the thesis's larger value first. survives: whether the 95 % confidence "
    "interval of the mean difference over the larger number of workloads lies above 0 (yes), "
    "below 0 (no) or around it (undecided)."
)


def make_table6(
    sheet: str,
    schema: str,
    runs: Mapping[str, str],
    example: str,
    published: str,
    reasons: str,
    outputs: Mapping[str, str],
) -> None:
    """Write the tables as .csv and .md; `runs` are files by item, `outputs` by `table_kind`."""
    found = {item: evaluation.with_speedups(pd.read_parquet(path)) for item, path in runs.items()}
    ten, many = found["table6"], found["orderings"]
    on = f"On {ten['pool'].iloc[0]}: {ten['workload'].nunique()} and {many['workload'].nunique()} "
    on += f"workloads of {ten['jobs'].iloc[0]} jobs."
    printed = evaluation.read_table6(published)
    why = comparison.read_reasons(reasons, "table6")
    labels = pd.Series({name: row.label for name, row in read_coexperiments(sheet, schema).items()})
    kept = pd.read_parquet(example)
    kept = kept[(kept["experiment"] == "example") & (kept["scheduler"] == "Popularity")]
    coefficients = [comparison.read_published(published, item) for item in ("fig6_14", "fig6_15")]
    reasons_6_4 = comparison.read_reasons(reasons, "fig6_14")
    shown = {
        "table6_1": (evaluation.table6(ten, "table6_1"), "Table 6.1: mean values, part 1", on, 3),
        "table6_2": (evaluation.table6(ten, "table6_2"), "Table 6.2: mean values, part 2", on, 3),
        "table6_comparison": (
            *(evaluation.compare_table6(printed, ten, many, why), "Tables 6.1 and 6.2 beside ours"),
            *(f"{on} {COMPARED}", 3),
        ),
        "orderings": (
            *(evaluation.orderings(printed, ten, many), "Orderings of the thesis"),
            *(f"{on} {SURVIVES}", 3),
        ),
        "table6_readings": (
            *(evaluation.readings(printed, found["readings"], labels), "Readings tried"),
            *(f"Means over {found['readings']['workload'].nunique()} workloads.", 3),
        ),
        "correlations_comparison": (
            evaluation.compare_correlations(coefficients, ten, many, reasons_6_4),
            *("Correlations of section 6.4 beside ours", on, 2),
        ),
        "claims": (check(printed, ten, many, kept), "What the thesis says, tested", on, 3),
    }
    for name, (table, title, note, decimals) in shown.items():
        tables.write_csv(table, outputs[f"{name}_csv"])
        tables.write_markdown(table, outputs[f"{name}_md"], title, note, decimals)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table6(
            *(job.input.sheet, job.input.schema),
            {item: job.input[item] for item in ("table6", "orderings", "readings")},
            *(job.input.example, job.input.published, job.input.reasons, dict(job.output.items())),
        )
