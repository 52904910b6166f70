"""Conclusions of Tables 3 to 6 that change if the experiment follows the text literally."""

from collections.abc import Sequence

from schedlab.report.columns import read_ours
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.tables import conclusions, stacked

NOTE = (
    "As run: weeks of the log's own clock, jobs that cross a week kept, those that ran over their "
    "estimate dropped, bound 60 s, no threshold one of a week. Text: weeks of Unix time, crossing "
    "jobs removed, estimates raised to the run time, bound 10 s. fcfs_over_saf: the sum of FCFS "
    "over that of SAF; kendall: Kendall's tau between the two orders of the policies."
)


def make(run: Sequence[str], text: Sequence[str]) -> dict[str, Table]:
    """Return a row per trace and threshold; `run` and `text` are the tables of the same traces."""
    pairs = [
        conclusions(*(read_ours(path, "policy") for path in pair))
        for pair in zip(run, text, strict=True)
    ]
    return {"conclusions": Table(stacked(pairs), "As it was run, and as the text reads", NOTE)}
