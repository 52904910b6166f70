"""Reader of the output of ``sprio -l``: the points of each factor of waiting jobs' priorities.

References
----------
Slurm, sprio(1), option --long.
"""

import os

from schedlab.files.io import read_unpacked
from schedlab.traces.slurm.queue_entries import QueueError, parts_of, shortened

COMMAND = "sprio -l"
#: sprio cuts the list of resources after so many characters: their points are what remains
_CUT = 20
#: factors by the headings of their columns, of which the last with the name counts
FACTORS = {
    **{"AGE": "age", "FAIRSHARE": "fair share", "JOBSIZE": "size", "PARTITION": "partition"},
    **{"QOS": "QOS", "ASSOC": "account", "TRES": "TRES", "NICE": "nice"},
}


def read_sprio(path: str | os.PathLike[str]) -> dict[tuple[str, str], dict[str, float]]:
    """Return the points of factors by job and partition.

    Nice is negative, as part of the sum. Raises `QueueError` if the table has no line of names, or
    a value is no number.
    """
    text = read_unpacked(path).decode("utf-8", "replace")
    names: list[str] = []
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.split()
        if "JOBID" in cells:
            names = cells
        elif cells and not names:
            raise QueueError(f"{path}: line {number}: no line of names; write it with {COMMAND}")
        elif cells:
            # a job without TRES has no value there
            row = dict(zip(names[2:], cells[2:], strict=False))
            points = {
                name: _points(path, number, key, row.get(key)) for key, name in FACTORS.items()
            }
            points["nice"] = -points["nice"]
            if len(row.get("TRES", "")) >= _CUT:
                rest = (
                    sum(points.values())
                    - points["TRES"]
                    + _points(path, number, "SITE", row.get("SITE"))
                )
                points["TRES"] = _points(path, number, "PRIORITY", row.get("PRIORITY")) - rest
            rows[cells[0], cells[1]] = points
    return rows


def _points(path: object, number: int, key: str, text: str | None) -> float:
    """Return the points of a cell: a number, or one for each resource."""
    parts = [text or "0"] if text is None or "=" not in text else list(parts_of(text).values())
    try:
        return float(sum(map(float, parts)))
    except ValueError:
        raise QueueError(
            f"{path}: line {number}: field {key} '{shortened(text or '')}' is no number of points; "
            f"write it with {COMMAND}"
        ) from None
