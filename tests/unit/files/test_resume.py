"""Long computations that go on where they stopped."""

import numpy as np
import pytest

from schedlab.files.resume import compute_missing_parts, digest_of

FIELDS = (("value", "f8", 2), ("count", "i8"))
HEADER = 32  # bytes that say which code began a file
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

    def go(digests=DIGESTS, **more):
        return compute_missing_parts(
            tmp_path / "a.part", FIELDS, digests, compute, 2, "parts", **more
        )

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
    path = tmp_path / "a.part"
    before = path.read_bytes()
    path.write_bytes(before[:-3])
    run()
    assert asked == [0, 1, 2, 3, 4, 4]
    assert path.read_bytes() == before


@pytest.mark.slow
def test_a_flipped_bit_anywhere_changes_no_part(run, asked, tmp_path, caplog):
    whole = [part.tobytes() for part in run()]
    path = tmp_path / "a.part"
    before = path.read_bytes()
    for place in np.random.default_rng(3).choice(8 * len(before), 500, replace=False).tolist():
        damaged = bytearray(before)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        asked.clear()
        caplog.clear()
        assert [part.tobytes() for part in run()] == whole
        assert len(asked) == (5 if place // 8 < HEADER else 1)
        assert "a.part" in caplog.text
        assert len(path.read_bytes()) == len(before)
        asked.clear()
        run()
        assert asked == []


def test_a_file_that_other_code_began_is_begun_anew(run, asked, caplog):
    run(code="one")
    run(code="one")
    assert asked == [0, 1, 2, 3, 4]
    run(DIGESTS[:2], code="two")
    assert asked == [0, 1, 2, 3, 4, 0, 1]
    assert "begun by other code" in caplog.text
    run(code="one")
    assert asked[7:] == [0, 1, 2, 3, 4]


def test_a_file_of_other_fields_is_begun_anew(run, asked, tmp_path):
    path = tmp_path / "a.part"
    compute_missing_parts(
        path, FIELDS[1:], DIGESTS, lambda places: [(9,) for _ in places], 2, "parts"
    )
    assert [int(part["count"]) for part in run()] == [0, 1, 2, 3, 4]


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
