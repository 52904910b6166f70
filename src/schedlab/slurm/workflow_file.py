"""Workflow files: stages with their commands or tasks, and options of sbatch for all stages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import ceil
from pathlib import Path
from typing import Any, Self

from schedlab.files.config import DURATION, ConfigError, read_yaml, validate
from schedlab.files.durations import format_duration, optional_seconds
from schedlab.slurm.tasks import Task, check_tasks
from schedlab.slurm.workflow_lines import with_lines
from schedlab.waits.learner import Geometry
from schedlab.waits.workflows import Stage, Workflow

#: Seconds without a heartbeat of the client after which an early job stops idling, by default.
#: File systems may show a heartbeat a minute late.
TOLERANCE_S = 600
#: Seconds by which an allocation for tasks is longer than its stage's limit: its worker starts, and
#: gets its first tasks
START_S = 60
#: options of sbatch that send jobs into another queue than that of cluster and partition
SHAPES = ("qos", "gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task", "gres")
#: classes of limits by their longest one, in minutes: shorter jobs are backfilled sooner
LIMITS, LONGER = {"1h": 60, "4h": 240, "12h": 720, "24h": 1440}, "longer"
#: valid stage names, which are used in file names
NAME = "^[A-Za-z0-9][A-Za-z0-9_.-]*$"
#: Most characters of a name, and of the names of a stage and its task together: they are parts of
#: the names of files, which have at most 255 characters.
LONGEST, LONGEST_BOTH = 200, 240
#: most bytes of a task's command: that of one argument of a program in Linux, without its last zero
LONGEST_COMMAND = 2**17 - 1
#: options of sbatch that strategies control, or that would change the kind of job
TAKEN = frozenset(
    {
        *("array", "batch", "begin", "chdir", "cluster", "clusters", "cpus-per-task", "deadline"),
        *("dependency", "error", "exclusive", "help", "hold", "input", "job-name"),
        *("kill-on-invalid-dep", "no-requeue", "nodes", "ntasks", "ntasks-per-node", "output"),
        *("parsable", "requeue", "tasks-per-node", "test-only", "time", "time-min", "usage"),
        *("version", "wait", "workdir", "wrap"),
    }
)
_COUNT = {"type": "integer", "minimum": 1}
#: keys that stages and tasks share
_COMMON = {
    "name": {"type": "string", "pattern": NAME},
    "cores": _COUNT,
    "limit": {"type": "string", "format": DURATION},
    "after": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    "command": {"type": "string", "pattern": "\\S"},
}
_TASK = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "command"],
    "properties": _COMMON | {"memory": _COUNT},
}
_STAGE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "cores", "seconds"],
    "properties": _COMMON
    | {
        "seconds": _COUNT,
        "tolerance": {"type": "string", "format": DURATION},
        "tasks": {"type": "array", "minItems": 1, "items": _TASK},
    },
}
_FILE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "stages"],
    "properties": {
        "name": {"type": "string", "pattern": NAME},
        "sbatch": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z][a-z0-9-]+$"},
            "additionalProperties": {"type": ["string", "number", "boolean"]},
        },
        "stages": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "object", "required": ["name"]},
        },
    },
}


@dataclass(frozen=True)
class Member:
    """One of several workflows in a run: its stages' names in its file by those in the run.

    `source` is its file, if there is one.
    """

    name: str
    stages: dict[str, str]
    source: str = ""


@dataclass(frozen=True)
class WorkflowFile:
    """Workflow with the commands of its stages; stages have their expected run times.

    Limits are seconds by stage name, commands lines for bash by stage name. Options are those of
    sbatch for all stages, as on the command line; `partition` is the one in the options.
    `tolerances` are seconds by stage name, for stages without the default: see `tolerance`. A stage
    has either a command or an entry in `tasks`. `source` is the file, if there is one. `members`
    are the workflows of `schedlab.slurm.joined_workflows.join_workflows`; of one file, none.
    """

    workflow: Workflow
    limits: dict[str, int]
    commands: dict[str, str]
    options: tuple[str, ...] = ()
    partition: str | None = None
    tolerances: dict[str, int] = field(default_factory=dict)
    tasks: dict[str, tuple[Task, ...]] = field(default_factory=dict)
    source: str = ""
    members: tuple[Member, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a workflow file, which is YAML.

        Its fields are ``name``; ``sbatch``, options of all stages by their long names; and
        ``stages``. A stage has ``name``, ``cores``, ``seconds`` (expected run time), ``limit``
        (time limit, like ``1h``; by default the expected run time), ``tolerance`` (like ``10m``),
        ``after`` (names of stages), and either ``command`` or ``tasks``. A task has ``name``,
        ``command``, ``cores`` (1), ``memory`` (in MB), ``limit`` (by default that of the stage) and
        ``after`` (names of tasks of the stage).

        Raises ConfigError, with file, line, stage and field, if the file does not exist or is no
        YAML. The same holds if a field is missing, unknown or of a wrong kind, or the stages form
        no workflow.
        """
        content = read_yaml(path)
        try:
            return cls._of(path, content)
        except ConfigError as error:
            raise ConfigError(with_lines(path, str(error))) from error

    @classmethod
    def _of(cls, path: Path, content: Any) -> Self:
        """Return the workflow of a file's content."""
        validate({} if content is None else content, _FILE, str(path))
        if problem := name_problem(content["name"]):
            raise ConfigError(f"{path}: {problem}")
        for name, value in content.get("sbatch", {}).items():
            _check_text(str(value), f"{path}: key 'sbatch.{name}'", "\t\n\r")
        limits, tolerances, tasks = {}, {}, {}
        options = content.get("sbatch", {})
        for stage in content["stages"]:
            where, durations = f"{path}: stage {stage['name']!r}", {}
            validate(stage, _STAGE, where)
            _check_text(stage.get("command", ""), f"{where}: key 'command'")
            if problem := name_problem(stage["name"], stage.get("tasks", ())):
                raise ConfigError(f"{where}: {problem}")
            for key in ("limit", "tolerance"):
                try:
                    durations[key] = optional_seconds(stage.get(key), f"{where}: key '{key}'", 1)
                except ValueError as error:
                    raise ConfigError(str(error)) from error
            limit, seconds = durations["limit"], stage["seconds"]
            if limit is not None and limit < seconds:
                raise ConfigError(
                    f"{where}: key 'limit': is {format_duration(limit)}, less than the {seconds} "
                    "seconds that it is expected to run"
                )
            limits[stage["name"]] = limit or seconds
            if durations["tolerance"] is not None:
                tolerances[stage["name"]] = durations["tolerance"]
            if ("command" in stage) == ("tasks" in stage):
                both = "has both of the keys 'command' and 'tasks', write one of them"
                neither = "missing key 'command' or 'tasks'"
                raise ConfigError(f"{where}: {both if 'tasks' in stage else neither}")
            if "tasks" in stage:
                tasks[stage["name"]] = _tasks(stage, limits[stage["name"]], options, where)
        # sbatch accepts unambiguous prefixes of option names
        if reserved := sorted(
            entry for entry in options if any(name.startswith(entry) for name in TAKEN)
        ):
            raise ConfigError(f"{path}: key 'sbatch.{reserved[0]}': is no option of all stages")
        stages = (
            Stage(cells["name"], cells["cores"], cells["seconds"], tuple(cells.get("after", ())))
            for cells in content["stages"]
        )
        try:
            workflow = Workflow(content["name"], tuple(stages))
        except ValueError as error:
            raise ConfigError(f"{path}: {error}") from error
        return cls(
            workflow,
            limits,
            {entry["name"]: entry["command"] for entry in content["stages"] if "command" in entry},
            tuple(
                f"--{name}" if value is True else f"--{name}={value}"
                for name, value in options.items()
                if value is not False
            ),
            options.get("partition"),
            tolerances,
            tasks,
            str(path),
        )

    def member(self, stage: str) -> Member | None:
        """Return which of several workflows has a stage; None if there is only one."""
        return next((member for member in self.members if stage in member.stages), None)

    def title(self, stage: str) -> str:
        """Return the names of workflow and stage for messages, as in the workflow's own file."""
        if member := self.member(stage):
            return f"workflow {member.name}: stage {member.stages[stage]!r}"
        return f"workflow {self.workflow.name}: stage {stage!r}"

    def tolerance(self, stage: str) -> int:
        """Return after how many seconds without a client an early job of a stage stops idling."""
        return self.tolerances.get(stage, TOLERANCE_S)

    def system(self, queue: str, qos: str | None = None) -> str:
        """Return the system that waits are learned by: a queue, with QOS and GPUs of the jobs.

        `queue` is cluster and partition, `qos` the QOS of jobs whose options have none.
        """
        values = dict(option[2:].partition("=")[::2] for option in self.options)
        if qos:
            values.setdefault("qos", qos)
        return "/".join([queue, *(f"{name}={values[name]}" for name in SHAPES if name in values)])

    def geometry(self, system: str, stage: Stage) -> Geometry:
        """Return the geometry by which waits of a stage are learned: with its class of limits."""
        minutes = self.minutes(stage)
        limit = next((name for name, most in LIMITS.items() if minutes <= most), LONGER)
        return Geometry(system, stage.cores, limit)

    def as_dict(self) -> dict[str, Any]:
        """Return the workflow as a dict for JSON; `members` only if there are several."""
        values = asdict(self)
        return {name: value for name, value in values.items() if value or name != "members"}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the workflow of a dict of `as_dict`, also after JSON, which has no tuples."""
        workflow = values["workflow"]
        stages = (Stage(**cells | {"after": tuple(cells["after"])}) for cells in workflow["stages"])
        rebuilt = {
            "workflow": Workflow(workflow["name"], tuple(stages)),
            "options": tuple(values["options"]),
            "tasks": {
                stage: tuple(Task(**cells | {"after": tuple(cells["after"])}) for cells in tasks)
                for stage, tasks in values.get("tasks", {}).items()
            },
            "members": tuple(Member(**cells) for cells in values.get("members", ())),
        }
        return cls(**dict(values) | rebuilt)

    def minutes(self, stage: Stage) -> int:
        """Return the limit of a stage, or of all stages as one job, in whole minutes.

        One job for all stages has the cores that they need at a time if each runs as long as
        expected. If some run longer, others may wait for them. The limit suffices if each stage
        uses at most its own limit.
        """
        if stage.name in self.tasks:
            return ceil((self.limits[stage.name] + START_S) / 60)
        if stage in self.workflow.stages:
            return ceil(self.limits[stage.name] / 60)
        return ceil(self._enough(stage.cores) / 60)

    def width(self, stage: Stage) -> int:
        """Return how many cores of a stage's allocation must be together on one node."""
        return max((task.cores for task in self.tasks.get(stage.name, ())), default=1)

    def _enough(self, cores: int) -> float:
        """Return seconds within which all stages end on a number of cores, in any valid order.

        Proof: Go back from the last end along stages, each of which ends at the start of the next
        one or of its wait for cores. These stages run for at most the critical path. While one of
        them waits, fewer cores are free than it needs, so the work of all stages takes no longer
        than on the remaining cores. The result never exceeds the time of a sequential run.
        """
        seconds = self.limits
        stages = {stage.name: stage for stage in self.workflow.stages}
        before: dict[str, set[str]] = {}
        for number in self.workflow.order:
            stage = self.workflow.stages[number]
            before[stage.name] = set(stage.after).union(*(before[name] for name in stage.after))
        waiting = [
            stage.cores
            for stage in stages.values()
            if cores
            < sum(
                other_stage.cores
                for other_stage in stages.values()
                if stage.name not in before[other_stage.name]
                and other_stage.name not in before[stage.name]
            )
        ]
        limited = (replace(stage, seconds=seconds[stage.name]) for stage in stages.values())
        path = Workflow(self.workflow.name, tuple(limited)).seconds
        if not waiting:
            return path
        work = sum(stage.cores * seconds[stage.name] for stage in stages.values())
        return min(sum(seconds.values()), path + work / (cores - max(waiting) + 1))


