"""Workflows: stages that each need cores for a time, and which of them must end before which."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate
from typing import Self

#: Groups of stages that need one number of cores: P for all of them, S for one.
#: Of Montage the stages 1 and 2, 3 and 4, 5, 6 to 9 (souza2020, section 4.3).
GROUPS = {"Montage": "PSPS", "BLAST": "PS", "Statistics": "SPSP"}
_KINDS = {"P": "parallel", "S": "sequential"}


@dataclass(frozen=True)
class Stage:
    """One stage.

    Parameters
    ----------
    name : str
        Once in a workflow.
    cores : int
        How many it runs on.
    seconds : int
        How long it runs; 0 for one too short to be seen.
    after : tuple of str
        Names of the stages that must have ended before.
    """

    name: str
    cores: int
    seconds: int
    after: tuple[str, ...] = ()

    @property
    def core_seconds(self) -> int:
        """Cores times seconds."""
        return self.cores * self.seconds


@dataclass(frozen=True)
class Workflow:
    """Stages, any number of which may run at a time if those before them have ended.

    Parameters
    ----------
    name : str
        What messages call it.
    stages : tuple of Stage
        At least one.

    Raises
    ------
    ValueError
        There is no stage, two have one name, one comes after itself or after one that is not there,
        or a number is out of range; workflow and stage are named.
    """

    name: str
    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        if not self.stages:
            raise ValueError(f"workflow {self.name}: no stages")
        counts = Counter(stage.name for stage in self.stages)
        if twice := [name for name, count in counts.items() if count > 1]:
            raise ValueError(f"workflow {self.name}: more than one stage is named {twice[0]!r}")
        for stage in self.stages:
            for field, least in (("cores", 1), ("seconds", 0)):
                value = getattr(stage, field)
                if isinstance(value, bool) or value != int(value) or value < least:
                    raise ValueError(
                        f"workflow {self.name}: stage {stage.name!r}: {field} is {value!r}, must "
                        f"be a whole number from {least} on"
                    )
            if unknown := [name for name in stage.after if name not in counts]:
                raise ValueError(
                    f"workflow {self.name}: stage {stage.name!r} comes after {unknown[0]!r}, which "
                    "is none of its stages"
                )
        try:
            _ = self.order
        except CycleError as error:
            circle = " after ".join(repr(name) for name in reversed(error.args[1]))
            raise ValueError(f"workflow {self.name}: stages in a circle: {circle}") from error

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Places of the stages in an order in which they may run."""
        place = {stage.name: number for number, stage in enumerate(self.stages)}
        graph = {stage.name: stage.after for stage in self.stages}
        return tuple(place[name] for name in TopologicalSorter(graph).static_order())

    @cached_property
    def before(self) -> tuple[tuple[int, ...], ...]:
        """Of each stage, the places of those that must have ended before."""
        place = {stage.name: number for number, stage in enumerate(self.stages)}
        return tuple(tuple(place[name] for name in stage.after) for stage in self.stages)

    @cached_property
    def earliest(self) -> tuple[int, ...]:
        """When each stage ends if nobody ever waits, in seconds from the beginning."""
        ends = [0] * len(self.stages)
        for number in self.order:
            begin = max((ends[other] for other in self.before[number]), default=0)
            ends[number] = begin + self.stages[number].seconds
        return tuple(ends)

    @property
    def seconds(self) -> int:
        """Length of the critical path: how long it takes if nobody ever waits."""
        return max(self.earliest)

    @property
    def critical_path(self) -> tuple[str, ...]:
        """Names of stages that follow on each other and take as long as the whole workflow.

        The first of several that are as long, by the order of the stages.
        """
        ends = self.earliest
        number: int | None = ends.index(max(ends))
        path = []
        while number is not None:
            path.append(self.stages[number].name)
            number = max(self.before[number], key=lambda other: ends[other], default=None)
        return tuple(reversed(path))

    @property
    def core_seconds(self) -> int:
        """What all stages use: the sum of cores times seconds (souza2020, equation 2)."""
        return sum(stage.core_seconds for stage in self.stages)

    @cached_property
    def peak(self) -> int:
        """The most cores that are used at a time if nobody ever waits.

        What ends gives its cores to what begins; a stage of no length is beside no other.
        """
        changes: Counter[int] = Counter()
        for stage, end in zip(self.stages, self.earliest, strict=True):
            changes[end - stage.seconds] += stage.cores
            changes[end] -= stage.cores
        used = accumulate(changes[moment] for moment in sorted(changes))
        return max(*used, *(stage.cores for stage in self.stages))

    def merged(self) -> Self:
        """Return the workflow as one stage: its peak of cores for all of its length (equation 1).

        References
        ----------
        souza2020, section 2.2.
        """
        return type(self)(self.name, (Stage("all", self.peak, self.seconds),))

    def check_fits(self, cores: int) -> None:
        """See that a machine can run every stage, and all of them at once as one job.

        Raises
        ------
        ValueError
            A stage, or the whole, needs more cores than there are.
        """
        for stage in (*self.stages, *self.merged().stages):
            if stage.cores > cores:
                raise ValueError(
                    f"workflow {self.name}: stage {stage.name!r} needs {stage.cores} cores, the "
                    f"machine has {cores}"
                )


