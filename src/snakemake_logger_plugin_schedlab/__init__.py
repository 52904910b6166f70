"""Logger plugin of Snakemake that prints a line for each job: ``snakemake --logger schedlab``.

"Job 12: Drawing fig4" becomes "90 of 429 done, about 2 min left: Drawing fig4". Time stamps, ends
of jobs and announcements of the scheduler are left out; Snakemake's own log file has them.
"""

from __future__ import annotations

import re
import sys
import time
from math import ceil
from typing import TYPE_CHECKING

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

if TYPE_CHECKING:
    from logging import LogRecord

LEFT_OUT = (LogEvent.JOB_STARTED, LogEvent.JOB_FINISHED)
SELECTING = "Select jobs to execute..."
TIME_STAMP = re.compile(r"^\[\w{3} \w{3} +\d+ [\d:]+ \d+\] ?\n?")
#: no time left is stated in the first seconds, and not for a smaller share of the steps
FIRST_SECONDS, FIRST_SHARE = 20, 0.1


class LogHandler(LogHandlerBase):
    """Prints messages as Snakemake formats them, and a line for each job. Errors are red."""

    writes_to_stream = True
    writes_to_file = has_filter = has_formatter = needs_rulegraph = False

    def __post_init__(self) -> None:
        """Begin to count."""
        self.begin, self.progress = time.monotonic(), ""
        self.stream = sys.stdout if self.common_settings.stdout else sys.stderr
        self.is_red = self.stream.isatty() and not self.common_settings.nocolor

    def emit(self, record: LogRecord) -> None:
        """Print a message."""
        text = self.text_of(record)
        if text and self.is_red and record.levelname == "ERROR":
            text = f"\033[31m{text}\033[0m"
        if text:
            print(text, file=self.stream, flush=True)

    def text_of(self, record: LogRecord) -> str:
        """Return what is printed of a message; empty for nothing."""
        event = getattr(record, "event", None)
        text = TIME_STAMP.sub("", self.format(record))
        if event == LogEvent.PROGRESS:
            seconds = time.monotonic() - self.begin
            left = time_left(record.done, record.total, seconds)
            self.progress = f"{record.done} of {record.total} done{left}: "
            return text if record.done == record.total else ""
        if event in LEFT_OUT or text == SELECTING:
            return ""
        return re.sub(r"^Job \d+: ", self.progress, text) if event == LogEvent.JOB_INFO else text


def time_left(done: int, steps: int, seconds: float) -> str:
    """Return ", about 2 min left" if a step takes as long as those so far; empty at first."""
    if seconds < FIRST_SECONDS or done < FIRST_SHARE * steps:
        return ""
    return f", about {ceil(seconds / done * (steps - done) / 60)} min left"
