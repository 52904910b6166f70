"""Policies that are Python functions: they score waiting jobs, or decide which of them start.

Input is a function, a class or ``file.py:function``. Output is a `FunctionPolicy`, which
`schedlab.queue.functions` runs. Kernels see only the scores.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self, TypeGuard

import numpy as np

from schedlab.files.known_words import closest, did_you_mean
from schedlab.policies.pure import Policy
from schedlab.policies.user_files import load_functions
from schedlab.policies.waiting_jobs import JobTable, MachineState, WaitingJobs

if TYPE_CHECKING:
    import pandas as pd

    from schedlab.core.jobs import Jobs
    from schedlab.policies.expression import Program

Kind = Literal["score", "decision"]
_KINDS: dict[int, Kind] = {1: "score", 2: "decision"}
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_BAD_SIGNATURE = (
    "must take any of r, n, s and w (as in an expression; returns a score for each job), one "
    "argument (waiting jobs; returns the same) or two (waiting jobs and machine; returns the "
    "numbers of the jobs that start)"
)
#: column of waiting jobs by the variable of an expression
_COLUMN = {"r": "estimate", "n": "procs", "s": "submit", "w": "wait"}
#: names that users give to a variable; they lead to "did you mean"
_MEANT = {
    **{name: "r" for name in ("runtime", "run_time", "estimate", "walltime", "duration")},
    **{name: "n" for name in ("procs", "processors", "cores", "cpus", "nodes", "size")},
    **{name: "s" for name in ("submit", "submit_time", "submission", "arrival")},
    **{name: "w" for name in ("wait", "wait_time", "waited", "waiting_time", "age")},
    **{name.upper(): name for name in _COLUMN},
}


class SchedulerError(ValueError):
    """A user's function failed or returned an invalid value; the message names it, time and job."""


@dataclass(frozen=True)
class FunctionPolicy(Policy):
    """Policy that is a Python function, from `from_function` or `from_file`.

    Parameters
    ----------
    function : callable
        The function, or a class that is instantiated for each run and whose object is called.
    kind : {"score", "decision"}
        Whether it scores waiting jobs, or decides which of them start.
    variables : tuple of str
        Those of r, n, s and w that it takes by name instead of the waiting jobs.
    owners : DataFrame, optional
        Users, groups, accounts and queues by job number; see `schedlab.policies.waiting_jobs`.
    """

    function: Callable[..., Any] = field(kw_only=True)
    kind: Kind = field(kw_only=True)
    variables: tuple[str, ...] = field(default=(), kw_only=True)
    owners: pd.DataFrame | None = field(default=None, compare=False, repr=False)

    @property
    def order(self) -> Literal["function"]:
        """How the order of waiting jobs changes: as the function decides."""
        return "function"

    @property
    def program(self) -> Program:
        """Raise ValueError, because a function has no expression."""
        raise ValueError(
            f"policy '{self.name}' is a Python function: it has no expression, which is needed here"
        )

    def scores(self, jobs: Jobs, head: int = 0, wait: float | np.ndarray = 0.0) -> NoReturn:
        """Raise an error, because a function scores jobs only in a simulation; see `program`."""
        raise ValueError(
            f"policy '{self.name}' is a Python function: it scores jobs only inside a simulation"
        )

    def of_log(self, frame: pd.DataFrame) -> Self:
        """Return the policy with the users, groups, accounts and queues of a log.

        Parameters
        ----------
        frame : DataFrame
            ``number`` and any of user, group, account and queue; a row per job.
        """
        return replace(self, owners=frame)


def from_function(function: Callable[..., Any], name: str | None = None) -> FunctionPolicy:
    """Return the policy of a function.

    Parameters
    ----------
    function : callable
        With any of the arguments r, n, s and w, in any order: the variables of an expression, as
        float64 arrays with a value for each waiting job; returns a number for each, and the
        smallest starts first. With one other argument, ``score(waiting)``: returns the same. With
        two, ``decide(waiting, machine)``: returns the numbers of the jobs that start now. A class
        is instantiated without arguments for each run, and its object is called.
    name : str, optional
        Name and label; by default the function's name.

    Raises
    ------
    ValueError
        The function takes other arguments; the message names the variable that was meant.

    Examples
    --------
    >>> from_function(lambda waiting: waiting.estimate, "sjf").kind
    'score'
    >>> from_function(lambda n, r: r * n, "saf").variables
    ('n', 'r')
    """
    name = name or _name_of(function)
    called = function
    if inspect.isclass(function):
        called = function.__call__
        if not inspect.isfunction(called):
            raise ValueError(f"scheduler '{name}': the class has no method __call__")
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except (TypeError, ValueError) as error:
        raise ValueError(f"scheduler '{name}': {_BAD_SIGNATURE}") from error
    arguments = parameters[inspect.isclass(function) :]  # without self
    named = [p.name for p in arguments if p.kind is not inspect.Parameter.POSITIONAL_ONLY]
    variables = tuple(name for name in named if name in _COLUMN)
    needed = [p.name for p in arguments if p.kind in _POSITIONAL and p.default is p.empty]
    kind = _KINDS.get(len(needed))
    if variables or any(argument in _MEANT for argument in needed):
        _check_variables(name, needed)
        kind = "score"
    if kind is None:
        raise ValueError(f"scheduler '{name}': takes {len(needed)} arguments, {_BAD_SIGNATURE}")
    return FunctionPolicy(name, name, name, function=function, kind=kind, variables=variables)


def _check_variables(policy: str, arguments: list[str]) -> None:
    for argument in arguments:
        if argument not in _COLUMN:
            hint = did_you_mean(_MEANT.get(closest(argument, _MEANT)))
            raise ValueError(
                f"scheduler '{policy}': argument '{argument}' is unknown{hint}: it {_BAD_SIGNATURE}"
            )


