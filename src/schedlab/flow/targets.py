"""Check of targets on the command line, with the nearest valid one for an invalid target."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from schedlab.files.known_words import closest, did_you_mean


class TargetError(ValueError):
    """A requested target cannot be made."""


def check_targets(
    targets: Iterable[str],
    names: Collection[str],
    files: Callable[[], Collection[str]],
    is_made: Callable[[str], bool],
) -> None:
    """Check that each target is a rule's name or a file that a rule makes.

    `names` are valid rules. `files` returns known files, among which the nearest one is searched;
    it is called only if a target is invalid. `is_made` returns whether some rule's output matches a
    path, wildcards included. Raises `TargetError` with one line per invalid target, with the
    nearest name or file.
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
