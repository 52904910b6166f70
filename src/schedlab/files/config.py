"""Reader of the configuration and the sheets: strict schemas, and errors that name the place."""

import csv
import functools
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from schedlab.files.config_files import ConfigError, read_text, read_yaml
from schedlab.files.durations import DURATION
from schedlab.files.known_words import nearest

__all__ = [
    "DURATION",
    "LOG_FOLDERS",
    "ConfigError",
    "fill_defaults",
    "load",
    "read_schema",
    "read_sheet",
    "read_yaml",
    "typed",
    "validate",
]

#: environment variable with the folders of the local archive
LOG_FOLDERS = "SCHEDLAB_ARCHIVE"

NOTHING = ("", "-")  # values of a sheet that mean no value

_READERS = {"integer": int, "number": float, "boolean": {"true": True, "false": False}.__getitem__}
_DTYPES = {"integer": "int64", "number": "float64", "boolean": "bool"}
_NULLABLE_DTYPES = {"integer": "Int64", "number": "Float64", "boolean": "boolean"}


def fill_defaults(config: Mapping, defaults: Mapping) -> dict:
    """Return a configuration completed with defaults, key by key.

    >>> fill_defaults({"download": {"retries": 1}}, {"download": {"retries": 3, "timeout": "30s"}})
    {'download': {'retries': 1, 'timeout': '30s'}}
    """
    complete = dict(defaults) | dict(config)
    for key, value in defaults.items():
        if isinstance(value, dict) and isinstance(config.get(key), dict):
            complete[key] = fill_defaults(config[key], value)
    return complete


def typed(data: Any, schema: dict) -> Any:
    """Return data with texts parsed if the schema does not allow text, for command lines.

    `data` is parsed YAML whose numbers may be texts; the schema is a JSON schema.

    >>> typed({"weeks": "8"}, {"properties": {"weeks": {"type": ["integer", "null"]}}})
    {'weeks': 8}
    """
    if isinstance(data, dict):
        fields = schema.get("properties", {})
        return {key: typed(value, fields.get(key, {})) for key, value in data.items()}
    if isinstance(data, list):
        return [typed(value, schema.get("items", {})) for value in data]
    if isinstance(data, str) and "type" in schema and "string" not in _types(schema):
        try:
            return yaml.safe_load(data)
        except yaml.YAMLError:
            return data
    return data


def load(path: str | Path, schema: dict, partial: bool = False) -> dict:
    """Read a YAML file and validate it with a JSON schema.

    A `partial` file overrides another one, so that required keys may be missing. Raises
    `ConfigError`, with file and key, if the file is not YAML or violates the schema.
    """
    data = read_yaml(path)
    validate({} if data is None else data, schema, str(path), partial)
    return data or {}


def validate(data: Any, schema: dict, where: str, partial: bool = False) -> None:
    """Validate parsed YAML or JSON with a JSON schema (draft 2020-12).

    `where` is the name of the data in errors, usually a file name. If `partial`, required keys may
    be missing. Raises ConfigError with a line per problem, each with `where` and the key's path;
    for an unknown key also the nearest known one.
    """
    # jsonschema is in extras only: most commands read no such file
    from schedlab.files.schema_problems import problems_of

    if problems := problems_of(data, schema, partial):
        raise ConfigError("\n".join(f"{where}: {problem}" for problem in problems))


#: attribute of a sheet: the line of each row
LINES = "lines"


def read_sheet(path: str | Path, schema_path: str | Path) -> pd.DataFrame:
    """Read a tab-separated sheet and validate each row with a JSON schema.

    The schema describes one row as an object. Its property types determine how values are parsed:
    integer, number, boolean, string, or array (a comma-separated list). An empty value or ``-`` is
    null if the schema allows it, and an empty list for an array. Lines that begin with ``#`` are
    skipped. The first line has the column names. The result has a row per line, columns in the
    sheet's order with the schema's types; `LINES` of its attributes are the rows' lines. Raises
    `ConfigError` with file, line and column.
    """
    schema = read_schema(schema_path)
    lines = list(_lines(path))
    if not lines:
        raise ConfigError(f"{path}: the sheet is empty")
    (header_line, header), *body = lines
    _check_header(header, schema, f"{path}:{header_line}")
    rows = [_row(cells, header, schema, f"{path}:{line}") for line, cells in body]
    columns = {
        name: pd.Series([row[name] for row in rows], dtype=_dtype(schema["properties"][name]))
        for name in header
    }
    frame = pd.DataFrame(columns)
    frame.attrs[LINES] = [line for line, _ in body]
    return frame


def read_schema(path: str | Path) -> dict:
    """Read the schema of a sheet's rows, which may refer to columns of another schema.

    A column with ``$ref: row.schema.yaml#/properties/NAME`` is column NAME of that schema in the
    same folder; other keys of the column here take precedence.
    """
    schema = read_yaml(path)
    for name, column in schema["properties"].items():
        file, _, referred = column.pop("$ref", "").partition("#/properties/")
        if file:
            schema["properties"][name] = _columns_of(Path(path).parent / file)[referred] | column
    return schema


@functools.cache
def _columns_of(path: Path) -> dict[str, dict]:
    """Read the columns of a schema that others refer to; callers must not change them."""
    return read_yaml(path)["properties"]


def _lines(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and values of every line that is neither blank nor a comment."""
    reader = csv.reader(
        StringIO(read_text(path), newline=""), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    try:
        for cells in reader:
            if cells and not cells[0].startswith("#"):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise ConfigError(f"{path}:{reader.line_num}: not a sheet: {error}") from None


def _check_header(header: list[str], schema: dict, where: str) -> None:
    properties = schema["properties"]
    for name in header:
        if name not in properties:
            raise ConfigError(f"{where}: unknown column '{name}'{nearest(name, properties)}")
        if header.count(name) > 1:
            raise ConfigError(f"{where}: column '{name}' appears twice")
    for name in schema.get("required", properties):
        if name not in header:
            raise ConfigError(f"{where}: missing column '{name}'")


def _row(cells: list[str], header: list[str], schema: dict, where: str) -> dict[str, Any]:
    """Parse and check the values of one line."""
    if len(cells) != len(header):
        raise ConfigError(f"{where}: {len(cells)} cells where the header has {len(header)}")
    row = {}
    for name, cell in zip(header, cells, strict=True):
        field = schema["properties"][name]
        try:
            row[name] = _value(cell, field)
        except (ValueError, KeyError):
            types = " or ".join(_types(field))
            raise ConfigError(f"{where}: column '{name}': {cell!r} is not {types}") from None
    # see `validate`
    from schedlab.files.schema_problems import problem_of_row

    if problem := problem_of_row(row, schema):
        raise ConfigError(f"{where}: {problem}")
    return row


def _value(cell: str, field: dict) -> Any:
    types = _types(field)
    if "array" in types:
        items = field.get("items", {})
        return [_value(part.strip(), items) for part in cell.split(",")] if _is_set(cell) else []
    if "null" in types and not _is_set(cell):
        return None
    for kind in types:
        if kind in _READERS:
            return _READERS[kind](cell)
    return cell


def _is_set(cell: str) -> bool:
    return cell not in NOTHING


def _types(field: dict) -> list[str]:
    kind = field.get("type", "string")
    return [kind] if isinstance(kind, str) else list(kind)


def _dtype(field: dict) -> str:
    kinds = _types(field)
    dtypes = _NULLABLE_DTYPES if "null" in kinds else _DTYPES
    return next((dtypes[kind] for kind in kinds if kind in dtypes), "object")
