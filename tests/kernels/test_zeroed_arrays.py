"""The memory of a fit's arrays does not depend on what stood there before."""

import ctypes

import numpy as np
import pandas as pd
import pytest
from numpy._core.multiarray import get_handler_name

from schedlab.kernels.common.zeroed_arrays import zeroed_arrays
from schedlab.learning import regression

SIZES = [1, 3, 127, 128, 900, 12_500]


def free_arrays_of(value):
    """Free arrays full of `value`, for the next ones to be cut from; return those that stay."""
    arrays = [np.full(size, value) for size in SIZES + [12_500] * 30 for _ in range(9)]
    return arrays[::7]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", [np.empty, np.zeros])
def test_arrays_and_64_bytes_behind_them_are_zeros(make, size):
    stays = free_arrays_of(7.0)  # noqa: F841  kept so that memory is not given back
    with zeroed_arrays():
        array = make(size)
        content = ctypes.string_at(array.ctypes.data, array.nbytes + 64)
    assert content == bytes(array.nbytes + 64)


def test_the_allocator_is_the_usual_one_outside_of_the_block():
    usual = get_handler_name()
    with zeroed_arrays():
        inside = np.ones(5)
        assert get_handler_name() == get_handler_name(inside) == "schedlab_zeroed"
    assert get_handler_name() == usual
    with pytest.raises(RuntimeError, match="stopped"), zeroed_arrays():
        raise RuntimeError("stopped")
    assert get_handler_name(np.ones(5)) == usual
    inside.resize(50_000, refcheck=False)
    assert inside[:5].tolist() == [1.0] * 5


@pytest.mark.parametrize("make", [np.empty, np.zeros])
def test_arrays_beyond_the_memory_are_refused(make):
    with zeroed_arrays(), pytest.raises(MemoryError):
        make((2**63 - 1,), dtype=np.uint8)


def test_a_fit_does_not_depend_on_what_stood_behind_its_jacobian():
    rng, n = np.random.default_rng(11), 900
    tasks = {"runtime": rng.integers(1, 9000, n), "procs": rng.integers(1, 256, n)}
    tasks |= {"submit": rng.integers(0, 90_000, n), "score": rng.random(n) / 16}
    tasks = pd.DataFrame(tasks).astype(float)
    form = regression.BY_FORM["id", "id", "log", "*", "*"]

    def coefficients():
        with zeroed_arrays():
            return [regression._fit_form(tasks, form)[c] for c in regression.COEFFICIENTS]

    first = coefficients()
    for value in (0.0, 1e30, -7.0, 1e-4):
        stays = free_arrays_of(value)  # noqa: F841
        assert coefficients() == first


def test_every_fit_of_the_papers_kind_is_made_in_zeroed_arrays(monkeypatch):
    seen = []
    fit_form = regression._fit_form
    monkeypatch.setattr(
        regression, "_fit_form", lambda *a: seen.append(get_handler_name()) or fit_form(*a)
    )
    monkeypatch.setattr(regression, "FORMS", regression.FORMS[:3])
    rng = np.random.default_rng(7)
    tasks = {name: rng.integers(1, 100, 40) for name in regression.FEATURES}
    regression.fit_paper(pd.DataFrame(tasks | {"score": rng.random(40)}).astype(float))
    assert seen == ["schedlab_zeroed"] * 3
