"""Hold simulators against a real Slurm: the referee's tables, figure and sentences."""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_text
from schedlab.files.logs import logged
from schedlab.report.figures.style import save
from schedlab.report.tables import write_csv, write_markdown
from schedlab.studies.referee import tables as made
from schedlab.studies.referee.figures import draw_referee
from schedlab.studies.referee.findings import findings, ranked
from schedlab.studies.referee.measures import judged


def judge(
    windows: Mapping[str, str],
    facts: Sequence[str],
    replays: Sequence[tuple[Mapping, str]],
    out: Mapping[str, str],
) -> None:
    """Write tables, figure and sentences.

    `windows` are files by log, `replays` what each is of and its file, `out` the files by item.
    """
    jobs = {log: Jobs.from_frame(read_parquet(path)) for log, path in windows.items()}
    real = defaultdict(list)
    for one, path in replays:
        real[one["log"], one["order"]].append(read_parquet(path))
    figures, summaries, rankings = judged(jobs, real)
    said, order = findings(summaries), ranked(rankings)
    logging.info("%s %s", said, order)
    write_text(f"{said} {order}", out["txt"])
    table, ranking = made.referee_table(summaries), made.ranking_table(rankings)
    write_csv(table, out["referee_csv"])
    write_csv(ranking, out["ranking_csv"])
    write_markdown(
        table, out["referee_md"], "Simulators beside a real Slurm", made.NOTE, made.DIGITS
    )
    write_markdown(ranking, out["ranking_md"], "Orders by mean wait", made.RANKING_NOTE)
    write_csv(figures, out["drawn"])
    write_csv(pd.concat(map(read_parquet, facts), ignore_index=True), out["windows"])
    save(draw_referee(figures, summaries), out["pdf"], out["png"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        judge(
            windows=dict(zip(job.params.logs, job.input.windows, strict=True)),
            facts=job.input.facts,
            replays=list(zip(job.params.replays, job.input.replays, strict=True)),
            out=dict(job.output.items()),
        )
