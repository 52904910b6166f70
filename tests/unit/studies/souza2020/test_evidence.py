"""Evidence of runs: sums over stages, means over instants, and realised waits."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.intervals import mean_interval
from schedlab.files.io import write_parquet
from schedlab.studies.souza2020.evidence import (
    background_of,
    by_workflow,
    over_instants,
    read_runs,
    read_stages,
    realized_wait,
    systems_of,
)
from souza_case import stage

BIG, ASA = {"strategy": "Big Job", "estimator": "-"}, {"strategy": "ASA", "estimator": "ASA"}


def stages(*rows):
    return pd.DataFrame([stage(**row) for row in rows])


def test_a_mean_over_instants_is_resampled_by_blocks():
    values = np.repeat([0.0, 1.0], 50)
    own = over_instants(values, np.random.default_rng(1))
    assert own == mean_interval(values, np.random.default_rng(1), block=5)
    alone = mean_interval(values, np.random.default_rng(1))
    assert own[1] - own[0] > 1.5 * (alone[1] - alone[0])


def test_intervals_of_two_instants_reach_from_one_to_the_other():
    assert over_instants(np.array([1.0, 3.0]), np.random.default_rng(1)) == (1, 3)
    assert over_instants(np.array([1.0]), np.random.default_rng(1)) == (-np.inf, np.inf)


def test_stages_are_summed_up_to_workflows():
    rows = [
        stage(**ASA),
        stage(**ASA, start=200, end=230, perceived=40, core_seconds=30, resubmitted=1,
              idle_core_seconds=770),
        stage(**BIG, end=90),
    ]  # fmt: skip
    found = by_workflow(pd.DataFrame(rows))
    assert found["strategy"].tolist() == ["ASA", "Big Job"]
    assert found[["twt", "makespan", "resubmitted"]].to_numpy().tolist() == [
        [100, 230, 1],
        [60, 90, 0],
    ]
    assert found["core_hours"].tolist() == [1.0, 2800 / 3600]
    assert found["idle_hours"].tolist() == [770 / 3600, 0]


def test_experiments_are_read_one_after_the_other(tmp_path):
    paths = [str(tmp_path / name) for name in ("one", "two")]
    for path, scale in zip(paths, (28, 160), strict=True):
        write_parquet(stages(BIG | {"scale": scale}), path)
    assert read_stages(paths)["scale"].tolist() == [28, 160]
    assert read_runs(paths)["twt"].tolist() == [60, 60]


def test_realised_wait_of_runs_is_the_median_of_big_jobs():
    rows = [
        BIG | {"replicate": 0, "perceived": 10}, ASA | {"replicate": 0, "perceived": 900},
        BIG | {"replicate": 0, "perceived": 30, "workflow": "BLAST"},
        BIG | {"replicate": 0, "perceived": 31, "scale": 56},
        *(BIG | {"replicate": 1, "perceived": 50, "scale": scale} for scale in (28, 56)),
        BIG | {"replicate": 1, "perceived": 900, "scale": 112},
    ]  # fmt: skip
    # of 10, 30, 31, 50, 50 and 900; of the first instant alone, and of the second
    assert realized_wait("table1", stages(*rows)) == (40.5, 30, 50)


def test_realised_wait_of_series_is_the_median_of_wide_configured_stages():
    rows = [
        {"replicate": 0, "wait": 3600}, {"replicate": 0, "wait": 90, "cores": 1},
        {"replicate": 0, "number": 1, "wait": 7200}, {"replicate": 1, "wait": 1800},
        {"replicate": 1, "number": 1, "wait": 1800},
        {"replicate": 1, "wait": 9, "spacing": "over weeks"},
        {"replicate": 1, "wait": 9, "estimator": "ASA, falling rates"},
    ]  # fmt: skip
    assert realized_wait("table2", stages(*rows)) == (2700, 1800, 5400)


@pytest.mark.parametrize("item", ["table1", "table2"])
def test_realised_wait_without_runs_is_unknown(item):
    assert np.isnan(realized_wait(item, stages(BIG).iloc[:0])).all()


def test_scales_belong_to_systems_and_the_background_is_named():
    rows = [
        {"system": "A", "cores": (28, 56), "workload": "log"},
        {"system": "B", "cores": ["160"], "workload": "log"},
    ]
    assert systems_of(rows) == {28: "A", 56: "A", 160: "B"}
    assert background_of(rows) == "Background: log."
    model = rows[1] | {"workload": "model, 256 processors (stands in for RICC)"}
    assert background_of([rows[0], model]) == (
        "Background: log; model, 256 processors (stands in for RICC)."
    )
