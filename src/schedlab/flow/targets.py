"""Check of targets on the command line, with the nearest valid one for an invalid target."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from schedlab.files.config import closest


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
    match = closest(target, candidates)
    if match:
        return f"; did you mean '{candidates[match]}'?"
    return "; snakemake --list-target-rules lists all names"
