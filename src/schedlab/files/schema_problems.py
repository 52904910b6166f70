"""Problems of parsed YAML or JSON that violates a JSON schema, in words; needs jsonschema."""

import functools
import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, validators
from jsonschema.exceptions import ValidationError, relevance

from schedlab.files.durations import DURATION, duration_problem, read_duration
from schedlab.files.known_words import nearest

_FORMATS = FormatChecker(formats=())
_FORMATS.checks(DURATION, ValueError)(
    lambda value: not isinstance(value, str) or read_duration(value, "") >= 0
)
#: limit on all numbers of a configuration or sheet; nan and infinity are invalid
LARGEST = 2**63


def problems_of(data: Any, schema: dict, partial: bool) -> list[str]:
    """Return what violates a schema, each with the key's path; see `schedlab.files.config`."""
    return [_place(error) + _problem(error) for error in _errors(data, schema, partial)]


def problem_of_row(row: dict, schema: dict) -> str:
    """Return the first problem of a sheet's row, with its column; an empty text if it has none."""
    for error in _errors(row, schema, partial=False):
        column = f"column '{error.absolute_path[0]}': " if error.absolute_path else ""
        return column + _problem(error)
    return ""


def _check_pattern(_: Any, pattern: str, value: Any, schema: dict) -> Iterator[ValidationError]:
    """Yield an error for a text that does not match a pattern."""
    if isinstance(value, str) and not re.search(_without_line_break(pattern), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


@functools.cache
def _without_line_break(pattern: str) -> str:
    r"""Return a pattern whose `$` matches only at the end, as JSON schemas define it.

    In Python it matches before a last line break too.

    >>> print(_without_line_break(r"^(a\$|[$]+$)$"))
    ^(a\$|[$]+\Z)\Z
    """
    return re.sub(r"(\\.|\[\^?]?(?:\\.|[^]])*])|\$", lambda match: match[1] or r"\Z", pattern)


#: the standard, but 1.0 is no integer: it would be written as 1.0 where an integer is needed
_Validator = validators.extend(
    Draft202012Validator,
    {"pattern": _check_pattern},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


def _errors(data: Any, schema: dict, partial: bool) -> list[ValidationError]:
    checker = _Validator(schema, format_checker=_FORMATS)
    errors = [*checker.iter_errors(data), *_uncountable(data)]
    relevant = [error for error in errors if not (partial and error.validator == "required")]
    return sorted(
        relevant, key=lambda error: (list(map(str, error.absolute_path)), relevance(error))
    )


def _uncountable(data: Any, path: tuple = ()) -> Iterator[ValidationError]:
    """Yield errors for numbers that are too large, such as infinity, whatever the schema."""
    if isinstance(data, dict | list):
        for step, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _uncountable(value, (*path, step))
    elif isinstance(data, int | float) and not abs(data) < LARGEST:
        yield ValidationError(f"{data} is not a number below 2**63", path=path, instance=data)


def _place(error: ValidationError) -> str:
    path = "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path
    )
    return f"key '{path.lstrip('.')}': " if path else ""


def _problem(error: ValidationError) -> str:
    if error.validator in ("type", "format") and error.schema.get("format") == DURATION:
        return duration_problem(error.instance)
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        properties = error.schema.get("properties", {})
        unknown = [key for key in error.instance if key not in properties]
        known = f"; one of {', '.join(properties)}"
        return "; ".join(
            f"unknown key '{key}'{nearest(key, properties) or known}" for key in unknown
        )
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"missing key '{missing[0]}'" if len(missing) == 1 else f"missing keys {missing}"
    if error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        return f"{error.instance!r} is not one of {allowed}" + nearest(
            error.instance, error.validator_value
        )
    return error.message
