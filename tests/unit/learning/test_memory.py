"""Fits that hang on nothing but their tasks: memory that was used before is one thing too many."""

import ctypes
import os
import subprocess
import sys

import pytest

from schedlab.learning.memory import zeros_in_new_memory

GLIBC = hasattr(ctypes.CDLL(None), "mallopt")
FIT = """
import hashlib
import numpy as np
import pandas as pd
from schedlab.learning.regression import fit_paper
rng = np.random.default_rng(7)
tasks = pd.DataFrame({
    "runtime": rng.integers(1, 90_000, 768), "procs": rng.integers(1, 256, 768),
    "submit": rng.integers(0, 900_000, 768), "score": rng.normal(1 / 32, 1e-3, 768),
}).astype(float)
found = fit_paper(tasks)[["c1", "c2", "c3"]].to_numpy()
print(hashlib.sha256(found.tobytes()).hexdigest())
"""


@pytest.mark.skipif(not GLIBC, reason="allocations cannot be told what to hand out")
def test_a_fit_does_not_hang_on_what_stood_in_memory():
    digests = set()
    for fill in ("1", "85", "200"):
        environment = os.environ | {"MALLOC_PERTURB_": fill, "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, "-c", FIT], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(done.stdout)
    assert len(digests) == 1


@pytest.mark.skipif(not GLIBC, reason="allocations cannot be told what to hand out")
def test_memory_is_zeros_within_and_as_it_is_without():
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    with zeros_in_new_memory():
        place = libc.malloc(100_000)
        assert ctypes.string_at(place, 100_000) == bytes(100_000)
        ctypes.memset(place, 7, 100_000)
        libc.free(place)
        again = libc.malloc(100_000)
        assert ctypes.string_at(again, 100_000) == bytes(100_000)
        libc.free(again)
