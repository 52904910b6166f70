"""Make the ranks in Table 4 of carastan2017 of learned or user-defined policies."""

from collections.abc import Mapping, Sequence

from schedlab.report.parts import Table
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
    "Rank 1 is the lowest median of the row. ratio: the best median of {best} divided by the best "
    "of F1-F4; below 1, {whose} are better."
)
WORDS = {
    "learned": {
        "title": "the learned policies",
        "best": "L1-L4",
        "whose": "the policies learned here",
    },
    "own": dict.fromkeys(("title", "best", "whose"), "user-defined policies"),
}


def make(
    rows: Sequence[Mapping],
    simulations: Sequence[str],
    names: Sequence[str],
    which: str,
    source: str,
) -> dict[str, Table | str]:
    """Return the ranks, and a sentence on whether these policies beat F1-F4.

    `names` are the further policies, and `which` is "learned" or "own" (user-defined).
    """
    further = LEARNED if which == "learned" else own(names)
    sheet, sequences = experiments.read_experiments(rows, simulations, source)
    table = standing(sheet, experiments.medians(sheet, sequences, names), further)
    stand_in = sheet["stand_in"]
    finding = f"{sentence(table, bool(stand_in.all()), further)} {mixture(stand_in)}".strip()
    title = f"Table 4 with {WORDS[which]['title']}: ranks in each row"
    note = f"{NOTE.format(**WORDS[which])} {finding}"
    return {
        f"table4_{which}_ranks": Table(shown(table, further), title, note),
        f"table4_{which}_sentence": finding,
    }
