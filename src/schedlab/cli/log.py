"""What commands on a log share: reading it, and mistakes that end in one clear line."""

import inspect
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from functools import wraps
from pathlib import Path

import pandas as pd
import typer

from schedlab.cli import options as o
from schedlab.cli.output import print_text, warn
from schedlab.files.durations import FORMS, read_seconds
from schedlab.files.progress import busy
from schedlab.policies.expression import ExpressionError
from schedlab.slurm.client import SlurmError
from schedlab.traces.cleaning_rules import Rule
from schedlab.traces.losses import amount
from schedlab.workbench.log import Log, load_log


@contextmanager
def mistakes_in_one_line() -> Iterator[None]:
    """Convert errors in the user's input to a red line and exit code 1."""
    try:
        yield
    except BrokenPipeError:
        raise  # head and others have read enough; the command ends without a word
    except (ExpressionError, OSError, SlurmError, ValueError) as error:
        has_name = isinstance(error, OSError) and error.filename is not None
        # of a file that takes the place of another, the second name is the user's
        name = getattr(error, "filename2", None) or getattr(error, "filename", None)
        message = f"{name}: {error.strerror}" if has_name else str(error)
        if isinstance(error, UnicodeEncodeError):
            # of all that is written, only names of files may have bytes that are no text
            before, after = error.object[: error.start], error.object[error.start :]
            name = re.split(r"[\s\"']", before)[-1] + re.split(r"[\s\"']", after)[0]
            message = f"{name}: this name is not UTF-8; rename the file"
        print_text(message, err=True, fg="red")
        raise typer.Exit(1) from error


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Let a command end mistakes in one line, and take the options of groups.

    A parameter whose type is a dataclass, such as `LogInput`, gives an option a field.
    """
    signature = inspect.signature(function)
    groups = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if is_dataclass(parameter.annotation)
    }
    options = [
        option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in signature.parameters.items()
        for option in (
            inspect.signature(groups[name]).parameters.values() if name in groups else [parameter]
        )
    ]

    @wraps(function)
    def called(**given: object) -> None:
        with mistakes_in_one_line():
            filled = {
                name: group(**{option: given.pop(option) for option in group.__annotations__})
                for name, group in groups.items()
            }
            function(**given, **filled)

    called.__signature__ = signature.replace(parameters=options)
    return called


def check_not_input(log: Path, outputs: Iterable[Path]) -> None:
    """Raise ValueError if a file to write is the log that is read."""
    for path in outputs:
        if path.exists() and path.samefile(log):
            raise ValueError(f"{path}: is the log that is read; give another file to write")


@dataclass(frozen=True)
class LogInput:
    """Options with which a log is read and cleaned."""

    processors: o.Processors = None
    rules: o.Rules = o.DEFAULT_RULES
    default_limit: o.DefaultLimit = None
    drop_wide: o.DropWide = False

    def open(self, path: Path, quiet: bool = False) -> Log:
        """Read and clean a log, and print the losses, or only warnings if `quiet`."""
        limit = _limit(self.default_limit)
        return open_log(path, self.rules, self.processors, limit, self.drop_wide, quiet)

    def words(self) -> list[str]:
        """Return the options of the cleaning as typed, without defaults."""
        words = [] if self.rules == o.DEFAULT_RULES else ["--rules", self.rules]
        for limit in self.default_limit or ():
            words += ["--default-limit", limit]
        return [*words, "--drop-wide"] if self.drop_wide else words


def open_log(
    path: Path,
    rules: str,
    processors: int | None,
    limit: int | dict[int, int] | Rule | None,
    drop_wide: bool,
    quiet: bool,
) -> Log:
    """Read and clean a log; see `LogInput.open`."""
    with busy(f"reading {path.name}"), _notes_not_logged():
        log = load_log(path, rules, processors, limit, drop_wide)
    for note in log.notes:
        warn(f"{path}: {note}")
    # a site's own machine and limits are no options
    advice = () if isinstance(limit, Rule) else log.remedies
    print_dropped(log.lost, f"rules {rules} drop", "the log", advice, quiet)
    return log


@contextmanager
def _notes_not_logged() -> Iterator[None]:
    """Let the reader of SWF log no notes: the command prints them once, a reader at each pass."""
    reader = logging.getLogger("schedlab.traces.swf")
    level = reader.level
    reader.setLevel(logging.ERROR)
    try:
        yield
    finally:
        reader.setLevel(level)


def print_dropped(
    lost: pd.DataFrame, lead: str, of: str, advice: Sequence[str], quiet: bool = False
) -> None:
    """Print the losses, and remedies (`advice`) for large ones; only the remedies if `quiet`.

    `lost` is from `schedlab.traces.losses.loss_table`; without rows nothing is printed. `lead`
    and `of` are the first words and the name of the whole: "rules full_estimate drop", "the log".
    """
    if len(lost) and not quiet:
        print_text(f"{lead} {amount(lost.sum())} of {of}:")
        for rule, losses in lost.iterrows():
            print_text(f"  {rule}: {amount(losses)}")
    if advice:
        warn("What is left waits less than all of it would:")
    for remedy in advice:
        warn(remedy)


def about(log: Log) -> dict:
    """Return the facts on a log with which every JSON object begins."""
    return {
        "log": log.path.name,
        "jobs": len(log),
        "processors": log.processors,
        "rules": log.rules,
        "cleaning": log.cleaning,
        "lost": log.lost.to_dict(orient="index"),
        "remedies": list(log.remedies),
    }


def size_of(log: Log) -> str:
    """Return the size of a log as text."""
    return f"{len(log):,} jobs on {log.processors:,} processors"


def _limit(texts: list[str] | None) -> int | dict[int, int] | None:
    """Return the default limit from the command line, in seconds."""
    option = "--default-limit"
    if not texts:
        return None
    if len(texts) == 1 and "=" not in texts[0]:
        return read_seconds(texts[0], option, least=1)
    limits = {}
    for setting in texts:
        queue, equals, text = setting.partition("=")
        if not equals or not queue.strip().isdecimal():
            raise ValueError(
                f"{option} {setting}: give DURATION once, or QUEUE=DURATION for each queue, with "
                f"the number of the queue; a DURATION is {FORMS}"
            )
        limits[int(queue)] = read_seconds(text, f"{option} {setting}", least=1)
    return limits
