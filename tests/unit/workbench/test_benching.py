"""Timing of the kernels: cases, repeats and invalid settings; no test asserts a time."""

import json

import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.workbench import benching
from schedlab.workbench.benching import Case, bench, cases


@pytest.fixture(scope="module")
def timed_cases():
    return cases(1000)


def test_every_kernel_is_timed_once(timed_cases):
    names = [case.kernel for case in timed_cases]
    assert len(set(names)) == len(names) == 16
    for words in ("strict", "EASY", "lines", "anyhow", "conservative", "mixed", "trials", "nodes"):
        assert any(words in name for name in names)


def test_case_simulates_the_counted_jobs(timed_cases):
    for case in timed_cases:
        done = case.run()
        if case.kernel.startswith("queue FCFS"):
            assert len(done.start) == case.count == 1000
        if case.kernel.startswith("nodes"):
            assert len(done) == 1
            assert len(done[0].start) == case.count == 1000


def test_a_case_is_repeated_until_the_time_is_over(monkeypatch):
    """A clock that moves a second at every look, so that a repeat takes one; by hand, 5 fit."""
    clock = iter(range(100))
    monkeypatch.setattr(benching.time, "perf_counter", lambda: float(next(clock)))
    assert benching._rates(Case("k", "jobs", 50, lambda: None), 13.0) == [50.0] * 5


def test_three_repeats_at_least(monkeypatch):
    runs = []
    case = Case("k", "jobs", 50, lambda: runs.append(1))
    monkeypatch.setattr(benching, "cases", lambda jobs: [case])
    table = bench(seconds=1e-9)
    assert table["repeats"].tolist() == [3]
    assert len(runs) == 4
    (row,) = table.itertuples()
    assert row.slowest <= row.per_second <= row.fastest
    assert (row.kernel, row.unit, row.count) == ("k", "jobs", 50)


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"jobs": 999}, "999 jobs are too few"), ({"seconds": 0.0}, "0.0 s are no time")],
)
def test_invalid_settings_are_rejected(settings, words):
    with pytest.raises(ValueError, match=words):
        bench(**settings)


def call(monkeypatch, *arguments):
    case = Case("queue", "jobs", 1000, lambda: None)
    monkeypatch.setattr(benching, "cases", lambda jobs: [case])
    return CliRunner().invoke(app, ["bench", "--seconds", "0.001", *arguments])


def test_the_command_prints_a_table(monkeypatch):
    result = call(monkeypatch)
    assert result.exit_code == 0, result.output
    title, heads, row, here = result.stdout.splitlines()
    assert title.startswith("Done per second by one thread")
    assert heads.split() == ["kernel", "what", "per", "second", "slowest", "fastest", "repeats"]
    assert row.split()[:2] == ["queue", "jobs"]
    assert here.startswith("schedlab ")


def test_the_command_prints_json(monkeypatch):
    found = json.loads(call(monkeypatch, "--json").stdout)
    assert [one["kernel"] for one in found["kernels"]] == ["queue"]
    assert found["kernels"][0]["per_second"] > 0
    assert found.keys() >= {"schedlab", "python", "machine", "processors"}
