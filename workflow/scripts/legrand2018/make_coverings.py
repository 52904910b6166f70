"""What the searched weights of Table 2 come to, by scaling and threshold; nearest first."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report import comparison, tables
from schedlab.studies.legrand2018.adaptation import by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import Surface
from schedlab.studies.legrand2018.tables import coverings as covered
from schedlab.studies.legrand2018.tables import ran_on

NOTE = (
    "scaling: features divided by their standard deviations, by their maxima (the wait by a week), "
    "or by nothing; threshold in seconds; away: the mean distance of the six sums from the printed "
    "ones, in percent. The paper says neither how it scaled nor how it covered the space."
)


def make_coverings(
    row: Mapping,
    coverings: Sequence[tuple[str, int]],
    surfaces: Sequence[str],
    pure: str,
    published: str,
    csv: str,
    md: str,
) -> None:
    """Write a row per covering; `coverings` are their scalings and thresholds."""
    experiment, policies = PeriodExperiment(**row), read_parquet(pure)
    ways = {
        way: by_period(Surface.from_frame(read_parquet(path)), policies, way[1], experiment.train)
        for way, path in zip(map(tuple, coverings), surfaces, strict=True)
    }
    table = covered(experiment, ways, comparison.read_published(published, "table2"))
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, f"Coverings of the space of weights: {ran_on(table)}", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_coverings(
            row=job.params.row,
            coverings=job.params.coverings,
            surfaces=job.input.surfaces,
            pure=job.input.pure,
            published=job.input.published,
            csv=job.output.csv,
            md=job.output.md,
        )
