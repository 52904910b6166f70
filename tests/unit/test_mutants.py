"""Mutants: which changes are made, and the report on those that no test notices."""

import sys
import tomllib
from collections import Counter

import pandas as pd
import pytest

changes = pytest.importorskip("mutants.changes", exc_type=ImportError)
sys.modules.setdefault("changes", changes)  # as run.py finds it in its own folder
run = pytest.importorskip("mutants.run", exc_type=ImportError)


@pytest.fixture
def folder(root):
    return root / "tests" / "mutants"


@pytest.mark.parametrize("operator", changes.OWN)
def test_operator_gives_the_results_of_its_examples(operator):
    for example in operator.examples():
        found = changes.mutate_code(example.pre_mutation_code, operator(), example.occurrence)
        assert found == example.post_mutation_code


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


def test_code_without_effect_is_not_changed():
    """Annotations, imports for type checkers and guards of zip."""
    source = (
        "if TYPE_CHECKING:\n    import a\n"
        "X: int | None = None\n"
        "def f(a: int | str) -> bool | None:\n    return zip(a, a, strict=True)\n"
    )
    assert list(changes.changes(source)) == []


def test_a_change_knows_its_statement():
    source = "X = (\n    1,\n    2,\n)\nif X:\n    Y = 3\n"
    places = {(change.before, change.first, change.last) for change in changes.changes(source)}
    assert places == {("1,", 1, 4), ("2,", 1, 4), ("if X:", 5, 5), ("Y = 3", 6, 6)}


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


def test_package_below_the_share_fails():
    counts = {
        "good": Counter(noticed=40),
        "just": Counter(noticed=36, survived=4),
        "bad": Counter(noticed=35, survived=5),
        "again": Counter(),
    }
    assert run.too_few(counts, 0.9) == ["bad"]
    assert run.too_few(counts, 0) == []


@pytest.mark.parametrize(
    ("place", "computed"),
    [
        ("src/schedlab/core/jobs.py", True),
        ("tests/conftest.py", True),
        ("src/schedlab/kernels/queue.cpython-311-x86_64-linux-gnu.so", False),
        (".venv/lib/python3.11/site-packages/numpy/__init__.py", False),
        ("tests/mutants/changes.py", False),
    ],
)
def test_libraries_and_kernels_remain_imported(root, place, computed):
    assert run.is_ours(root / place) is computed


def test_a_constant_meets_the_tests_that_only_read_it():
    """No line of the module runs in the second test, which its file imports from."""
    module, reader = run.SOURCES / "queue" / "dialects.py", "tests/unit/queue/test_dialects.py"
    other = "tests/unit/test_mutants.py"
    known = run.Unchanged({f"{reader}::a": 1.0, f"{other}::b": 2.0}, {str(module): {7: {""}}})
    assert known.tests(module, 7, 7) == [f"{reader}::a"]
    assert known.tests(module, 8, 8) == []
