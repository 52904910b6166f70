"""Table 1: the traces by weeks, and what other ways to read the weekly split leave of them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np
import pandas as pd

from schedlab.io import read_parquet
from schedlab.jobs import Jobs, jobs_by_piece
from schedlab.logs import logged
from schedlab.papers.legrand2018.readings import READINGS, weekly
from schedlab.papers.legrand2018.sheet import PeriodExperiment
from schedlab.papers.legrand2018.tables import TRACE_FACTS, distances, ran_on, trace_facts
from schedlab.report import comparison, tables
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf
from schedlab.tuning.mixed import evaluate_pure

NOTE = (
    "duration: months from first to last submission; avg_duration: mean run time in seconds; "
    "avg_size: mean processors. Of all whole weeks, also those past the last that is simulated."
)
NOTE_READINGS = (
    "Mean over the traces of the distance from the printed number, in percent: of Table 1's jobs, "
    "average duration and size, and of the sums of FCFS and SAF without a threshold in Tables 3 to "
    "6, over as many of the first weeks as there; _sum: decided by estimates, _actual: by actual "
    "run times. The end `any` keeps jobs that cross. The first row is nearest in jobs; the "
    "experiments run on `unix`, from `submit` to `end`, `first and last` week left out. The .csv "
    "has the numbers of each trace."
)
KEYS = ["origin", "begins", "ends", "outer"]
POLICIES = ("fcfs", "saf")
SUMS = [f"{name}_{decided}" for decided in ("sum", "actual") for name in POLICIES]


def make_trace_facts(
    rows: Sequence[Mapping],
    pieces: Sequence[str],
    texts: Sequence[str],
    published: str,
    csv: str,
    md: str,
    readings_csv: str,
    readings_md: str,
) -> None:
    """Write Table 1 and the readings; `texts` are the raw logs, or none at a scale without."""
    experiments = [PeriodExperiment(**row) for row in rows]
    facts = pd.DataFrame(
        [
            trace_facts(row, read_parquet(path))
            for row, path in zip(experiments, pieces, strict=True)
        ]
    )
    tables.write_csv(facts, csv)
    tables.write_markdown(facts, md, f"Table 1: {ran_on(facts)}", NOTE, 1)
    read = [read_as(*pair) for pair in zip(experiments, texts, strict=False)]
    columns = ["trace", *KEYS, *TRACE_FACTS[2:], *SUMS]
    every = pd.DataFrame([row for rows_ in read for row in rows_], columns=columns)
    tables.write_csv(every, readings_csv)
    printed = comparison.read_published(published, "table1")
    for row in experiments:
        found = comparison.read_published(published, row.thresholds_item)["No threshold"]
        printed.loc[row.label, SUMS] = [*found[["FCFS", "SAF"]]] * 2
    away = distances(every, printed, KEYS)
    title = "Ways to read the weekly split, held against the printed numbers"
    tables.write_markdown(away, readings_md, title, NOTE_READINGS)


def read_as(experiment: PeriodExperiment, text: str) -> list[dict]:
    """Return what each reading leaves of a log; nothing of one that is not at hand."""
    log = read_swf(unaltered(text))
    rows = []
    for reading in READINGS if len(log.jobs) else ():
        jobs = weekly(log, reading, experiment.label)
        weeks = jobs_by_piece(jobs[jobs["piece"] <= experiment.pieces]).values()
        facts = trace_facts(experiment, jobs) | sums(list(weeks), experiment)
        rows.append({"trace": experiment.label} | asdict(reading) | facts)
    return rows


def sums(weeks: Sequence[Jobs], experiment: PeriodExperiment) -> dict[str, float]:
    """Return the sums of the weekly averages, by estimates and by actual run times."""
    actual = [replace(week, estimate=week.runtime) for week in weeks]
    processors, tau = experiment.processors, experiment.tau
    found = [
        sum((evaluate_pure(week, processors, POLICIES, None, tau) for week in jobs), np.zeros(2))
        for jobs in (weeks, actual)
    ]
    return dict(zip(SUMS, np.ravel(found).tolist(), strict=True))


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_trace_facts(
            rows=job.params.rows,
            pieces=job.input.pieces,
            texts=job.input.get("texts", []),
            published=job.input.published,
            csv=job.output.csv,
            md=job.output.md,
            readings_csv=job.output.readings_csv,
            readings_md=job.output.readings_md,
        )
