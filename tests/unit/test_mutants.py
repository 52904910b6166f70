"""Mutants: which changes are made, and the report on those that no test notices."""

import sys
import tomllib

import pandas as pd
import pytest

changes = pytest.importorskip("mutants.changes", exc_type=ImportError)
sys.modules.setdefault("changes", changes)  # as run.py finds it in its own folder
run = pytest.importorskip("mutants.run", exc_type=ImportError)


@pytest.fixture
def folder(root):
    return root / "tests" / "mutants"


def test_bounds_conditions_and_choices_are_changed():
    source = "def f(a: int | None, b):\n    return a < 3 and min(b)\n"
    found = {(change.line, change.after) for change in changes.changes(source)}
    assert found == {
        (2, "return a <= 3 and min(b)"),
        (2, "return a < 4 and min(b)"),
        (2, "return a < 2 and min(b)"),
        (2, "return min(b)"),
        (2, "return a < 3"),
        (2, "return a < 3 and max(b)"),
    }


def test_packages_name_existing_modules_and_tests(root, folder):
    rooms = tomllib.loads((folder / "rooms.toml").read_text())
    assert 0.9 <= rooms.pop("least") <= 1
    for room in rooms.values():
        assert all(list((root / "src/schedlab").glob(name)) for name in room["modules"])
        assert all(list(root.glob(name)) for name in room["tests"])


def test_every_explanation_is_of_an_existing_line(root, folder):
    rows = pd.read_csv(folder / "explained.tsv", sep="\t", dtype=str, quoting=3)
    assert rows.columns.tolist() == ["module", "before", "after", "why"]
    assert rows.notna().all(axis=None)
    gone = [
        f"explained.tsv: line {number}: {row.before}"
        for number, row in enumerate(rows.itertuples(), 2)
        if row.before not in " ".join((root / "src/schedlab" / row.module).read_text().split())
    ]
    assert gone == []
