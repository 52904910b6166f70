"""Workflows: stages that each need cores for some time, and the dependencies between them."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate
from typing import Self

#: Groups of stages that need the same number of cores: P for all cores, S for one.
#: For Montage these are the stages 1 and 2, 3 and 4, 5, 6 to 9 (souza2020, section 4.3).
GROUPS = {"Montage": "PSPS", "BLAST": "PS", "Statistics": "SPSP"}
_KINDS = {"P": "parallel", "S": "sequential"}


@dataclass(frozen=True)
class Stage:
    """One stage; its name is unique in the workflow.

    `seconds` is the run time: 0 for a stage that is too short to be visible. `after` names the
    stages that must end before.
    """

    name: str
    cores: int
    seconds: int
    after: tuple[str, ...] = ()

    @property
    def core_seconds(self) -> int:
        """Return cores times seconds."""
        return self.cores * self.seconds


@dataclass(frozen=True)
class Workflow:
    """Stages that run concurrently, each as soon as the stages before it have ended.

    Raises ValueError, with names, if there is no stage, two have the same name, a stage depends on
    itself or on an unknown one, or a number is out of range.
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
        """Return the indices of the stages in an order in which they may run."""
        place = {stage.name: number for number, stage in enumerate(self.stages)}
        graph = {stage.name: stage.after for stage in self.stages}
        return tuple(place[name] for name in TopologicalSorter(graph).static_order())

    @cached_property
    def before(self) -> tuple[tuple[int, ...], ...]:
        """Return for each stage the indices of those that must end before."""
        place = {stage.name: number for number, stage in enumerate(self.stages)}
        return tuple(tuple(place[name] for name in stage.after) for stage in self.stages)

    @cached_property
    def earliest(self) -> tuple[int, ...]:
        """When each stage ends without any wait, in seconds from the beginning."""
        ends = [0] * len(self.stages)
        for number in self.order:
            begin = max((ends[earlier_stage] for earlier_stage in self.before[number]), default=0)
            ends[number] = begin + self.stages[number].seconds
        return tuple(ends)

    @property
    def seconds(self) -> int:
        """Length of the critical path: how long it takes without any wait."""
        return max(self.earliest)

    @property
    def core_seconds(self) -> int:
        """Return the sum of cores times seconds over all stages (souza2020, equation 2)."""
        return sum(stage.core_seconds for stage in self.stages)

    @cached_property
    def peak(self) -> int:
        """The most cores that are used at a time without any wait.

        A stage that ends frees its cores for one that begins; a stage of no length overlaps none.
        """
        changes: Counter[int] = Counter()
        for stage, end in zip(self.stages, self.earliest, strict=True):
            changes[end - stage.seconds] += stage.cores
            changes[end] -= stage.cores
        used = accumulate(changes[moment] for moment in sorted(changes))
        return max(*used, *(stage.cores for stage in self.stages))

    def merged(self) -> Self:
        """Return the workflow as one stage: its peak of cores for all of its length (equation 1).

        Section 2.2 of souza2020.
        """
        return type(self)(self.name, (Stage("all", self.peak, self.seconds),))

    def check_fits(self, cores: int) -> None:
        """Raise ValueError if a stage, or the whole workflow as one job, needs more cores."""
        for stage in (*self.stages, *self.merged().stages):
            if stage.cores > cores:
                raise ValueError(
                    f"workflow {self.name}: stage {stage.name!r} needs {stage.cores} cores, the "
                    f"machine has {cores}"
                )


def of_groups(name: str, groups: str, cores: int, parallel: int, sequential: int) -> Workflow:
    """Make a chain of parallel and sequential stages.

    `groups` has one letter a stage, in their order: P for a parallel one on `cores`, S for a
    sequential one on 1. They are divided evenly in whole seconds, and the first stages get the
    remainder: the times of single stages are not published.
    """
    seconds = {"P": parallel, "S": sequential}
    if unknown := set(groups) - set(seconds):
        raise ValueError(f"workflow {name}: groups are {groups!r}: {min(unknown)!r} is no P or S")
    for kind, total in seconds.items():
        if total and kind not in groups:
            raise ValueError(f"workflow {name}: {total} s of kind {kind}, groups are {groups!r}")
    stages: list[Stage] = []
    counts: Counter[str] = Counter()
    for kind in groups:
        share, over = divmod(seconds[kind], groups.count(kind))
        length = share + (counts[kind] < over)
        counts[kind] += 1
        after = (stages[-1].name,) if stages else ()
        wide = cores if kind == "P" else 1
        stages.append(Stage(f"{_KINDS[kind]} {counts[kind]}", wide, length, after))
    return Workflow(name, tuple(stages))


def parallel_seconds(seconds: float, core_hours: float, cores: int) -> float:
    """Find the time on all cores of a chain that otherwise runs on one: n t_P + (t - t_P) = C.

    `seconds` is the time t of the whole chain, `core_hours` is C, and `cores` is n, at least 2.
    For the uncertainty of t_P, call this with both ends of the rounding interval.
    """
    if cores < 2:
        raise ValueError(f"cores is {cores}, must be at least 2 to tell the kinds apart")
    return min(max((core_hours * 3600 - seconds) / (cores - 1), 0.0), float(seconds))