def from_file(place: str) -> FunctionPolicy:
    """Return the policy of a function or class in a file.

    Parameters
    ----------
    place : str
        ``path/to/file.py:function``; the file is executed.

    Raises
    ------
    ValueError
        As for `schedlab.policies.user_files.load_functions` and `from_function`.
    """
    function = load_functions({place: place}, "scheduler")[place]
    return from_function(function, place)


def decides(policy: Policy) -> TypeGuard[FunctionPolicy]:
    """Return whether a policy is a function that decides itself which jobs start."""
    return isinstance(policy, FunctionPolicy) and policy.kind == "decision"


def _name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function; for a lambda its file and line."""
    name = getattr(function, "__qualname__", type(function).__name__)
    if "<lambda>" in name:
        code = function.__code__
        return f"lambda ({Path(code.co_filename).name}:{code.co_firstlineno})"
    return name.rpartition("<locals>.")[2]


class Calls:
    """Checked calls of a user's function in one run of `jobs`."""

    def __init__(self, policy: FunctionPolicy, jobs: Jobs) -> None:
        self.name, self.table, self.count = policy.name, JobTable(jobs, policy.owners), 0
        self._function, self._variables = policy.function, policy.variables
        if inspect.isclass(policy.function):
            try:
                self._function = policy.function()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise SchedulerError(f"scheduler '{self.name}': {_message(error)}") from error

    def scores(self, places: np.ndarray, now: int) -> np.ndarray:
        """Return the scores of waiting jobs, float64 of shape (w,)."""
        waiting = WaitingJobs(self.table, places, now)
        if self._variables:
            # floats as in an expression, so that no product overflows
            columns = {
                name: getattr(waiting, _COLUMN[name]).astype(np.float64) for name in self._variables
            }
            with np.errstate(divide="ignore"):  # a pole is a score, as in an expression
                returned = self._called(waiting, **columns)
        else:
            returned = self._called(waiting, waiting)
        try:
            score = np.asarray(returned)
        except ValueError as error:  # lists of different lengths
            raise self._wrong(waiting, _message(error)) from error
        if score.dtype.kind not in "biuf":
            raise self._wrong(
                waiting, f"returned {_short(returned)}, must return a number for each waiting job"
            )
        if score.shape != (len(places),):
            raise self._wrong(
                waiting,
                f"returned an array of shape {score.shape} for {len(places)} waiting jobs, must be "
                f"({len(places)},)",
            )
        if (bad := np.flatnonzero(np.isnan(score))).size:
            raise self._wrong(waiting, f"the score of job {waiting.number[bad[0]]} is nan")
        return np.ascontiguousarray(score, dtype=np.float64)

    def decision(self, waiting: WaitingJobs, machine: MachineState) -> list[int]:
        """Return the places of the waiting jobs that start now."""
        returned = self._called(waiting, waiting, machine)
        if isinstance(returned, str | bytes) or not isinstance(returned, Sequence | np.ndarray):
            raise self._wrong(
                waiting, f"returned {_short(returned)}, must return a sequence of job numbers"
            )
        try:
            numbers = np.asarray(returned)
        except ValueError as error:  # lists of different lengths
            raise self._wrong(waiting, _message(error)) from error
        if numbers.size and (numbers.ndim != 1 or numbers.dtype.kind not in "iu"):
            mask = "; of a mask return waiting.number[mask]" if numbers.dtype.kind == "b" else ""
            raise self._wrong(
                waiting, f"returned {_short(returned)}, must be whole numbers of jobs{mask}"
            )
        chosen: dict[int, None] = {}
        free = machine.free
        for number in numbers.ravel().tolist():
            place = self.table.place.get(number)
            if place is None or place in chosen or not waiting.has(place):
                why = "is in no log" if place is None else "does not wait"
                why = "was returned twice" if place in chosen else why
                raise self._wrong(waiting, f"returned job {number}, which {why}")
            chosen[place] = None
            free -= int(self.table.procs[place])
            if free < 0:
                raise self._wrong(
                    waiting,
                    f"job {number} needs {self.table.procs[place]} processors, "
                    f"{free + self.table.procs[place]} of {machine.processors} are free for it",
                )
        return list(chosen)

    def _called(self, waiting: WaitingJobs, *arguments: object, **variables: object) -> object:
        """Call the function; convert its exceptions to an error that names it."""
        self.count += 1
        try:
            return self._function(*arguments, **variables)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a user's function may raise anything, even SystemExit
            raise self._wrong(waiting, _message(error)) from error

    def _wrong(self, waiting: WaitingJobs, what: str) -> SchedulerError:
        """Return an error with the function's name, the time and the first waiting job."""
        return SchedulerError(
            f"scheduler '{self.name}' at {waiting.now} s ({len(waiting)} waiting, the first is job "
            f"{waiting.number[0]}): {what}"
        )

    def idle(self, waiting: WaitingJobs, since: int, calls: int) -> SchedulerError:
        """Return the error about a scheduler that starts no job on an idle machine."""
        return self._wrong(
            waiting,
            f"starts no job on an idle machine: idle since {since} s, asked {calls} times, and "
            f"job {waiting.number[0]} needs {waiting.procs[0]} processors",
        )


def _message(error: BaseException) -> str:
    lines = traceback.extract_tb(error.__traceback__)
    outside = [line for line in lines if Path(line.filename) != Path(__file__)]
    user = [line for line in outside if line.filename == outside[0].filename]
    where = f" ({Path(user[-1].filename).name}, line {user[-1].lineno})" if user else ""
    return f"{type(error).__name__}: {error}{where}"


def _short(value: object) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"
