"""The types `Jobs` and `Schedule`, which all packages exchange."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from schedlab.core.requests import Requests

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray


def _integers(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """Return `values` as a read-only contiguous int64 vector; fail if a value is not whole."""
    array = np.asarray(values)
    column = np.ascontiguousarray(array, dtype=np.int64)
    if array.dtype.kind not in "iu" and not np.array_equal(column, array):
        raise ValueError(f"jobs: field '{name}' holds values that are not whole numbers")
    if column.ndim != 1:
        raise ValueError(f"jobs: field '{name}' must have one dimension, has {column.ndim}")
    column = column.view()
    column.flags.writeable = False
    return column


@dataclass(frozen=True, eq=False)
class Jobs:
    """Rigid jobs as a struct of arrays, in order of submission.

    Parameters
    ----------
    number : array_like of int, shape (n,)
        Job number in the log that it comes from. It breaks ties of submit times when jobs are
        created (`from_frame`, or reading a log). Jobs with equal numbers keep their order.
    submit : array_like of int, shape (n,)
        Submit time in seconds, non-decreasing.
    runtime : array_like of int, shape (n,)
        Actual run time in seconds, at least 0.
    estimate : array_like of int, shape (n,)
        Run time that the user estimated, in seconds. Cleaning determines it, so it is never
        unknown.
    procs : array_like of int, shape (n,)
        Processors, at least 1.
    requests : Requests, optional
        What jobs ask for beyond processors and time; None if nothing is known.

    Raises
    ------
    ValueError
        A field has values that are not whole numbers, lengths differ, or a value is out of range.
        The message names the field and the job.
    """

    number: NDArray[np.int64]
    submit: NDArray[np.int64]
    runtime: NDArray[np.int64]
    estimate: NDArray[np.int64]
    procs: NDArray[np.int64]
    requests: Requests | None = None

    if TYPE_CHECKING:  # the arguments are array_like, the fields are arrays

        def __init__(
            self,
            number: ArrayLike,
            submit: ArrayLike,
            runtime: ArrayLike,
            estimate: ArrayLike,
            procs: ArrayLike,
            requests: Requests | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        for name in ARRAYS:
            object.__setattr__(self, name, _integers(name, getattr(self, name)))
        lengths = {name: len(getattr(self, name)) for name in ARRAYS}
        if self.requests is not None:
            lengths["requests"] = len(self.requests)
        if len(set(lengths.values())) > 1:
            raise ValueError(f"jobs: fields differ in length: {lengths}")
        for name, least in (("runtime", 0), ("estimate", 0), ("procs", 1)):
            column = getattr(self, name)
            if (bad := np.flatnonzero(column < least)).size:
                raise ValueError(
                    f"jobs: job {self.number[bad[0]]}: {name} is {column[bad[0]]}, "
                    f"must be at least {least}"
                )
        if (bad := np.flatnonzero(np.diff(self.submit) < 0)).size:
            raise ValueError(
                f"jobs: job {self.number[bad[0] + 1]} is submitted before the job in front of it"
            )

    def __len__(self) -> int:
        return len(self.submit)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Self:
        """Return the jobs of `frame`, by submit time, then number.

        Requests are from the columns of `schedlab.core.requests.Requests.of`, if there are any;
        other columns are ignored.
        """
        columns = {name: frame[name].to_numpy() for name in ARRAYS}
        requests = Requests.of(frame)
        order = submit_order(frame)
        if order is not None:
            columns = {name: column[order] for name, column in columns.items()}
            requests = requests and requests.take(order)
        return cls(**columns, requests=requests)

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with one int64 column per array, then the columns of requests."""
        frame = pd.DataFrame({name: getattr(self, name) for name in ARRAYS})
        return frame if self.requests is None else frame.join(self.requests.to_frame())

    def take(self, index: ArrayLike | slice) -> Jobs:
        """Return the jobs at `index` (a slice, a mask or places in submit order)."""
        requests = self.requests and self.requests.take(index)
        number, submit, runtime, estimate, procs = (getattr(self, name)[index] for name in ARRAYS)
        return Jobs(number, submit, runtime, estimate, procs, requests)

    def rebased(self) -> Jobs:
        """Return the same jobs with submit times relative to the first job's."""
        if not len(self):
            return self
        zero = int(self.submit[0])
        requests = self.requests and self.requests.earlier(zero)
        return replace(self, submit=self.submit - zero, requests=requests)


#: the arrays of `Jobs`
ARRAYS = ("number", "submit", "runtime", "estimate", "procs")


def submit_order(frame: pd.DataFrame) -> NDArray[np.int64] | None:
    """Return the order of jobs by submit time, then number; None if they have it already.

    A large log in order need not be copied.
    """
    submit, number = frame["submit"].to_numpy(), frame["number"].to_numpy()
    further = submit[:-1] < submit[1:]
    further |= (submit[:-1] == submit[1:]) & (number[:-1] <= number[1:])
    return None if further.all() else np.lexsort((number, submit))


def submitted_in(jobs: Jobs, begin: int, end: int) -> slice:
    """Return the places of the jobs that are submitted from `begin` on and before `end`."""
    first, last = np.searchsorted(jobs.submit, (begin, end))
    return slice(int(first), max(int(first), int(last)))


def jobs_by_piece(frame: pd.DataFrame, clairvoyant: bool = False) -> dict[int, Jobs]:
    """Return the jobs of each piece, each from time 0.

    Parameters
    ----------
    frame : pandas.DataFrame
        The columns of `Jobs` and ``piece``, as from `schedlab.core.splitting.split`. If there is a
        column ``id``, it gives the job numbers.
    clairvoyant : bool, default False
        Use run times instead of estimates.
    """
    if "id" in frame:
        frame = frame.assign(number=frame["id"])
    pieces = frame.groupby("piece")
    by_piece = {int(piece): Jobs.from_frame(rows).rebased() for piece, rows in pieces}
    if clairvoyant:
        return {piece: replace(jobs, estimate=jobs.runtime) for piece, jobs in by_piece.items()}
    return by_piece


@dataclass(frozen=True, eq=False)
class Schedule:
    """Start and end times of jobs.

    Parameters
    ----------
    start, end : ndarray, shape (n,)
        Start and end of each job in seconds, in the order of the jobs; -1 if it has not happened.
        int64, or float64 if a dispatch costs a fraction of a second (the artefact dialect).
    extras : mapping of str to object
        Further results of the simulation by name.
    """

    start: np.ndarray
    end: np.ndarray
    extras: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def latest_end(self) -> np.ndarray:
        """The latest end of each job and those in front of it, shape (n,)."""
        return np.maximum.accumulate(self.end)
