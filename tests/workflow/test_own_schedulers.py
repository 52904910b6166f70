"""Python functions as schedulers of the arena, from its configuration and from its sheet."""

import re

import pandas as pd
import pytest

QUICK = ("--configfile", "config/quick.yaml", "mine.yaml")
MADE = "results/quick/simulations/arena/kth_sp2.parquet"
# What the learned policies are is no matter here, and a long computation.
ONLY = ("--allowed-rules", "generate_workload", "compare_schedulers", "--")
MINE = "def area(waiting):\n    return waiting.estimate * waiting.procs\n"


@pytest.fixture
def arena(new_project, tmp_path):
    """A project with a function in a cell of the arena's sheet, and one in its configuration."""
    folder = new_project(tmp_path)
    header, row = (folder / "config/experiments/arena.tsv").read_text().splitlines()[:2]
    cells = dict(zip(header.split("\t"), row.split("\t"), strict=True))
    cells |= {"schedulers": "fcfs,saf,mine.py:area", "learned": "-"}
    (folder / "mine.arena.tsv").write_text(f"{header}\n" + "\t".join(cells.values()) + "\n")
    (folder / "mine.yaml").write_text(
        "sheets: {arena: mine.arena.tsv}\narena: {schedulers: {narrow: 'other.py:narrow'}}\n"
    )
    (folder / "mine.py").write_text(MINE)
    (folder / "other.py").write_text(
        "class narrow:\n    def __call__(self, jobs): return jobs.procs\n"
    )
    return folder


def test_functions_run_in_the_arena_and_an_edit_reruns_them(snakemake, arena):
    run = snakemake(arena, *QUICK, *ONLY, MADE)
    assert run.returncode == 0, run.stdout
    results = pd.read_parquet(arena / MADE).set_index("scheduler")
    assert set(results.index) == {"fcfs", "saf", "mine.py:area", "narrow"}
    numbers = results.drop(columns=["experiment", "window"])
    assert numbers.loc["mine.py:area"].to_numpy().tolist() == numbers.loc["saf"].to_numpy().tolist()
    assert numbers.loc["narrow", "wait"].tolist() != numbers.loc["fcfs", "wait"].tolist()
    assert "Nothing to be done" in snakemake(arena, "-n", *QUICK, *ONLY, MADE).stdout
    for name, text in (("mine.py", MINE.replace("procs", "procs**2")), ("other.py", None)):
        path = arena / name
        before = path.read_text()
        path.write_text(text or before.replace("procs", "estimate"))
        plan = snakemake(arena, "-n", *QUICK, *ONLY, MADE).stdout
        assert f"Updated input files: {name}" in plan
        assert dict(re.findall(r"^(\w+) +(\d+)$", plan, re.M)) == {
            "compare_schedulers": "1",
            "total": "1",
        }
        run = snakemake(arena, *QUICK, *ONLY, MADE)
        assert run.returncode == 0, run.stdout
    results = pd.read_parquet(arena / MADE).set_index("scheduler")["wait"]
    assert results["mine.py:area"].tolist() != results["saf"].tolist()


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("mine.py", "mine.arena.tsv: experiment 'kth_sp2': column 'schedulers': scheduler"),
        ("other.py", "configuration: key 'arena.schedulers.narrow': scheduler 'other.py:narrow'"),
    ],
)
def test_scheduler_file_that_exits_stops_the_workflow(snakemake, arena, name, where):
    (arena / name).write_text("raise SystemExit(0)\n")
    run = snakemake(arena, "-n", *QUICK, *ONLY, MADE)
    assert run.returncode != 0
    assert where in run.stdout
    assert "SystemExit: 0" in run.stdout
