"""Measured resources of the rules, and their requests."""

import subprocess
import sys

import pandas as pd
import pytest

from schedlab.flow.measured import (
    COLUMNS,
    MeasuredError,
    Resources,
    merge_measured,
    read_benchmarks,
    read_table,
    request,
)

HEAD = "s\th:m:s\tmax_rss\tmax_vms\n"


@pytest.fixture
def benchmark(tmp_path):
    """Write a benchmark as Snakemake does."""

    def write(name, *runs, head=HEAD):
        path = tmp_path / "benchmarks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head + "".join(f"{s}\t0:00:01\t{rss}\t1.0\n" for s, rss in runs))
        return tmp_path / "benchmarks"

    return write


def rows(*cells):
    """A table of rules."""
    return pd.DataFrame(cells, columns=COLUMNS)


def test_a_rule_is_its_longest_and_its_largest_job(benchmark):
    benchmark("draw/fig1.tsv", (3.5, 100.0))
    benchmark("draw/deeper/fig2.tsv", (1.0, 250.5), (2.0, 50.0))
    folder = benchmark("render.tsv", (9.0, "NA"))
    assert read_benchmarks(folder, "quick").to_numpy().tolist() == [
        ["draw", "quick", 2, 3.5, 250.5],
        ["render", "quick", 1, 9.0, 0.0],
    ]


def test_a_folder_without_benchmarks_is_named(tmp_path):
    with pytest.raises(MeasuredError, match="no benchmark"):
        read_benchmarks(tmp_path, "quick")


@pytest.mark.parametrize(("runs", "head"), [([("x", 1)], HEAD), ([], "nothing\n")])
def test_a_benchmark_without_its_numbers_is_named(benchmark, runs, head):
    folder = benchmark("draw.tsv", *runs, head=head)
    with pytest.raises(MeasuredError, match=r"draw\.tsv"):
        read_benchmarks(folder, "quick")


def test_largest_measurement_of_a_rule_is_kept():
    one = rows(["a", "quick", 2, 5.0, 100.0])
    two = rows(["a", "quick", 1, 4.0, 300.0], ["b", "quick", 1, 1.0, 1.0])
    expected = [["a", "quick", 2, 5.0, 300.0], ["b", "quick", 1, 1.0, 1.0]]
    assert merge_measured([one, two]).to_numpy().tolist() == expected
    assert merge_measured([two, one]).to_numpy().tolist() == expected


def test_measurements_at_the_papers_scale_replace_others():
    quick = rows(["a", "quick", 9, 50.0, 900.0], ["b", "quick", 1, 1.0, 1.0])
    papers = rows(["a", "papers", 1, 5.0, 100.0])
    for tables in ([quick, papers], [papers, quick]):
        assert merge_measured(tables).to_numpy().tolist() == [
            ["a", "papers", 1, 5.0, 100.0],
            ["b", "quick", 1, 1.0, 1.0],
        ]


@pytest.mark.parametrize(
    ("seconds", "memory", "asked"),
    [
        # 1.5 of the memory and 500 MB, three times the time and a minute; whole steps
        (20.0, 200.0, Resources(800, 2)),
        (20.1, 200.0, Resources(800, 3)),
        (20.0, 200.1, Resources(900, 2)),
        (0.01, 0.01, Resources(600, 2)),
    ],
)
def test_requests_exceed_the_measurements(seconds, memory, asked):
    assert request(seconds, memory) == asked


def test_table_is_read_as_requests(tmp_path):
    path = tmp_path / "measured.tsv"
    rows(["a", "papers", 1, 20.0, 200.0]).to_csv(path, sep="\t", index=False)
    assert read_table(path) == {"a": Resources(800, 2)}


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([["a", "quick", 1, 0.0, 1.0]], "rule 'a': seconds"),
        ([["a", "quick", 1, 1.0, 1.0], ["b", "quick", 1, 1.0, "much"]], "rule 'b': memory"),
        ([["a", "quick", 1, None, 1.0]], "rule 'a': seconds"),
        (
            [["a", "quick", 1, 1.0, 1.0], ["a", "papers", 1, 1.0, 1.0]],
            "rule 'a' stands in it twice",
        ),
    ],
)
def test_a_table_that_cannot_be_used_is_named(tmp_path, cells, said):
    path = tmp_path / "measured.tsv"
    rows(*cells).to_csv(path, sep="\t", index=False)
    with pytest.raises(MeasuredError, match=said):
        read_table(path)


def test_a_table_of_other_columns_is_named(tmp_path):
    path = tmp_path / "measured.tsv"
    path.write_text("rule\tseconds\na\t1\n")
    with pytest.raises(MeasuredError, match="columns"):
        read_table(path)


@pytest.mark.slow
def test_command_takes_benchmarks_in(tmp_path, benchmark):
    folder = benchmark("draw.tsv", (20.0, 200.0))
    table = tmp_path / "measured.tsv"
    command = [sys.executable, "-m", "schedlab.flow.measured", str(table), "papers"]
    subprocess.run([*command, str(folder)], check=True)
    benchmark("draw.tsv", (1.0, 1.0))
    subprocess.run([*command, str(folder)], check=True)
    assert table.read_text() == "rule\tscale\tjobs\tseconds\tmemory\ndraw\tpapers\t1\t20.0\t200.0\n"
    failed = subprocess.run([*command, str(tmp_path / "no")], capture_output=True, text=True)
    assert failed.returncode == 1
    assert failed.stderr == f"{tmp_path / 'no'}: there is no benchmark in it\n".replace(
        "benchmark in", "benchmark (.tsv) in"
    )


@pytest.mark.slow
def test_rule_without_sampled_memory_is_named_and_the_table_is_kept(tmp_path, benchmark):
    table = tmp_path / "measured.tsv"
    command = [sys.executable, "-m", "schedlab.flow.measured", str(table), "papers"]
    subprocess.run([*command, str(benchmark("draw.tsv", (20.0, 200.0)))], check=True)
    before = table.read_bytes()
    folder = benchmark("short.tsv", (0.2, "NA"))
    failed = subprocess.run([*command, str(folder)], capture_output=True, text=True)
    assert failed.stderr == "no job of short lasted until its memory was sampled\n"
    assert table.read_bytes() == before
    benchmark("short.tsv", (0.2, 0.1))
    subprocess.run([*command, str(folder)], check=True)
    assert "short\tpapers\t1\t0.2\t0.1" in table.read_text()
