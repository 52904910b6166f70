"""Records of benchmarks: what is read, and what counts as slower."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.workbench.bench_records import (
    compare_records,
    machine_facts,
    read_record,
    slower_in_all,
)

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
