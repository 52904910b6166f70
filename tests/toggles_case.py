"""Differences between rows of a sheet and their toggled rows."""

from dataclasses import fields


def changed_cells(row: object, other: object) -> list[str]:
    """List the columns in which two rows of a sheet differ."""
    return [
        field.name
        for field in fields(row)
        if getattr(row, field.name) != getattr(other, field.name)
    ]
