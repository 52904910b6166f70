"""Reader of the output of `sinfo` with `FORMAT`: one line per node and partition.

References
----------
Slurm, sinfo(1), option --format: %C is allocated/idle/other/total.
"""

import os

import pandas as pd

from schedlab.files.io import printable
from schedlab.traces.slurm.queue_entries import QueueError, read_cells

FORMAT = "%N|%R|%T|%C"
COMMAND = f'sinfo -h -a -N -o "{FORMAT}"'
NAMES = ("NODELIST", "PARTITION", "STATE", "CPUS(A/I/O/T)")
#: A node whose state contains one of these takes no new jobs. Marks after a state: powering down
#: (%), about to power down (!), maintenance ($).
CLOSED = ("down", "drain", "fail", "maint", "unknown", "future", "error", "block", "%", "!", "$")
#: the next job wakes a node in power saving; its mark after a state is ~
ASLEEP = "powered_down"


def read_sinfo_text(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the output of `COMMAND`; a first line with the names is skipped.

    Columns: name, partition, state, used, idle, total; a row per node and partition. Raises
    `QueueError` if a line has a wrong number of values, or invalid numbers of processors.
    """
    rows = []
    for number, (name, partition, state, cpus) in read_cells(path, NAMES, COMMAND):
        counts = cpus.split("/")
        if len(counts) != 4 or not all(count.isascii() and count.isdigit() for count in counts):
            raise QueueError(
                f"{path}: line {number}: field {NAMES[3]} '{printable(cpus)}' is not like "
                f"8/24/0/32; write it with {COMMAND}"
            )
        used, idle, _, total = map(int, counts)
        rows.append((name, partition, state.lower(), used, idle, total))
    return pd.DataFrame(rows, columns=["name", "partition", "state", "used", "idle", "total"])


def is_closed(state: str) -> bool:
    """Return whether a node in this state takes no new jobs.

    Examples
    --------
    >>> is_closed("draining"), is_closed("mixed"), is_closed("idle+drain")
    (True, False, True)
    >>> is_closed("idle~"), is_closed("idle+powered_down"), is_closed("idle+powering_down")
    (False, False, True)
    """
    words = state.replace(ASLEEP, "")
    return any(word in words for word in CLOSED)
