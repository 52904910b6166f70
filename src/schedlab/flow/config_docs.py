"""Tables of the keys that schemas allow, for pages that must agree with the schemas."""

import re
import sys
from pathlib import Path

from schedlab.files.config import DURATION, ConfigError, read_schema
from schedlab.files.io import whole

MARKER = re.compile(r"^<!-- (?P<name>[\w.]+\.schema\.yaml) -->$", re.MULTILINE)


def with_tables(text: str, schemas: Path) -> str:
    """Return a page with a new table between every pair of lines that names a schema.

    The lines are ``<!-- NAME.schema.yaml -->`` and ``<!-- /NAME.schema.yaml -->``.
    """
    for name in MARKER.findall(text):
        text = put_between(text, name, key_table(read_schema(schemas / name)))
    return text


def document(schema: dict, lead: str = "") -> list[tuple[str, str, str]]:
    """Return key path, values and description of an object's keys, nested ones below `lead`."""
    rows = []
    for name, field in schema.get("properties", {}).items():
        rows.append((lead + name, _values(field), field.get("description", "")))
        rows += document(field, f"{lead}{name}.")
    return rows


def put_between(text: str, marker: str, table: str) -> str:
    """Return `text` with `table` between the lines ``<!-- marker -->`` and ``<!-- /marker -->``."""
    opening, closing = f"<!-- {marker} -->\n", f"<!-- /{marker} -->"
    before, opened, remainder = text.partition(opening)
    _, closed, after = remainder.partition(closing)
    if not (opened and closed):
        raise ConfigError(f"the lines '{opening.strip()}' and '{closing}' are not both there")
    return f"{before}{opening}\n{table}\n{closing}{after}"


def key_table(schema: dict) -> str:
    """Render the keys of a schema as a Markdown table."""
    rows = [f"| `{key}` | {values} | {meaning} |" for key, values, meaning in document(schema)]
    return "\n".join(["| key | values | meaning |", "| --- | --- | --- |", *rows, ""])


def _values(field: dict) -> str:
    """Return the values that a field takes, in a few words."""
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kinds = field.get("type", "string")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if field.get("format") == DURATION:
        kinds = ["duration like `24h`" if kind == "string" else kind for kind in kinds]
    texts = ["`null`" if kind == "null" else kind for kind in kinds]
    if "minimum" in field:
        texts[0] += f" ≥ {field['minimum']}"
    if "exclusiveMinimum" in field:
        texts[0] += f" > {field['exclusiveMinimum']}"
    return " or ".join(texts).replace("object", "keys")


if __name__ == "__main__":
    page, folder = map(Path, sys.argv[1:])
    fresh = with_tables(page.read_text(encoding="utf-8"), folder)
    with whole(page) as part:
        part.write_text(fresh, encoding="utf-8")
