"""The benchmarks: every kind of case runs, and its record is written."""

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.requests import Requests
from schedlab.queue.site_problem import problem_of
from schedlab.queue.slurm_site import Phases
from twins.slurm_site import Controller

BENCH = Path(__file__).parents[2] / "bench"
FIELDS = {"kernel", "work", "n", "threads", "per_second", "peak_mb"}


def load_run():
    spec = importlib.util.spec_from_file_location("bench_run", BENCH / "run.py")
    run = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(run)
    return run


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """Return bench/run.py whose runs find the ratios of a list, one after the other."""
    run, ratios = load_run(), []

    def measure_all(plan, folder):
        return write_record(tmp_path / "now.json", ratios.pop(0))

    monkeypatch.setattr(run, "measure_all", measure_all)
    return run, ratios


def write_record(path, ratio, kernel="easy"):
    case = {"kernel": kernel, "work": "lub", "n": 9, "threads": 1, "ratio": ratio}
    path.write_text(json.dumps({"cases": [case]}))
    return path


@pytest.mark.parametrize(
    ("found", "code", "left"),
    [
        ([0.75, 9], 0, 1),  # just inside of 25 % below 1
        ([0.749, 0.75, 9], 0, 1),
        ([0.749, 0.749, 0.75, 9], 0, 1),
        ([0.749, 0.749, 0.749, 9], 1, 1),
    ],
)
def test_a_ratio_down_in_three_runs_is_a_failure(found, code, left, measured, tmp_path, capsys):
    run, ratios = measured
    ratios += found
    before = write_record(tmp_path / "before.json", 1.0)
    assert run.main(["--short", "--against", str(before)]) == code
    assert len(ratios) == left
    assert ("easy on lub is slower in 3 runs" in capsys.readouterr().err) == bool(code)


def test_a_record_without_the_measured_cases_is_a_failure(measured, tmp_path, capsys):
    run, ratios = measured
    ratios += [1.0]
    before = write_record(tmp_path / "before.json", 1.0, kernel="other")
    assert run.main(["--against", str(before)]) == 1
    assert "has none of the measured cases" in capsys.readouterr().err


def test_the_short_run_has_the_c_limit_in_every_case():
    assert all(case[-1] for _, case in load_run().SHORT)


@pytest.mark.slow
def test_a_case_of_every_kind_is_measured(tmp_path, monkeypatch):
    run = load_run()
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
    monkeypatch.setattr(run, "SITE", [(20, 500, 0.5, 1, False)])
    monkeypatch.setattr(run, "FORKS", [("copy", "head", "fcfs", 3, False)])
    monkeypatch.setattr(run, "PUBLISHED", [(1000, "estimates", 1, False)])
    monkeypatch.setattr(run, "FORECASTS", [("all", "every", 2, 1, False)])
    monkeypatch.setattr(run, "GYM", [("waiting-1e3", "full", "spt", 2, "copy", 1, False)])
    assert run.main(["--folder", str(tmp_path)]) == 0
    (path,) = tmp_path.glob("*.json")
    record = json.loads(path.read_text())
    assert record["commit"] == path.stem
    assert record["machine"].keys() >= {"processor", "processors", "numpy"}
    records = record["cases"]
    kernels = [record["kernel"] for record in records]
    assert kernels[:2] == ["easy fcfs/fcfs", "conservative, compression none, fcfs"]
    assert kernels[2:-5] == [
        "trials",
        "mixed xnes6",
        "nodes easy-co",
        "published jobs and estimates",
        "easy++, 20 users",
        "slurm head, a pass in 86400 s",
    ]
    assert kernels[-5:] == [
        "a site's Slurm",
        "plan-rs nodes, iterations",
        "session head fcfs, copy",
        "what if, every",
        "decisions full, spt of 128, copy",
    ]
    for record in records:
        assert record.keys() >= FIELDS
        assert record["per_second"] > 0
    assert [record["kernel"] for record in records if "decisions" in record] == ["a site's Slurm"]
    if run.compile_limit(tmp_path):
        trials = records[2]
        assert trials["ratio"] == pytest.approx(
            trials["per_second"] / trials["limit_per_second"], rel=0.5
        )
        assert trials["scalar_ratio"] > 0


def test_counted_decisions_are_those_of_the_twin(monkeypatch):
    # tests have a module of this name, too
    spec = importlib.util.spec_from_file_location("bench_site_case", BENCH / "site_case.py")
    case = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, case)
    monkeypatch.syspath_prepend(BENCH)
    spec.loader.exec_module(case)
    site = case.make_site(8)
    frame = case.make_jobs(site, 150, 1.2)
    jobs, requests = Jobs.from_frame(frame), Requests.from_frame(frame)
    problem = problem_of(site, jobs, requests)
    decided = []

    class Counting(Controller):
        def place(self, pair, slots, now):
            decided.append(pair)
            return super().place(pair, slots, now)

    start = np.array(Counting(problem, Phases()).simulate())
    limits = site.scheduling
    counted = case.count_decisions(problem.submit, start, problem.user, limits)
    assert len(decided) > 1000
    assert counted == pytest.approx(len(decided), rel=0.02)
    fewer = replace(limits, bf_max_job_user=2)
    assert case.count_decisions(problem.submit, start, problem.user, fewer) < counted


@pytest.mark.slow
def test_a_case_that_fails_is_named_and_the_record_has_the_others(tmp_path, capsys):
    run = load_run()
    easy = ("fcfs", "fcfs", "full", 1, 1, False)
    plan = [("case.py", ("no-work", *easy)), ("case.py", ("model-1e4", *easy))]
    with pytest.raises(SystemExit, match=r"1 of 2 cases failed; .*\.json has the others"):
        run.measure_all(plan, tmp_path)
    assert "case.py no-work fcfs fcfs full 1 1: KeyError: 'no-work'" in capsys.readouterr().err
    (path,) = tmp_path.glob("*.json")
    assert [record["work"] for record in json.loads(path.read_text())["cases"]] == ["model-1e4"]


@pytest.mark.slow
def test_plans_run_on_model_jobs_if_their_log_is_not_available(monkeypatch):
    monkeypatch.delenv("SCHEDLAB_ARCHIVE", raising=False)
    record = load_run().measure("plan_case.py", ("queues", "aggregate", 0, 1, False), "")
    assert record["work"].startswith("wagap (model jobs)")


def test_the_help_text_is_printed(capsys):
    with pytest.raises(SystemExit) as stop:
        load_run().main(["--help"])
    assert stop.value.code == 0
    assert "25%" in capsys.readouterr().out
