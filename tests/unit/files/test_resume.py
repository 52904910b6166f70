"""Long computations that resume where they stopped."""

import numpy as np
import pytest

from schedlab.files.resume import compute_missing_parts, digest_of

FIELDS = (("value", "f8", 2), ("count", "i8"))
HEADER = 32  # bytes that say which code began a file
DIGESTS = [digest_of([place]) for place in range(5)]


@pytest.fixture
def computed_places():
    """Places that were computed."""
    return []


@pytest.fixture
def run(tmp_path, computed_places):
    """Compute parts of a file, two at a time."""

    def compute(places):
        computed_places.extend(places)
        return [((place, 2.0 * place), place) for place in places]

    def go(digests=DIGESTS, **more):
        return compute_missing_parts(
            tmp_path / "a.part", FIELDS, digests, compute, 2, "parts", **more
        )

    return go


def test_parts_are_in_order_with_their_fields(run, computed_places):
    parts = run()
    assert [part["value"].tolist() for part in parts] == [[n, 2.0 * n] for n in range(5)]
    assert [int(part["count"]) for part in parts] == computed_places == [0, 1, 2, 3, 4]


def test_finished_parts_are_not_recomputed(run, computed_places):
    run(DIGESTS[:3])
    run()
    assert computed_places == [0, 1, 2, 3, 4]


def test_a_part_that_was_being_written_is_computed_again(run, computed_places, tmp_path):
    run()
    path = tmp_path / "a.part"
    before = path.read_bytes()
    path.write_bytes(before[:-3])
    run()
    assert computed_places == [0, 1, 2, 3, 4, 4]
    assert path.read_bytes() == before


@pytest.mark.slow
def test_a_flipped_bit_anywhere_changes_no_part(run, computed_places, tmp_path, caplog):
    whole = [part.tobytes() for part in run()]
    path = tmp_path / "a.part"
    before = path.read_bytes()
    for place in np.random.default_rng(3).choice(8 * len(before), 500, replace=False).tolist():
        damaged = bytearray(before)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        computed_places.clear()
        caplog.clear()
        assert [part.tobytes() for part in run()] == whole
        assert len(computed_places) == (5 if place // 8 < HEADER else 1)
        assert "a.part" in caplog.text
        assert len(path.read_bytes()) == len(before)
        computed_places.clear()
        run()
        assert computed_places == []


def test_part_file_of_other_code_is_restarted(run, computed_places, caplog):
    run(code="one")
    run(code="one")
    assert computed_places == [0, 1, 2, 3, 4]
    run(DIGESTS[:2], code="two")
    assert computed_places == [0, 1, 2, 3, 4, 0, 1]
    assert "begun by other code" in caplog.text
    run(code="one")
    assert computed_places[7:] == [0, 1, 2, 3, 4]


def test_part_file_with_other_fields_is_restarted(run, computed_places, tmp_path):
    path = tmp_path / "a.part"
    compute_missing_parts(
        path, FIELDS[1:], DIGESTS, lambda places: [(9,) for _ in places], 2, "parts"
    )
    assert [int(part["count"]) for part in run()] == [0, 1, 2, 3, 4]


def test_part_of_other_inputs_is_recomputed(run, computed_places):
    run()
    run([digest_of(["other"]), *DIGESTS[1:]])
    assert computed_places == [0, 1, 2, 3, 4, 0]


def test_a_digest_depends_on_the_facts_and_on_the_bytes_of_the_sources(tmp_path):
    source = tmp_path / "kernel"
    source.write_bytes(b"one")
    first = digest_of([1], source)
    assert digest_of([1], source) == first != digest_of([2], source)
    source.write_bytes(b"two")
    assert digest_of([1], source) != first


def test_empty_list_of_parts_is_accepted(run):
    assert run([]) == []
