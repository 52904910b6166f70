"""Ranks of the learned policies in the rows of Table 4, and whether they beat F1 to F4."""

from collections.abc import Sequence

from schedlab import tables
from schedlab.experiments import read_experiments
from schedlab.io import whole
from schedlab.learning.standing import sentence, shown, standing
from schedlab.logs import logged

ITEMS = ("table4", "table4_full")
NOTE = (
    "1: the lowest median of the row. ratio: the best median of L1-L4 over the best of F1-F4, "
    "below 1 where the learned policies of ours are better."
)


def rank_learned(
    sheet: str,
    schema: str,
    simulations: Sequence[str],
    source: str,
    csv: str,
    md: str,
    text: str,
) -> None:
    """Write the ranks as .csv and .md, with the medians over the rows, and the sentence."""
    rows = tables.sheet_frame(read_experiments(sheet, schema), ITEMS, source)
    sequences = tables.read_sequences(rows, simulations)
    table = standing(rows, tables.medians(rows, sequences, tables.LEARNED_COLUMNS))
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
            *(job.input.sheet, job.input.schema, job.input.simulations, job.params.source),
            *(job.output.csv, job.output.md, job.output.sentence),
        )
