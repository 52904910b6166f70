"""Make figures 1, 2, 3, 6, 7 and 8: both schedulers on a whole log."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.picture import Picture
from schedlab.studies.klusacek2016.evidence import read_evidence
from schedlab.studies.klusacek2016.figures.drawn import drawn


def make(
    item: str, rows: Sequence[Mapping], jobs: Sequence[str], starts: Sequence[str]
) -> dict[str, Picture]:
    """Return one figure, and the data that it draws."""
    return {item: Picture(*drawn(item, read_evidence(rows, jobs, starts)))}
