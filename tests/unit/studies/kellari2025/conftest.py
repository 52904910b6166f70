"""The published means of chapter 6, and runs like them."""

import numpy as np
import pandas as pd
import pytest

from schedlab.cosched.pool import STAND_IN, read_pool
from schedlab.report.comparison import read_reasons
from schedlab.studies.kellari2025 import published, statistics
from schedlab.studies.kellari2025.tables.chapter6 import METRICS


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    """Draw 79 times, so that one resample may disagree and not two."""
    monkeypatch.setattr(statistics, "RESAMPLES", 79)


@pytest.fixture(scope="module")
def printed(root):
    return published.read_table6(root / "resources/kellari2025/published.tsv")


@pytest.fixture(scope="module")
def pool(root):
    return read_pool(root / "resources/kellari2025/table4_1.tsv", STAND_IN)


@pytest.fixture
def runs(printed):
    """Runs whose means are the printed ones, with a little scatter."""

    def make(workloads=10, shift=None, pool="aris-nas", scatter=0.001):
        stream = np.random.default_rng(1)
        values = printed.astype(float)
        rows = []
        for scheduler, cells in values.iterrows():
            if shift and scheduler in shift:
                cells = cells + pd.Series(shift[scheduler])
            noise = stream.normal(0, scatter, (workloads, len(METRICS)))
            noise -= noise.mean(axis=0)
            for workload in range(workloads):
                found = cells * (1 + noise[workload])
                rows.append({"scheduler": scheduler, "workload": workload, **found})
        frame = pd.DataFrame(rows)
        sd, textbook = frame["slowdown"], 0.95 * frame["makespan_speedup"]
        return frame.assign(pool=pool, slowdown_sd=sd, makespan_speedup_textbook=textbook,
                            makespan=1 / frame["makespan_speedup"])  # fmt: skip

    return make


@pytest.fixture(scope="module")
def reasons(root):
    return read_reasons(root / "resources/kellari2025/reasons.tsv", "table6")
