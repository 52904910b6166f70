"""Print one line for each job that Snakemake starts, and every other message as it is.

usage: snakemake ... 2>&1 | python workflow/line_a_job.py

"Job 12: Drawing fig4" becomes "3 of 429 done: Drawing fig4". Time stamps, ends of jobs and
announcements of the scheduler are left out. Of the message on a missing log, only the first line is
printed: the log of the job has all of it.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


def lines_of(printed: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are shown of those that Snakemake prints."""
    done, is_missing = "", False
    for line in map(str.rstrip, printed):
        if is_missing and line.startswith(DETAILS):
            continue
        is_missing = MISSING in line
        if LEFT_OUT.fullmatch(line):
            continue
        if count := PROGRESS.fullmatch(line):
            done = f"{count[1]} of {count[2]} done: "
            if int(count[1]) < int(count[2]):
                continue
        yield re.sub(r"^Job \d+: ", done, line)


if __name__ == "__main__":
    for line in lines_of(sys.stdin):
        print(line, flush=True)
