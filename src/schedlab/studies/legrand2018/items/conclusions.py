"""Conclusions of Tables 3 to 6 that change if the experiment follows the text literally."""

from collections.abc import Sequence

from schedlab.report.columns import read_ours
from schedlab.report.parts import Table
from schedlab.studies.legrand2018.tables import conclusions, stacked

NOTE = (
    "The tables' rules: weeks of the log's own clock, jobs that cross a week kept, jobs that ran "
    "over their estimate dropped, tau 60 s. 'No threshold' is a threshold of one week. The "
    "text's rules: weeks of Unix time, crossing jobs removed, estimates raised to the run time, "
    "tau 10 s. fcfs_over_saf: the sum of FCFS over that of SAF. kendall: Kendall's tau between the "
    "two rankings of the policies."
)


def make(run: Sequence[str], text: Sequence[str]) -> dict[str, Table]:
    """Return a row per trace and threshold; `run` and `text` are the tables of the same traces."""
    pairs = [
        conclusions(*(read_ours(path, "policy") for path in pair))
        for pair in zip(run, text, strict=True)
    ]
    title = "Tables 3 to 6 by the tables' rules and by the text's rules"
    return {"conclusions": Table(stacked(pairs), title, NOTE)}
