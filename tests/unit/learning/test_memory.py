"""The memory of fits does not depend on its earlier contents."""

import ctypes

import numpy as np
import pandas as pd
import pytest

from schedlab.learning import regression
from schedlab.learning.memory import clear_kept_arrays, zeros_in_new_memory


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "mallopt"), reason="the allocator cannot be configured"
)
def test_memory_is_zeros_within():
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    with zeros_in_new_memory():
        place = libc.malloc(100_000)
        ctypes.memset(place, 7, 100_000)
        libc.free(place)
        again = libc.malloc(100_000)
        assert ctypes.string_at(again, 100_000) == bytes(100_000)
        libc.free(again)


@pytest.mark.parametrize("size", [1, 3, 127])
def test_small_arrays_that_are_kept_are_zeros(size):
    held = [np.full(size, 7.0) for _ in range(8)]
    del held
    clear_kept_arrays()
    assert not np.any([np.empty(size) for _ in range(7)])


def test_every_fit_of_the_papers_kind_begins_with_zeros(monkeypatch):
    seen = []
    monkeypatch.setattr(regression, "clear_kept_arrays", lambda: seen.append("clear"))
    monkeypatch.setattr(regression, "FORMS", regression.FORMS[:3])
    rng = np.random.default_rng(7)
    tasks = {name: rng.integers(1, 100, 40) for name in regression.FEATURES}
    regression.fit_paper(pd.DataFrame(tasks | {"score": rng.random(40)}).astype(float))
    assert seen == ["clear"] * 3
