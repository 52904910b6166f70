"""A simulator is held to recordings of a real Slurm by distances of waits."""

import shlex
import sys
from pathlib import Path

import pandas as pd
import pytest

from recording_case import OWN, Recording
from schedlab.workbench.conformance.recorded import measure_recordings, recordings_in

#: each job starts so many seconds after the start in a table of a repetition, or at its submission
REPEAT = """
import csv, sys
jobs = list(csv.DictReader(open(sys.argv[1])))
assert {"submit", "runtime", "partition", "qos", "mem"} <= set(jobs[0])
assert all(int(job["estimate"]) % 60 == 0 for job in jobs)
runs = list(csv.DictReader(open(sys.argv[2] + "/" + sys.argv[4])))
start = {run["job"]: run["start"] for run in runs if run["start"]}
with open(sys.argv[3], "w") as out:
    print("number,start", file=out)
    for job in jobs:
        if job["number"] in start:
            print(job["number"], int(start[job["number"]]) + int(sys.argv[5]), sep=",", file=out)
"""


def command(folder: Path, run: str, late: int = 0) -> str:
    (folder / "repeat.py").write_text(REPEAT)
    words = [sys.executable, str(folder / "repeat.py"), "{workload}", "{site}", "{out}", run]
    return shlex.join([*words, str(late)]).replace("'", "")


def copy_of(folder: Path, name: str, more: dict[str, str] | None = None) -> Path:
    """Make a folder with one recording, some of whose files have another text."""
    place = folder / "recordings" / name
    place.mkdir(parents=True)
    for path in (OWN / name).iterdir():
        (place / path.name).write_bytes(path.read_bytes())
    for file, text in (more or {}).items():
        (place / file).write_text(text)
    return place.parent


def test_distances_of_real_runs_are_those_of_the_tests_of_the_kernel(tmp_path):
    for name in ("partitions", "mixed"):
        (found,) = measure_recordings(copy_of(tmp_path, name), command(tmp_path, "run1.csv", 600))
        waits = [pd.Series(Recording(name, k).waits) for k in (1, 2)]
        assert found.real_apart == pytest.approx((waits[0] - waits[1]).abs().mean())
        (tmp_path / "recordings" / name).rename(tmp_path / name)


def test_a_simulator_that_is_late_is_as_far_as_that(tmp_path):
    """Both repetitions are the same here, so that the distance is the delay."""
    text = (OWN / "partitions/run1.csv").read_text()
    folder = copy_of(tmp_path, "partitions", {"run2.csv": text})
    (exact,) = measure_recordings(folder, command(tmp_path, "run1.csv"))
    assert (exact.apart, exact.real_apart, exact.is_near) == (0, 0, True)
    (late,) = measure_recordings(folder, command(tmp_path, "run1.csv", 70))
    assert (late.apart, late.is_near, late.jobs) == (70, False, 80)


def test_a_simulator_that_fails_has_a_reason(tmp_path):
    folder = copy_of(tmp_path, "partitions")
    (found,) = measure_recordings(folder, command(tmp_path, "run9.csv"))
    assert "run9.csv" in found.why
    assert not found.is_near


def test_a_simulator_that_starts_few_jobs_is_not_near(tmp_path):
    folder = copy_of(tmp_path, "partitions")
    few = command(tmp_path, "run1.csv")
    script = tmp_path / "repeat.py"
    script.write_text(script.read_text().replace("for job in jobs:", "for job in jobs[:3]:"))
    (found,) = measure_recordings(folder, few)
    assert found.why == "starts 3 of the 80 jobs that start in the real run"
    assert not found.is_near


def test_a_folder_without_recordings_is_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"no folder with submissions\.csv, run1"):
        measure_recordings(tmp_path, "sim {out}")
    assert len(recordings_in(OWN)) == 8
