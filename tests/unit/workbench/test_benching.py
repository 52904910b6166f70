"""Timing of the kernels, and records of benchmarks; no test asserts a time."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.workbench import benching
from schedlab.workbench.bench_records import (
    compare_records,
    machine_facts,
    read_record,
    slower_in_all,
)
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


COLUMNS = ["kernel", "work", "n", "threads", "ratio"]


def record_of(path, *cases):
    """Write a record of cases (kernel, ratio), where a ratio of None is left out."""
    found = [
        {"kernel": kernel, "work": "lub", "n": 10_000, "threads": 1, "per_second": 5}
        | ({} if ratio is None else {"ratio": ratio})
        for kernel, ratio in cases
    ]
    path.write_text(json.dumps({"commit": "a", "machine": {}, "cases": found}))
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["bench", *map(str, arguments)])


def test_cases_with_a_ratio_are_read(tmp_path):
    path = record_of(tmp_path / "a.json", ("easy", 1), ("slurm", None), ("trials", 0.5))
    assert read_record(path).to_numpy().tolist() == [
        ["easy", "lub", 10_000, 1, 1.0],
        ["trials", "lub", 10_000, 1, 0.5],
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "not a record of make bench"),
        ("{", "not a record of make bench"),
        ('{"cases": 3}', "case 1: not a record"),
        ('{"cases": [{"kernel": "easy"}]}', "case 1: field 'work' is missing or wrong"),
        (
            '{"cases": [{"kernel": "a", "work": "b", "n": "9", "threads": 1}]}',
            "case 1: field 'n' is missing or wrong",
        ),
        (
            '{"cases": [{"kernel": "a", "work": "b", "n": 9, "threads": 1, "ratio": 0}]}',
            "case 1: field 'ratio': 0 is not a positive number",
        ),
        (
            '{"cases": [{"kernel": "a", "work": "b", "n": 9, "threads": 1, "ratio": "1"}]}',
            "case 1: field 'ratio': '1' is not a positive number",
        ),
    ],
)
def test_what_is_no_record_is_refused(text, message, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as raised:
        read_record(path)
    assert str(raised.value).startswith(f"{path}: ")


def test_slower_is_a_ratio_down_by_more_than_a_quarter():
    before = pd.DataFrame([[k, "w", 9, 1, 0.8] for k in "abcd"], columns=COLUMNS)
    now = pd.DataFrame(
        [["a", "w", 9, 1, 0.601], ["b", "w", 9, 1, 0.599], ["c", "w", 9, 2, 0.1],
         ["d", "w", 9, 1, 1.6]],
        columns=COLUMNS,
    )  # fmt: skip
    table = compare_records(before, now)
    assert table["kernel"].tolist() == ["b", "a", "d"]  # c ran with other threads
    assert table["slower"].tolist() == [True, False, False]
    assert table["change"].round(3).tolist() == [-0.251, -0.249, 1.0]


def test_a_case_fails_that_is_slower_in_every_run():
    before = pd.DataFrame([[k, "w", 9, 1, 1.0] for k in "ab"], columns=COLUMNS)
    runs = [
        compare_records(before, before.assign(ratio=ratios)) for ratios in ([0.5, 0.5], [0.5, 0.9])
    ]
    assert slower_in_all(runs) == {("a", "w", 9, 1)}
    assert slower_in_all(runs[1:]) == {("a", "w", 9, 1)}


def test_the_command_names_what_got_slower(tmp_path):
    before = record_of(tmp_path / "a.json", ("easy", 0.8), ("trials", 0.9), ("old", 1.0))
    now = record_of(tmp_path / "b.json", ("easy", 0.4), ("trials", 0.9))
    done = run(now, "--against", before)
    assert done.exit_code == 1
    assert ["easy", "lub", "slower", "10,000", "1", "0.80", "0.40", "-50%"] in [
        line.split() for line in done.output.splitlines()
    ]
    assert f"1 cases are only in {before}, 0 only in {now}" in " ".join(done.output.split())
    assert run(now, "--against", now).exit_code == 0
    found = json.loads(run(now, "--against", before, "--json").output)
    assert [case["slower"] for case in found["cases"]] == [True, False]
    assert (found["only_before"], found["only_now"]) == (1, 0)


def test_the_command_wants_two_records_with_common_cases(tmp_path):
    a, b = record_of(tmp_path / "a.json", ("easy", 1)), record_of(tmp_path / "b.json", ("other", 1))
    for arguments in ([a], ["--against", a]):
        done = run(*arguments)
        assert (done.exit_code, "RECORD --against EARLIER" in done.output) == (1, True)
    done = run(a, "--against", b)
    assert (done.exit_code, "no case in common" in done.output) == (1, True)
    assert "No such file" in run(a, "--against", tmp_path / "c.json").output


def test_the_facts_of_the_machine_are_there():
    facts = machine_facts()
    assert all(facts.values())
    assert facts["processors"] >= 1