def of_groups(name: str, groups: str, cores: int, parallel: int, sequential: int) -> Workflow:
    """Make a chain of parallel and sequential stages.

    Parameters
    ----------
    name : str
        Of the workflow.
    groups : str
        One letter a stage, in their order: P for a parallel one, S for a sequential one.
    cores : int
        Of a parallel stage; a sequential one has 1.
    parallel, sequential : int
        Seconds of all stages of a kind. They are shared evenly, whole seconds, what is left over by
        the first ones: how long each takes is not published.

    Raises
    ------
    ValueError
        There is another letter, or none, or seconds of a kind that no stage is of.

    Examples
    --------
    >>> [stage.seconds for stage in of_groups("Montage", "PSPS", 28, 891, 246).stages]
    [446, 123, 445, 123]
    """
    seconds = {"P": parallel, "S": sequential}
    if unknown := set(groups) - set(seconds):
        raise ValueError(f"workflow {name}: groups are {groups!r}: {min(unknown)!r} is no P or S")
    for kind, total in seconds.items():
        if total and kind not in groups:
            raise ValueError(f"workflow {name}: {total} s of kind {kind}, groups are {groups!r}")
    stages: list[Stage] = []
    met: Counter[str] = Counter()
    for kind in groups:
        each, over = divmod(seconds[kind], groups.count(kind))
        length = each + (met[kind] < over)
        met[kind] += 1
        after = (stages[-1].name,) if stages else ()
        wide = cores if kind == "P" else 1
        stages.append(Stage(f"{_KINDS[kind]} {met[kind]}", wide, length, after))
    return Workflow(name, tuple(stages))


def parallel_seconds(seconds: float, core_hours: float, cores: int) -> float:
    """Find the time on all cores of a chain that otherwise runs on one: n t_P + (t - t_P) = C.

    Parameters
    ----------
    seconds : float
        Time of the whole chain, t.
    core_hours : float
        What it uses by stages, C.
    cores : int
        Of the parallel stages, n, at least 2.

    Returns
    -------
    float
        t_P in seconds, not less than 0 nor more than `seconds`: core-hours that were rounded to
        whole ones may tell of more or less than there can be. Call it with both ends of what
        rounding leaves open to know how far off it may be.

    Raises
    ------
    ValueError
        A single core, on which both kinds are one.

    Examples
    --------
    >>> round(parallel_seconds(1137, 7, 28))
    891
    """
    if cores < 2:
        raise ValueError(f"cores is {cores}, must be at least 2 to tell the kinds apart")
    return min(max((core_hours * 3600 - seconds) / (cores - 1), 0.0), float(seconds))
