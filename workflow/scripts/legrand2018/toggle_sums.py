"""Sensitivity of Tables 2 to 6: run rows with one column changed at a time."""

from collections.abc import Mapping, Sequence

from schedlab.comparison.toggles.figures import write_toggles
from schedlab.comparison.toggles.runs import run_toggles
from schedlab.flow.scripts import run_script
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import threshold_label
from schedlab.studies.legrand2018.toggles import (
    NUMBERS,
    TOGGLES,
    numbers_of,
    read_printed,
    tables_alone,
)
from schedlab.traces.sources import Workloads


def toggle_sums(
    rows: Sequence[Mapping],
    sources: Mapping[str, Mapping],
    published: str,
    owners: str,
    halved: str,
    threads: int,
    outputs: Mapping[str, str],
) -> None:
    """Run rows and their changed variants; `halved` is the experiment that Table 2 shows."""
    experiments = [tables_alone(PeriodExperiment(**row)) for row in rows]
    workloads = Workloads.of(sources)
    columns = {
        row.experiment: [threshold_label(threshold) for threshold in row.thresholds]
        for row in experiments
    }

    def run(row: PeriodExperiment):
        return numbers_of(row, workloads, columns[row.experiment], row.experiment == halved)

    printed = read_printed(experiments, published, owners, halved)
    write_toggles(run_toggles(experiments, TOGGLES, run, printed, threads), NUMBERS, outputs)


if __name__ == "__main__":
    run_script(toggle_sums, snakemake)  # noqa: F821
