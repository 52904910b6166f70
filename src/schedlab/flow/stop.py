"""End of the workflow at an invalid setting: one message, without Snakemake's stack."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from textwrap import fill

from schedlab.files.config import ConfigError
from schedlab.flow.submission import SubmissionError
from schedlab.flow.targets import TargetError


@contextmanager
def without_stack() -> Iterator[None]:
    """Exit with an invalid setting's message; Snakemake prints a stack with others."""
    try:
        yield
    except (ConfigError, SubmissionError, TargetError) as error:
        lines = [f"Error: {line}" for line in str(error).splitlines()]
        if sys.stderr.isatty():
            width = get_terminal_size().columns
            whole = {"break_long_words": False, "break_on_hyphens": False}
            lines = [fill(line, width, subsequent_indent="  ", **whole) for line in lines]
        sys.exit("\n".join(lines))
