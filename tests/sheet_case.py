"""Sheets of the studies' experiments, whole or with some cells changed."""

from importlib import import_module

from docs_case import ROOT
from schedlab.files.sheets import read


def sheet_of(key):
    return ROOT / f"config/experiments/{key}.tsv"


def schema_of(key):
    return ROOT / f"workflow/schemas/{key}.schema.yaml"


def rows_of(key, path=None):
    """Return the rows of a study's sheet, or of another file, by experiment."""
    kind = import_module(f"schedlab.studies.{key}.sheet").ROW
    return {row.experiment: row for row in read(kind, path or sheet_of(key), schema_of(key))}


def rows_after(key, folder, *pairs, count=-1):
    """Return the rows of a study's sheet in which texts are replaced."""
    text, path = sheet_of(key).read_text(), folder / "sheet.tsv"
    for old, new in pairs:
        text = text.replace(old, new, count)
    path.write_text(text)
    return rows_of(key, path)


def rows_with(key, folder, name, **cells):
    """Return the rows of a study's sheet with other cells in one of them."""
    names, *_ = lines = [line.split("\t") for line in sheet_of(key).read_text().splitlines()]
    (row,) = (line for line in lines if line[0] == name)
    for column, cell in cells.items():
        row[names.index(column)] = cell
    path = folder / "sheet.tsv"
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    return rows_of(key, path)
