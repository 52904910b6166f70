"""Ranks of the learned policies in the rows of Table 4, and whether they beat F1 to F4."""

from collections.abc import Mapping, Sequence

from schedlab.io import whole
from schedlab.logs import logged
from schedlab.papers.carastan2017.sheet import Experiment
from schedlab.papers.carastan2017.tables import experiments
from schedlab.papers.carastan2017.tables.standing import sentence, shown, standing
from schedlab.report import tables

NOTE = (
    "1: the lowest median of the row. ratio: the best median of L1-L4 over the best of F1-F4, "
    "below 1 where the learned policies of ours are better."
)


def rank_learned(
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    source: str,
    csv: str,
    md: str,
    text: str,
) -> None:
    """Write the ranks as .csv and .md, with the medians over the rows, and the sentence."""
    sheet = experiments.sheet_frame([Experiment(**row) for row in rows], source)
    sequences = experiments.read_sequences(sheet, simulations)
    table = standing(sheet, experiments.medians(sheet, sequences, experiments.LEARNED_COLUMNS))
    said = sentence(table, source == "models")
    with whole(text) as draft:
        draft.write_text(said + "\n", encoding="utf-8")
    tables.write_csv(shown(table), csv)
    title = "Table 4 with the learned policies: ranks in each row"
    tables.write_markdown(shown(table), md, title, f"{NOTE} {said}")


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        rank_learned(
            rows=job.params.rows,
            simulations=job.input.simulations,
            source=job.params.source,
            csv=job.output.csv,
            md=job.output.md,
            text=job.output.sentence,
        )
