"""Reader of text and YAML files for configurations and sheets, with errors that name the file."""

from itertools import accumulate
from pathlib import Path
from typing import Any

import yaml

#: most lists and mappings in each other
DEEPEST = 100
#: the loader in C, where PyYAML has it
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ConfigError(ValueError):
    """A configuration file or sheet has an invalid value."""


def read_yaml(path: str | Path) -> Any:
    """Parse a YAML file; `ConfigError` names the file, and the line if known."""
    text = read_text(path)
    try:
        if _depth(text) > DEEPEST:
            raise ConfigError(f"{path}: nested too deeply")
        return yaml.load(text, Loader=_UniqueKeys)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        # what is missing at the end of the text is missing on its last line
        line = f":{min(mark.line + 1, len(text.splitlines()))}" if mark else ""
        problem = getattr(error, "problem", None) or error
        said = " ".join(str(problem).split())
        raise ConfigError(f"{path}{line}: not valid YAML: {said}") from None


def _depth(text: str) -> int:
    """Return the most lists and mappings of YAML that are in each other."""
    steps = (
        isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        for event in yaml.parse(text, Loader=_Loader)
    )
    return max(accumulate(steps), default=0)


class _UniqueKeys(_Loader):
    """Loader that refuses duplicate keys in a mapping; YAML itself uses the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        lines: dict[str, int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
                continue
            if key.value in lines:
                raise yaml.constructor.ConstructorError(
                    problem=f"key '{key.value}' is on line {lines[key.value]} already",
                    problem_mark=key.start_mark,
                )
            lines[key.value] = key.start_mark.line + 1
        return super().construct_mapping(node, deep)


def read_text(path: str | Path) -> str:
    """Return the text of a file; raise a `ConfigError` that names it if that fails."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: not a text file: {error.reason} at byte {error.start}"
        ) from None
