"""Hold what the paper says in words against what was simulated; a claim that fails is told."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet, write_text
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.studies.legrand2018 import claims
from schedlab.studies.legrand2018.adaptation import by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import Surface


def check_claims(
    rows: Sequence[Mapping],
    surfaces: Sequence[str],
    pure: Sequence[str],
    searches: Sequence[str],
    csv: str,
    md: str,
    txt: str,
) -> None:
    """Write a row per claim and trace, and how many hold."""
    frames = []
    for row, surface, runs, search in zip(rows, surfaces, pure, searches, strict=True):
        experiment = PeriodExperiment(**row)
        space, policies = Surface.from_frame(read_parquet(surface)), read_parquet(runs)
        table = by_period(space, policies, experiment.threshold, experiment.train)
        evidence = (experiment, table, policies, space, read_parquet(search))
        frames.append(claims.check(claims.Evidence(*evidence)))
    checked = pd.concat(frames, ignore_index=True)
    said = claims.count(checked)
    logging.info(said)
    tables.write_csv(checked, csv)
    tables.write_markdown(checked, md, "What the paper says, held against what was made", said)
    write_text(said, txt)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        check_claims(
            rows=job.params.rows,
            surfaces=job.input.surfaces,
            pure=job.input.pure,
            searches=job.input.searches,
            csv=job.output.csv,
            md=job.output.md,
            txt=job.output.txt,
        )