def name_problem(name: str, tasks: Iterable[Mapping[str, Any]] = ()) -> str | None:
    """Return what is wrong if a name in the run, or with it that of a task, is too long."""
    if len(name) > LONGEST:
        return f"key 'name': has {len(name)} characters, at most {LONGEST} are possible"
    task = max((task["name"] for task in tasks), key=len, default="")
    most = min(LONGEST, LONGEST_BOTH - len(name))
    if len(task) > most:
        return (
            f"task {task!r}: key 'name': has {len(task)} characters, at most {most} are possible "
            f"in stage {name!r}"
        )
    return None


def _check_text(text: str, where: str, forbidden: str = "") -> None:
    if signs := re.findall(f"[\0{forbidden}]", text):
        raise ConfigError(f"{where}: has the character {signs[0]!r}, which is not possible there")


def _tasks(
    stage: dict[str, Any], most: int, options: Mapping[str, Any], where: str
) -> tuple[Task, ...]:
    """Return the tasks of a stage whose limit is `most` seconds; raise ConfigError if invalid."""
    tasks = []
    for cells in stage["tasks"]:
        at = f"{where}: task {cells['name']!r}: key"
        _check_text(cells["command"], f"{at} 'command'")
        if (size := len(cells["command"].encode())) > LONGEST_COMMAND:
            raise ConfigError(
                f"{at} 'command': has {size:,} bytes, at most {LONGEST_COMMAND:,} are possible: "
                "write it to a script, and let the command call that"
            )
        try:
            limit = optional_seconds(cells.get("limit"), f"{at} 'limit'", least=1)
        except ValueError as error:
            raise ConfigError(str(error)) from error
        if limit is not None and limit > most:
            raise ConfigError(
                f"{at} 'limit': is {format_duration(limit)}, longer than that of the stage, "
                f"{format_duration(most)}"
            )
        after = tuple(cells.get("after", ()))
        cores, memory = cells.get("cores", 1), cells.get("memory", 0)
        if cores > stage["cores"]:
            raise ConfigError(
                f"{at} 'cores': is {cores}, the stage's allocation has {stage['cores']}"
            )
        room = _memory(options, stage["cores"])
        if room is not None and memory > room:
            raise ConfigError(
                f"{at} 'memory': is {memory} MB, the stage's allocation has at most {room}"
            )
        tasks.append(Task(cells["name"], cells["command"], limit or most, cores, memory, after))
    try:
        check_tasks(tasks)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error
    widest = max(task.cores for task in tasks)
    if stage["cores"] % widest:
        raise ConfigError(
            f"{where}: key 'cores': is {stage['cores']}, not a multiple of the {widest} cores of "
            "its widest task, which need one node"
        )
    return tuple(tasks)


def _memory(options: Mapping[str, Any], cores: int) -> int | None:
    """Return the most memory, in MB, that an allocation can have on one node; None if unknown."""
    for name, times in (("mem", 1), ("mem-per-cpu", cores)):
        if match := re.fullmatch(r"(\d+)([KMGT]?)", str(options.get(name, "")), re.IGNORECASE):
            size = int(match[1]) * 1024 ** ("KMGT".index(match[2].upper() or "M") - 1)
            return int(size * times) or None  # 0 is all of a node
    return None
