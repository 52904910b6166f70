"""Reader of text and YAML files for configurations and sheets, with errors that name the file."""

from pathlib import Path
from typing import Any

import yaml


class ConfigError(ValueError):
    """A configuration file or sheet has an invalid value."""


def read_yaml(path: str | Path) -> Any:
    """Parse a YAML file.

    Raises `ConfigError` if it cannot be read, is not text, is not YAML, has a duplicate key, or is
    nested too deeply. The message names the file, and the line if known.
    """
    try:
        return yaml.load(read_text(path), Loader=_UniqueKeys)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or error
        raise ConfigError(f"{path}{line}: not valid YAML: {problem}") from None
    except RecursionError:
        raise ConfigError(f"{path}: nested too deeply") from None


class _UniqueKeys(yaml.SafeLoader):
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
