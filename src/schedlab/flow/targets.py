"""Check of targets on the command line, and the workflow's end at an invalid one or setting."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill

from schedlab.files.config import ConfigError
from schedlab.files.known_words import closest, did_you_mean
from schedlab.flow.submission import SubmissionError


class TargetError(ValueError):
    """A requested target cannot be made."""


def check_targets(
    targets: Iterable[str],
    names: Collection[str],
    files: Callable[[], Collection[str]],
    is_made: Callable[[str], bool],
) -> None:
    """Raise `TargetError`, with the nearest name, if a target is neither a rule nor made by one.

    `files` returns known files; it is called only if a target is invalid.
    """
    unknown = [
        target for target in targets if target not in names and not is_made(Path(target).as_posix())
    ]
    if unknown:
        known_files = files()
        problems = (
            f"nothing makes '{target}'{_hint(target, names, known_files)}" for target in unknown
        )
        raise TargetError("\n".join(problems))


def _hint(target: str, names: Collection[str], files: Collection[str]) -> str:
    """Return the nearest valid target: a path for a path, a file for a file name, else a rule."""
    if "/" in target:
        candidates = {path: path for path in files}
    elif "." in target:
        candidates = {Path(path).name: path for path in sorted(files, key=len, reverse=True)}
    else:
        candidates = {name: name for name in names}
    if match := closest(target, candidates):
        return did_you_mean(candidates[match])
    return "; snakemake --list-target-rules lists all names"


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
