"""Beyond souza2020: the same strategies with other estimates of waits."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.figures.missing import not_at_hand
from schedlab.figures.style import save
from schedlab.io import write_text
from schedlab.logs import logged
from schedlab.papers.souza2020.evidence import background_of, read_runs, systems_of
from schedlab.papers.souza2020.figures.beyond import draw_predictors
from schedlab.papers.souza2020.tables.predictors import headline, predictors
from schedlab.report import tables

TITLE = "Strategies with other estimates of waits"
NOTE = (
    "Means over replicates, scales and workflows: TWT and makespan in s, core-hours; anew: stages "
    "submitted anew per workflow; (%): change against Per-Stage; learned: TWT less that with "
    "Algorithm 1, in s; delay: makespan less that with perfect knowledge of the waits, in s; lost: "
    "core-hours lost against that, those used more and the delay times the cores of the scale, per "
    "workflow; low and high: 95 % interval over replicates."
)


def show_predictors(
    stages: Sequence[str],
    rows: Sequence[Mapping],
    csv: str,
    md: str,
    txt: str,
    pdf: str,
    png: str,
) -> None:
    """Write the table, the sentence and the figure."""
    table = predictors(read_runs(stages), systems_of(rows))
    said, on = headline(table), background_of(rows)
    logging.info(said)
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, TITLE, f"{on} {NOTE}\n\n{said}")
    write_text(said, txt)
    empty = not_at_hand(rows[0]["source"]) if table.empty else None
    save(empty or draw_predictors(table, f"{TITLE}. {on}"), pdf, png)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        show_predictors(
            stages=job.input.stages,
            rows=job.params.rows,
            csv=job.output.csv,
            md=job.output.md,
            txt=job.output.txt,
            pdf=job.output.pdf,
            png=job.output.png,
        )
