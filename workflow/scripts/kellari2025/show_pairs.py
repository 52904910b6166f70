"""Beyond kellari2025: unmeasured pairs predicted, with the error of each method and its effect."""

from collections.abc import Mapping

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
    runs: str,
    outputs: Mapping[str, str],
) -> None:
    """Write the errors, what predictions change in schedules, and the figure; `outputs` by kind."""
    pool = Pool.from_frame(read_parquet(frame))
    known = np.where(pool.measured, pool.speedup, np.nan)
    hidden = pairs.cross_validate(known, generator(PAPER, "pairs"))
    errors = pairs.errors(hidden)
    effect = beyond.by_setting(chapter6.with_speedups(read_parquet(runs)), labels)
    on = f"{pool.label}, {pool.measured.sum()} of {len(pool) ** 2} ordered pairs measured"
    first = " ".join(beyond.pair_sentences(errors))
    said = [first, "", EFFECT, beyond.headline(effect), *beyond.sentences(effect)]
    with whole(outputs["txt"]) as draft:
        draft.write_text("\n".join(said) + "\n", encoding="utf-8")
    tables.write_csv(errors, outputs["csv"])
    tables.write_markdown(
        errors,
        outputs["md"],
        TITLE,
        "\n".join([f"{on}. {ERRORS}", "", *beyond.as_markdown(said)]),
        3,
    )
    tables.write_csv(effect, outputs["effect"])
    save(draw_pairs(hidden, errors, f"{TITLE} ({on})"), outputs["pdf"], outputs["png"])


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        show_pairs(
            *(job.params.labels, job.input.frame),
            *(job.input.runs, dict(job.output.items())),
        )
