"""What a partition can hold at most, and stages that never fit into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from schedlab.slurm.strategies import STRATEGIES
from schedlab.slurm.workflow_lines import mistake_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from schedlab.slurm.workflow_file import WorkflowFile


@dataclass(frozen=True)
class Partition:
    """The largest nodes of a partition, as many as a job can have there."""

    name: str
    cores: int
    cores_of_node: int

    @classmethod
    def read(cls, lines: Iterable[str]) -> list[Self]:
        """Return the partitions of `Slurm.partitions`; other lines are left out."""
        nodes: dict[str, list[int]] = {}
        most: dict[str, str] = {}
        for line in lines:
            cells = line.strip().split("|")
            if len(cells) == 4 and cells[1].isdigit() and cells[2].isdigit():
                name = cells[0].rstrip("*")
                nodes.setdefault(name, []).extend([int(cells[2])] * int(cells[1]))
                most[name] = cells[3].rpartition("-")[2]
        found = []
        for name, cores in nodes.items():
            count = int(most[name]) if most[name].isdigit() else None
            largest = sorted(cores, reverse=True)[:count]
            if largest:
                found.append(cls(name, sum(largest), largest[0]))
        return found


def check_capacity(described: WorkflowFile, strategy: str, partitions: Iterable[Partition]) -> None:
    """Raise ConfigError if a stage is wider than all its known partitions."""
    by_width = sorted(partitions, key=lambda one: one.cores)
    if not by_width or (problem := next(_problems(described, strategy, by_width), None)) is None:
        return
    stage, text = problem
    member = described.member(stage)
    if member:
        raise mistake_in(member.source, member.name, text)
    raise mistake_in(described.source, described.workflow.name, text)


def _problems(
    described: WorkflowFile, strategy: str, partitions: list[Partition]
) -> Iterator[tuple[str, str]]:
    """Yield stages with what does not fit into the widest partition, and tasks into no node."""
    widest = partitions[-1]
    has = f"a job in partition {widest.name} has at most {widest.cores}"
    if STRATEGIES[strategy].merged:
        (stage,) = described.workflow.merged().stages
        if stage.cores > widest.cores:
            yield stage.name, f"all stages as one job: key 'cores': {stage.cores} at a time, {has}"
        return
    for stage in described.workflow.stages:
        if stage.cores > widest.cores:
            name = _own_name(described, stage.name)
            yield stage.name, f"stage {name!r}: key 'cores': is {stage.cores}, {has}"
    node = max(partition.cores_of_node for partition in partitions)
    for stage, tasks in described.tasks.items():
        for task in tasks:
            if task.cores > node:
                yield (
                    stage,
                    f"stage {_own_name(described, stage)!r}: task {task.name!r}: key 'cores': is "
                    f"{task.cores}, a node has at most {node}",
                )


def _own_name(described: WorkflowFile, stage: str) -> str:
    """Return the name of a stage in the file of its workflow."""
    member = described.member(stage)
    return member.stages[stage] if member else stage
