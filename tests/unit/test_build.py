"""Kernels that are older than their sources are told, and no others."""

import os
from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from schedlab.build import digest_of, stale_kernels

BUILT = 1_000_000.0
SOURCES = {
    "queue.pyx": "from schedlab.kernels.heap cimport Heap\n",
    "scan.pyx": "",
    "heap.pxd": "from schedlab.kernels.bitset cimport (\n    Bits,\n)\n",
    "bitset.pxd": "",
}


@pytest.fixture
def package(tmp_path):
    """A source tree of two kernels that were built after everything was written."""
    kernels = tmp_path / "src" / "schedlab" / "kernels"
    kernels.mkdir(parents=True)
    (tmp_path / "setup.py").touch()
    for name, text in SOURCES.items():
        (kernels / name).write_text(text)
        os.utime(kernels / name, (BUILT - 60, BUILT - 60))
    for name in ("queue", "scan"):
        extension = kernels / (name + EXTENSION_SUFFIXES[0])
        extension.touch()
        os.utime(extension, (BUILT, BUILT))
    return kernels.parent


def edit(package, name, seconds=60.0):
    """Give a source the time of an edit so long after the build."""
    os.utime(package / "kernels" / name, (BUILT + seconds, BUILT + seconds))


def test_kernels_built_after_their_sources_are_fine(package):
    assert stale_kernels(package) == []


@pytest.mark.parametrize("name", ["queue.pyx", "heap.pxd", "bitset.pxd"])
def test_edit_of_a_source_makes_the_kernels_that_take_it_in_stale(package, name):
    edit(package, name)
    assert stale_kernels(package) == ["queue.pyx"]


def test_kernel_without_extension_is_stale(package):
    (package / "kernels" / ("scan" + EXTENSION_SUFFIXES[0])).unlink()
    assert stale_kernels(package) == ["scan.pyx"]


def test_source_and_extension_of_the_same_second_are_fine(package):
    """Build tools copy extensions with times cut to seconds."""
    edit(package, "scan.pyx", 0.9)
    assert stale_kernels(package) == []


def test_installed_wheel_is_never_stale(package):
    edit(package, "queue.pyx")
    (package.parents[1] / "setup.py").unlink()
    assert stale_kernels(package) == []


def test_a_digest_of_sources_depends_on_names_and_contents_and_not_on_their_order(tmp_path):
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("1")
    two.write_text("2")
    first = digest_of([one, two])
    assert digest_of([str(two), str(one)]) == first
    two.write_text("3")
    assert digest_of([one, two]) != first
    assert digest_of([one]) != digest_of([one.rename(tmp_path / "three.py")])
