"""Sensitivity of Table 4: run its rows with one column changed at a time."""

from collections.abc import Mapping, Sequence
from functools import partial

from schedlab.comparison.toggles.figures import write_toggles
from schedlab.comparison.toggles.runs import run_toggles
from schedlab.flow.scripts import run_script
from schedlab.studies.carastan2017.sheet import Experiment
from schedlab.studies.carastan2017.toggles import NUMBERS, TOGGLES, numbers_of, read_printed
from schedlab.traces.sources import Workloads


def toggle_table4(
    rows: Sequence[Mapping],
    sources: Mapping[str, Mapping],
    published: str,
    models: bool,
    threads: int,
    outputs: Mapping[str, str],
) -> None:
    """Run the experiments that are available and those derived from them; write what moved."""
    experiments = [Experiment(**row) for row in rows]
    run = partial(numbers_of, workloads=Workloads.of(sources))
    printed = read_printed(experiments, published, models)
    write_toggles(run_toggles(experiments, TOGGLES, run, printed, threads), NUMBERS, outputs)


if __name__ == "__main__":
    run_script(toggle_table4, snakemake)  # noqa: F821
