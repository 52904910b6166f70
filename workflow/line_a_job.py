"""Print one line for each job that Snakemake starts, and every other message as it is.

usage: snakemake ... 2>&1 | python workflow/line_a_job.py

"Job 12: Drawing fig4" becomes "90 of 429 done, about 2 min left: Drawing fig4". Time stamps, ends
of jobs and announcements of the scheduler are left out. Of the message on a missing log, only the
first line is printed: the log of the job has all of it.
"""

from __future__ import annotations

import re
import sys
import time
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MISSING = " is not available: no good copy of "
#: further lines of the message on a missing log
DETAILS = (
    *("Folders of SCHEDLAB_ARCHIVE", "Addresses tried", "What to do: put"),
    *("and run the same command", "It is the right file if", "Without it everything is made", "  "),
)
LEFT_OUT = re.compile(
    r"|\[\w{3} \w{3} +\d+ [\d:]+ \d+\]|Select jobs to execute\.\.\.|Execute \d+ jobs\.\.\."
    r"|Finished jobid: \d+.*"
)
PROGRESS = re.compile(r"(\d+) of (\d+) steps \([\d.]+%\) done")
#: no time left is stated in the first seconds, and not for a smaller share of the steps
FIRST_SECONDS, FIRST_SHARE = 20, 0.1


def time_left(done: int, steps: int, seconds: float) -> str:
    """Return ", about 2 min left" if a step takes as long as those so far; empty at first."""
    if seconds < FIRST_SECONDS or done < FIRST_SHARE * steps:
        return ""
    return f", about {ceil(seconds / done * (steps - done) / 60)} min left"


def lines_of(printed: Iterable[str], clock: Callable[[], float] = time.monotonic) -> Iterator[str]:
    """Yield the lines that are shown of those that Snakemake prints."""
    begin, done, is_missing = clock(), "", False
    for line in map(str.rstrip, printed):
        if is_missing and line.startswith(DETAILS):
            continue
        is_missing = MISSING in line
        if LEFT_OUT.fullmatch(line):
            continue
        if count := PROGRESS.fullmatch(line):
            so_far, steps = int(count[1]), int(count[2])
            done = f"{so_far} of {steps} done{time_left(so_far, steps, clock() - begin)}: "
            if so_far < steps:
                continue
        yield re.sub(r"^Job \d+: ", done, line)


if __name__ == "__main__":
    for line in lines_of(sys.stdin):
        print(line, flush=True)
