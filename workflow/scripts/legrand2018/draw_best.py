"""SAF beside each period's best pure policy: figures 2, 6, 9 and 12."""

from collections.abc import Mapping, Sequence

from schedlab.files.logs import logged
from schedlab.studies.legrand2018.adaptation import pure_by_period
from schedlab.studies.legrand2018.figures.one_trace import write_periods
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_runs
from schedlab.studies.legrand2018.tables import best_pure


def draw_best(
    row: Mapping, pure: Sequence[str], own: Sequence[str], pdf: str, png: str, csv: str
) -> None:
    """Draw one trace, with the policies of one's own, and write what is drawn beside it."""
    experiment = PeriodExperiment(**row)
    table = best_pure(pure_by_period(read_runs(pure), experiment.threshold), own)
    notes = table["which"].where(table["which"] != "SAF", "")
    write_periods(experiment, table, pdf, png, csv, notes=notes)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_best(
            row=job.params.row,
            pure=job.input.pure,
            own=job.params.own,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
