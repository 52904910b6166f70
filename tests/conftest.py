"""What all tests share: the hypothesis profiles and the raw logs of this machine."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from schedlab.files.config import LOG_FOLDERS
from schedlab.traces.registry import PoolEntry, read_registry

ROOT = Path(__file__).parents[1]

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
# whether a test fails is all that is asked of a changed module, not by which least example
settings.register_profile(
    "mutants",
    deadline=None,
    derandomize=True,
    max_examples=30,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("default")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let long tests begin first: at the end they would keep one process alone."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def raw_log() -> Callable[[str], Path]:
    """Path of a registered log's file (.swf or .swf.gz) in SCHEDLAB_ARCHIVE, or a skipped test."""
    schema = ROOT / "workflow" / "schemas" / "traces.schema.yaml"
    return _in_archive(read_registry(ROOT / "config" / "traces.tsv", schema))


@pytest.fixture(scope="session")
def raw_pool() -> Callable[[str], Path]:
    """Path of a registered pool's file in SCHEDLAB_ARCHIVE, or a skipped test."""
    schema = ROOT / "workflow" / "schemas" / "pools.schema.yaml"
    return _in_archive(read_registry(ROOT / "config" / "pools.tsv", schema, PoolEntry))


def _in_archive(registry: dict) -> Callable[[str], Path]:
    # it can download, with libraries of an extra that the tests of a wheel do not install
    from schedlab.traces.archive import archive_folders, find_all

    folders = archive_folders()
    found = find_all(registry.values(), folders)

    def path_of(name: str) -> Path:
        if not found[name]:
            why = f"is in no folder of {LOG_FOLDERS}" if folders else f"needs {LOG_FOLDERS} set"
            pytest.skip(f"{name}: {registry[name].file}(.gz) {why}")
        return found[name][0]

    return path_of
