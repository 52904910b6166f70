"""What is asked for on the command line and cannot be made: the nearest that can."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from schedlab.files.config import closest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable


class TargetError(ValueError):
    """Something is asked for that nothing makes."""


def check_targets(
    asked: Iterable[str],
    names: Collection[str],
    files: Collection[str],
    made: Callable[[str], bool],
) -> None:
    """Refuse targets that are no rule's name and that no rule makes.

    Parameters
    ----------
    asked : iterable of str
        Targets of the command line.
    names, files : collection of str
        Rules that can be asked for, and files that are known to be made: what the nearest is
        sought among.
    made : callable
        ``made(file) -> bool``: whether some rule's output has this path, wildcards included.

    Raises
    ------
    TargetError
        A line a target, with the nearest name or file.
    """
    unknown = [
        target for target in asked if target not in names and not made(Path(target).as_posix())
    ]
    if unknown:
        problems = (f"nothing makes '{target}'{_hint(target, names, files)}" for target in unknown)
        raise TargetError("\n".join(problems))


def _hint(target: str, names: Collection[str], files: Collection[str]) -> str:
    """Name the nearest: of paths to a path, of file names to a file name, else of rules' names."""
    if "/" in target:
        known = {path: path for path in files}
    elif "." in target:
        known = {Path(path).name: path for path in sorted(files, key=len, reverse=True)}
    else:
        known = {name: name for name in names}
    found = closest(target, known)
    if found:
        return f"; did you mean '{known[found]}'?"
    return "; snakemake --list-target-rules lists what can be asked for by name"
