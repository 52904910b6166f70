"""Ranks of the learned policies, or of a reader's own, in Table 4, and whether they beat F1-F4."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import write_text
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.studies.carastan2017.sheet import Experiment
from schedlab.studies.carastan2017.tables import experiments
from schedlab.studies.carastan2017.tables.standing import (
    LEARNED,
    mixture,
    own,
    sentence,
    shown,
    standing,
)

NOTE = (
    "1: the lowest median of the row. ratio: the best median of {best} over the best of F1-F4, "
    "below 1 where {whose} are better."
)
WORDS = {
    "learned": {
        "title": "the learned policies",
        "best": "L1-L4",
        "whose": "the learned policies of ours",
    },
    "own": dict.fromkeys(("title", "best", "whose"), "policies of one's own"),
}


def rank_further(
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    names: Sequence[str],
    which: str,
    source: str,
    csv: str,
    md: str,
    text: str,
) -> None:
    """Write the ranks as .csv and .md, with the medians over the rows, and the sentence.

    `names` are the policies that stand beside the paper's, and `which` is learned or own.
    """
    further = LEARNED if which == "learned" else own(names)
    sheet = experiments.sheet_frame([Experiment(**row) for row in rows], source)
    sequences = experiments.read_sequences(sheet, simulations)
    table = standing(sheet, experiments.medians(sheet, sequences, names), further)
    stand_in = sheet["stand_in"]
    said = f"{sentence(table, bool(stand_in.all()), further)} {mixture(stand_in)}".strip()
    write_text(said, text)
    tables.write_csv(shown(table, further), csv)
    title = f"Table 4 with {WORDS[which]['title']}: ranks in each row"
    note = f"{NOTE.format(**WORDS[which])} {said}"
    tables.write_markdown(shown(table, further), md, title, note)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        rank_further(
            rows=job.params.rows,
            simulations=job.input.simulations,
            names=job.params.own,
            which=job.wildcards.further,
            source=job.params.source,
            csv=job.output.csv,
            md=job.output.md,
            text=job.output.sentence,
        )
