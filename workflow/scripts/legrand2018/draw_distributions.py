"""Figure 1: how the weekly averages of the pure policies are distributed."""

from collections.abc import Mapping, Sequence

from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.legrand2018.adaptation import pure_by_period
from schedlab.studies.legrand2018.figures.by_trace import draw_distributions as draw
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_runs
from schedlab.studies.legrand2018.tables import about, heading, policy_label, stacked


def draw_distributions(
    rows: Sequence[Mapping], pure: Sequence[str], pdf: str, png: str, csv: str
) -> None:
    """Draw a panel per trace and write what is drawn beside it.

    `pure` are the runs of every trace, and after them as many again for each policy of one's own.
    """
    frames, titles = [], {}
    for place, row in enumerate(rows):
        experiment, runs = PeriodExperiment(**row), read_runs(pure[place :: len(rows)])
        titles[experiment.label] = heading(experiment.label, experiment.source)
        table = pure_by_period(runs, experiment.threshold)
        values = table.rename(columns=policy_label).reset_index()
        long = values.melt("piece", var_name="policy", value_name="avebsld")
        frames.append(long.assign(**about(experiment))[["trace", "ran_on", *long]])
    drawn = stacked(frames)
    save(draw(drawn, titles), pdf, png)
    tables.write_csv(drawn, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_distributions(
            rows=job.params.rows,
            pure=job.input.pure,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
