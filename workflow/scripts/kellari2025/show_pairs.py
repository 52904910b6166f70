"""Beyond kellari2025: unmeasured pairs predicted, with the error of each method and its effect."""

from collections.abc import Mapping, Sequence

import numpy as np

from schedlab.cosched import pairs
from schedlab.cosched.pool import Pool
from schedlab.figures.style import save
from schedlab.io import read_parquet, whole
from schedlab.logs import logged
from schedlab.papers.kellari2025 import beyond
from schedlab.papers.kellari2025.figures.beyond import draw_pairs
from schedlab.papers.kellari2025.sheet import PAPER
from schedlab.papers.kellari2025.tables import chapter6
from schedlab.report import tables
from schedlab.workloads.streams import generator

TITLE = "Pairs that nobody measured, predicted"
ERRORS = (
    "rmse, mae and bias are of the speedup; explained: share of its variance; sign: percent of "
    "pairs whose gain or loss is foretold. Known pairs are hidden, one by one (pairs) or all "
    "between five applications and the others (groups)."
)
EFFECT = (
    "In schedules a prediction is both what the scheduler knows and how fast the jobs then run, so "
    "these changes say how much hangs on the unmeasured pairs, not which prediction is right."
)


def show_pairs(
    labels: Mapping[str, str],
    frame: str,
    runs: Sequence[str],
    csv: str,
    effect_csv: str,
    md: str,
    txt: str,
    pdf: str,
    png: str,
) -> None:
    """Write the errors, what predictions change in schedules, and the figure."""
    pool = Pool.from_frame(read_parquet(frame))
    known = np.where(pool.measured, pool.speedup, np.nan)
    hidden = pairs.cross_validate(known, generator(PAPER, "pairs"))
    errors = pairs.errors(hidden)
    effect = beyond.by_setting(chapter6.read_runs(runs), labels)
    on = f"{pool.label}, {pool.measured.sum()} of {len(pool) ** 2} ordered pairs measured"
    first = " ".join(beyond.pair_sentences(errors))
    said = [first, "", EFFECT, beyond.headline(effect), *beyond.sentences(effect)]
    with whole(txt) as draft:
        draft.write_text("\n".join(said) + "\n", encoding="utf-8")
    tables.write_csv(errors, csv)
    tables.write_markdown(
        errors,
        md,
        TITLE,
        "\n".join([f"{on}. {ERRORS}", "", *beyond.as_markdown(said)]),
        3,
    )
    tables.write_csv(effect, effect_csv)
    save(draw_pairs(hidden, errors, first, f"{TITLE} ({on})"), pdf, png)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        show_pairs(
            labels=job.params.labels,
            frame=job.input.frame,
            runs=job.input.runs,
            csv=job.output.csv,
            effect_csv=job.output.effect,
            md=job.output.md,
            txt=job.output.txt,
            pdf=job.output.pdf,
            png=job.output.png,
        )
