"""Long computations that go on where they stopped."""

import numpy as np
import pytest

from schedlab.resume import DIGEST, digest_of, resumed

FIELDS = (("value", "f8", 2), ("count", "i8"))
DIGESTS = [digest_of([place]) for place in range(5)]


@pytest.fixture
def asked():
    """Places that were computed."""
    return []


@pytest.fixture
def run(tmp_path, asked):
    """Compute parts of a file, two at a time."""

    def compute(places):
        asked.extend(places)
        return [((place, 2.0 * place), place) for place in places]

    def go(digests=DIGESTS):
        return resumed(tmp_path / "a.part", FIELDS, digests, compute, 2, "parts")

    return go


def test_parts_come_in_their_order_with_their_fields(run, asked):
    parts = run()
    assert [part["value"].tolist() for part in parts] == [[n, 2.0 * n] for n in range(5)]
    assert [int(part["count"]) for part in parts] == asked == [0, 1, 2, 3, 4]


def test_what_is_done_is_not_computed_again(run, asked):
    run(DIGESTS[:3])
    run()
    assert asked == [0, 1, 2, 3, 4]


def test_a_part_that_was_being_written_is_computed_again(run, asked, tmp_path):
    run()
    path, size = tmp_path / "a.part", np.dtype([DIGEST, *FIELDS]).itemsize
    path.write_bytes(path.read_bytes()[:-3])
    run()
    assert asked == [0, 1, 2, 3, 4, 4]
    assert path.stat().st_size == 5 * size


def test_what_was_made_from_something_else_is_not_taken_up(run, asked):
    run()
    run([digest_of(["other"]), *DIGESTS[1:]])
    assert asked == [0, 1, 2, 3, 4, 0]


def test_a_digest_depends_on_the_facts_and_on_the_bytes_of_the_sources(tmp_path):
    source = tmp_path / "kernel"
    source.write_bytes(b"one")
    first = digest_of([1], source)
    assert digest_of([1], source) == first != digest_of([2], source)
    source.write_bytes(b"two")
    assert digest_of([1], source) != first


def test_nothing_to_compute_is_fine(run):
    assert run([]) == []
