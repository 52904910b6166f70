"""Toggles of a study, and differences between rows of a sheet and their toggled rows."""

from dataclasses import fields

import pandas as pd

from schedlab.comparison.toggles.rows import apply_toggle
from schedlab.comparison.toggles.runs import MOVED
from schedlab.files.config import read_yaml


def changed_cells(row: object, other: object) -> list[str]:
    """List the columns in which two rows of a sheet differ."""
    return [
        field.name
        for field in fields(row)
        if getattr(row, field.name) != getattr(other, field.name)
    ]


def check_toggles(toggles, rows, schema) -> None:
    """Check that toggles change one cell of the rows that they have, to what the schema allows."""
    assert len({toggle.name for toggle in toggles}) == len(toggles)
    columns = read_yaml(schema)["properties"]
    for toggle in toggles:
        made = [(row, apply_toggle(row, toggle)) for row in rows]
        changed = {tuple(changed_cells(row, other)) for row, other in made if other}
        assert changed == {(toggle.column,)}, toggle.name
        allowed = columns[toggle.column].get("enum")
        assert allowed is None or set(toggle.cells.values()) <= set(allowed), toggle.name


def numbers_with(values, toggle="t", says="neither", printed="2.00", base=2.0, experiment="e"):
    """Return changed numbers of one experiment under policies a, b, c, ..."""
    columns = {
        "toggle": toggle, "words": f"words of {toggle}", "cell": "tau", "from": "10", "to": "60",
        "says": says, "experiment": experiment, "column": "",
        "policy": list("abcdef")[: len(values)], "printed": printed, "base": base, "value": values,
    }  # fmt: skip
    return pd.DataFrame(columns)[MOVED]


class Pieces:
    """Workloads of one log, by rows of the columns of clean jobs and their piece."""

    def __init__(self, rows):
        names = ("number", "submit", "runtime", "estimate", "procs", "user", "group", "queue")
        self.frame = pd.DataFrame(rows, columns=[*names, "piece"])

    def pieces(self, source, cleaning, split):
        return self.frame
