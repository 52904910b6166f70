"""Conclusions of Tables 3 to 6 that change if the experiment follows the text literally."""

from collections.abc import Sequence

from schedlab.report.columns import read_ours
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.tables import conclusions, stacked


def make(run: Sequence[str], text: Sequence[str]) -> dict[str, Table]:
    """Return a row per trace and threshold; `run` and `text` are the tables of the same traces."""
    pairs = [
        conclusions(*(read_ours(path, "policy") for path in pair))
        for pair in zip(run, text, strict=True)
    ]
    return {"conclusions": Table(stacked(pairs))}
