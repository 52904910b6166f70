"""Random streams: the same numbers for the same key, others for any other key."""

import numpy as np
import pytest

from schedlab.core.streams import generator

PINNED = [1448966578, 591878140, 1624425856]
KEYS = [("paper", "exp", "log", piece, replicate) for piece in range(4) for replicate in range(3)]


def numbers(*key):
    return generator(*key).integers(0, 2**63, size=8).tolist()


def test_order_of_requests_does_not_matter():
    """Streams asked for in any order hold the same numbers."""
    forward = {key: numbers(*key) for key in KEYS}
    backward = {key: numbers(*key) for key in reversed(KEYS)}
    assert forward == backward


def test_every_key_has_different_numbers():
    """Keys that differ in one part have different streams."""
    assert len({tuple(numbers(*key)) for key in KEYS}) == len(KEYS)


@pytest.mark.parametrize(
    ("one", "other"),
    [(("a", 1), ("a", "1")), (("ab", "c"), ("a", "bc")), (("a",), ("a", 0)), ((1, 2), (2, 1))],
)
def test_keys_that_look_alike_differ(one, other):
    """Neither type nor borders nor order of the parts get lost."""
    assert numbers(*one) != numbers(*other)


def test_stream_never_changes():
    """The numbers of a key are the same on every machine and in every run."""
    assert generator("schedlab", 1).integers(0, 2**32, size=3).tolist() == PINNED


def test_numpy_integers_are_integers():
    """A piece number taken from an array names the same stream."""
    assert numbers("a", np.int64(3)) == numbers("a", 3)


@pytest.mark.parametrize("part", [1.5, None, True, b"a", ("a",)])
def test_key_parts_of_other_types_are_rejected(part):
    """A part that is neither text nor a whole number is an error that shows it."""
    with pytest.raises(TypeError, match="stream key"):
        generator("a", part)


def test_empty_key_is_refused():
    """A stream for nothing in particular is a mistake."""
    with pytest.raises(ValueError, match="at least one part"):
        generator()
