"""Table of the keys of a site's Slurm files, and the meaning of settings by it.

`site_keys.tsv` has a row for each key of a file (`slurm.conf` is ``conf``), with what it is here:
modeled, no effect, not modeled or refused. A row with a value is for that member of the key's list.
`field` is where the meaning goes, and `form` is how its text is read (`site_values.FORMS`).
"""

import csv
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from schedlab.core.slurm_site import NotModeled
from schedlab.traces.slurm.conf_text import Setting
from schedlab.traces.slurm.site_values import FORMS, UNSET

NOT_MODELED, REFUSED = "not modeled", "refused"
#: what a key may be here
WHAT = ("modeled", "no effect", NOT_MODELED, REFUSED)
UNKNOWN_KEY = "unknown key"
#: a member of a list, without the marks that follow a node's state, and its own value
_MEMBER = re.compile(r"([^=:*~#!%$@^]*)[*~#!%$@^]*(?:[=:](.*))?", re.DOTALL)


class Key(NamedTuple):
    """Row of the table; `note` is why it is so, or what to do."""

    file: str
    key: str
    value: str
    what: str
    field: str
    form: str
    note: str


@cache
def read_keys() -> dict[tuple[str, str], dict[str, Key]]:
    """Return the rows by file and key, each by value, all in lower case; the key's is at ""."""
    keys: dict[tuple[str, str], dict[str, Key]] = {}
    text = files("schedlab.traces.slurm").joinpath("site_keys.tsv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        key = Key(**row)
        keys.setdefault((key.file, key.key.casefold()), {})[key.value.casefold()] = key
    return keys


def interpret(
    file: str, settings: Iterable[Setting], not_modeled: list[NotModeled]
) -> dict[str, object]:
    """Return the meaning of settings by field; those that are not modeled go to the list.

    Raises `SiteFileError`, with the place and a remedy, for a refused or an invalid value.
    """
    meanings: dict[str, object] = {}
    for setting in settings:
        if setting.value.casefold() in UNSET:
            continue
        rows = read_keys().get((file, setting.key.casefold()))
        if not rows:
            not_modeled.append(NotModeled(*setting, UNKNOWN_KEY))
            continue
        if rows[""].field:
            meanings[rows[""].field] = _meaning(rows[""], setting, setting.value)
        members = re.split("[,+]", setting.value) if len(rows) > 1 else [setting.value]
        for member in members:
            match = _MEMBER.fullmatch(member.strip())
            name = match[1].strip().casefold() if match else ""
            row = rows.get(member.strip().casefold()) or rows.get(name, rows[""])
            if row.what == REFUSED:
                raise setting.error(f"{row.value or row.key} is not supported; {row.note}")
            if row.what == NOT_MODELED:
                not_modeled.append(NotModeled(*setting._replace(value=member), row.note))
            if row.value and row.field and match:
                meanings[row.field] = _meaning(row, setting, match[2] or "")
    return meanings


def _meaning(row: Key, setting: Setting, text: str) -> object:
    """Return the meaning of a text in a row's form."""
    try:
        return FORMS[row.form](text)
    except ValueError as problem:
        raise setting.error(f"{row.value or row.key} {problem}") from None
