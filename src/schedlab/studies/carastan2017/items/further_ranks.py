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
    return {
        f"table4_{which}_ranks": Table(shown(table, further), facts={"finding": finding}),
        f"table4_{which}_sentence": finding,
    }
