"""Lines of a workflow file, for errors about its stages, tasks and keys."""

import re
from pathlib import Path

import yaml

from schedlab.files.config import ConfigError
from schedlab.files.config_files import read_text

#: how errors name a stage, by its name or its place, and a key
_STAGE = re.compile(r"(?:stage|named|circle:) '([^']+)'")
_PLACE = re.compile(r"key 'stages\[(\d+)\]")
#: a task, by its name or its place
_TASK = re.compile(r"task '([^']+)'")
_TASK_PLACE = re.compile(r"key 'tasks\[(\d+)\]")
_KEY = re.compile(r"key '(?:[\w-]+(?:\[\d+\])?\.)*([\w-]+)(?:\[\d+\])?'")


def mistake_in(source: str, workflow: str, text: str) -> ConfigError:
    """Return the error about a workflow, with file and line; without a file, with its name."""
    if source:
        return ConfigError(with_lines(Path(source), f"{source}: {text}"))
    return ConfigError(f"workflow {workflow}: {text}")


def with_lines(path: Path, message: str) -> str:
    """Add the lines of a workflow file to an error: of the key, else of the stage."""
    root = yaml.compose(read_text(path), Loader=yaml.SafeLoader)
    beginning = f"{path}: "
    lines = []
    for text in message.splitlines():
        line = _line(root, text) if text.startswith(beginning) else None
        lines.append(text.replace(beginning, f"{path}:{line}: ", 1) if line else text)
    return "\n".join(lines)


def _line(root: yaml.Node | None, text: str) -> int | None:
    """Return the line, from 1 on, of what an error is about; None if that is the whole file."""
    entries = _entries(root)
    nodes = _items(root, "stages")
    stage = _named(nodes).get(match[1]) if (match := _STAGE.search(text)) else None
    if match := _PLACE.search(text):
        return nodes[int(match[1])].start_mark.line + 1
    tasks = _items(stage, "tasks")
    task = _named(tasks).get(match[1]) if (match := _TASK.search(text)) else None
    if match := _TASK_PLACE.search(text):
        task = tasks[int(match[1])]
    # of an unknown key in a list, the last one
    key = next((match[1] for match in reversed([*_KEY.finditer(text)])), None)
    # without its key, a task's error is about the task
    outer = (stage, root, entries.get("sbatch", (None, None))[1]) if task is None else ()
    for node in (task, *outer):
        if key in (found := _entries(node)):
            return found[key][0].start_mark.line + 1
    about = task or stage
    return None if about is None else about.start_mark.line + 1


def _items(node: yaml.Node | None, key: str) -> list[yaml.Node]:
    """Return the items of a list in a mapping; of anything else, nothing."""
    items = _entries(node).get(key, (None, None))[1]
    return items.value if isinstance(items, yaml.SequenceNode) else []


def _named(nodes: list[yaml.Node]) -> dict[str, yaml.Node]:
    """Return mappings by their names; of two with one name, the second one."""
    return {
        name[1].value: node for node in nodes if (name := _entries(node).get("name")) is not None
    }


def _entries(node: yaml.Node | None) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """Return the keys and values of a mapping by the keys' text; of other nodes, nothing."""
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: (key, value) for key, value in node.value if isinstance(key.value, str)}
