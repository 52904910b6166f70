"""The benchmarks: every kind of case runs, and its record is written."""

import importlib.util
import json
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
FIELDS = {"kernel", "work", "n", "threads", "per_second", "peak_mb"}


@pytest.mark.slow
def test_a_case_of_every_kind_is_measured(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("bench_run", BENCH / "run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    monkeypatch.setattr(run, "CASES", [
        ("model-1e4", "fcfs", "fcfs", "full", 1, 1, False),
        ("model-1e4", "fcfs", "none", "full", 1, 1, False),
    ])  # fmt: skip
    monkeypatch.setattr(run, "TRIALS", [(1, 2, True)])
    monkeypatch.setattr(run, "MIXED", [("model", "xnes6", 1, 1, False)])
    monkeypatch.setattr(run, "NODES", [("easy-co", 100, 420, 1, 1, False)])
    monkeypatch.setattr(run, "PLANS", [("search", "nodes", 100, 1, False)])
    monkeypatch.setattr(run, "PREDICTED", [("model-1e4", 20, 1, False)])
    monkeypatch.setattr(run, "SLURM", [("model-1e4", "head", 86_400, 1, False)])
    monkeypatch.setattr(run, "FORKS", [("copy", "head", "fcfs", 3, False)])
    monkeypatch.setattr(run, "PUBLISHED", [(1000, "estimates", 1, False)])
    monkeypatch.setattr(run, "FORECASTS", [("all", "every", 2, 1, False)])
    run.main(str(tmp_path / "bench.json"))
    records = json.loads((tmp_path / "bench.json").read_text())
    kernels = [record["kernel"] for record in records]
    assert kernels[:2] == ["easy fcfs/fcfs", "conservative, compression none, fcfs"]
    assert kernels[2:-3] == [
        "trials",
        "mixed xnes6",
        "nodes easy-co",
        "published jobs and estimates",
        "easy++, 20 users",
        "slurm head, a pass in 86400 s",
    ]
    assert kernels[-3:] == [
        "plan-rs nodes, iterations",
        "session head fcfs, copy",
        "what if, every",
    ]
    for record in records:
        assert record.keys() >= FIELDS
        assert record["per_second"] > 0
    if run.compile_limit(tmp_path):
        trials = records[2]
        assert trials["ratio"] == pytest.approx(
            trials["per_second"] / trials["limit_per_second"], rel=0.5
        )
        assert trials["scalar_ratio"] > 0
