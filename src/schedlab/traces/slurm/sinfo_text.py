"""Reader of the output of `sinfo` with `FORMAT`: one line per node and partition.

References
----------
Slurm, sinfo(1), option --format: %C is allocated/idle/other/total.
"""

import os

import pandas as pd

from schedlab.traces.slurm.queue_entries import QueueError, read_cells, shortened

FORMAT = "%N|%R|%T|%C"
COMMAND = f'sinfo -h -a -N -o "{FORMAT}"'
NAMES = ("NODELIST", "PARTITION", "STATE", "CPUS(A/I/O/T)")
#: States and flags of a node that takes jobs, now or when those on it end, long and short. Also a
#: node in power saving, which the next job wakes, and one that is planned for a waiting job. Every
#: other state closes the node: drained, reserved, not responding, about to power down or reboot, …
OPEN = {
    *("idle", "mixed", "mix", "allocated", "alloc", "completing", "comp", "planned", "plnd"),
    *("cloud", "dynamic_norm", "dynamic_future", "reboot_canceled"),
    *("powered_down", "powering_up", "pow_up", "power_up"),
}
#: open marks after a state: in power saving, powering up, planned. Closed ones: not responding (*),
#: powering down (%, !), maintenance ($), reboot (@, ^), and unknown ones.
OPEN_MARKS = "~#-"
#: some jobs complete, others run
_ALSO_COMPLETING = ("allocated+", "alloc+")


def read_sinfo_text(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the output of `COMMAND`; a first line with the names is skipped.

    Columns: name, partition, state, used, idle, total; a row per node and partition. Raises
    `QueueError` if a line has a wrong number of values, or invalid numbers of processors.
    """
    rows = []
    for number, (name, partition, state, cpus) in read_cells(path, NAMES, COMMAND):
        counts = cpus.split("/")
        if len(counts) != 4 or not all(
            count.isascii() and count.isdigit() and len(count) < 10 for count in counts
        ):
            raise QueueError(
                f"{path}: line {number}: field {NAMES[3]} '{shortened(cpus)}' is not like "
                f"8/24/0/32; write it with {COMMAND}"
            )
        used, idle, _, total = map(int, counts)
        rows.append((name, partition, state.lower(), used, idle, total))
    return pd.DataFrame(rows, columns=["name", "partition", "state", "used", "idle", "total"])


def is_closed(state: str) -> bool:
    """Return whether a node in this state takes no new jobs; flags follow after ``+``."""
    words = (word.rstrip(OPEN_MARKS) for word in state.split("+"))
    return state not in _ALSO_COMPLETING and not OPEN.issuperset(words)
