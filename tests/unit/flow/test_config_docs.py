"""Tables of keys from schemas."""

import pytest

from schedlab.files.config import DURATION, ConfigError
from schedlab.flow.config_docs import document, key_table, put_between, with_tables

SCHEMA = {
    "properties": {
        "source": {"enum": ["logs", "models"], "description": "What runs."},
        "download": {
            "type": "object",
            "properties": {"timeout": {"type": "number", "exclusiveMinimum": 0}},
        },
        "pause": {"type": ["string", "null"], "format": DURATION},
        "limit": {"type": ["integer", "null"], "minimum": 1},
    }
}


def test_keys_follow_their_parent_with_values_and_meaning():
    assert document(SCHEMA) == [
        ("source", "`logs`, `models`", "What runs."),
        ("download", "keys", ""),
        ("download.timeout", "number > 0", ""),
        ("pause", "duration like `24h` or `null`", ""),
        ("limit", "integer ≥ 1 or `null`", ""),
    ]


def test_table_is_markdown():
    assert key_table(SCHEMA).splitlines()[2] == "| `source` | `logs`, `models` | What runs. |"


def test_table_replaces_the_text_between_its_markers():
    page = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n"
    assert put_between(page, "x", "new") == "a\n<!-- x -->\n\nnew\n<!-- /x -->\nb\n"


def test_page_without_the_closing_line_is_an_error():
    with pytest.raises(ConfigError, match="'<!-- /x -->' are not both there"):
        put_between("<!-- x -->\n", "x", "new")


def test_table_of_config_readme_matches_the_schemas(root):
    page = (root / "config/README.md").read_text(encoding="utf-8")
    assert with_tables(page, root / "workflow/schemas") == page, "run make docs"
