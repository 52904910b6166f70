"""The script that orders a time-dependent queue, compared with the scores."""

import ast
import math
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.exports.slurm import slurm_export
from schedlab.exports.slurm.export import SCRIPT
from schedlab.policies import get

ORIGIN, NOW = 1_767_225_600, 1_770_000_000
MOVING = ["wfp3", "unicef", "lexp", "sexp", "r - w * n / 500", "-max(w, 600) * log10(s)"]


def loaded(policy, longest=60_000, points=None):
    """Return the script of a policy as a module."""
    export = slurm_export(
        policy, processors=64, longest=longest, origin=ORIGIN, means="script", points=points
    )
    module = ModuleType("slurm_priority")
    exec(compile(export.files[SCRIPT], SCRIPT, "exec"), module.__dict__)
    return module


SCRIPTS = {policy: loaded(policy) for policy in MOVING}
jobs = st.lists(
    st.tuples(st.integers(1, 64), st.integers(1, 5000), st.integers(0, 500_000)),
    min_size=1,
    max_size=30,
)


@pytest.mark.parametrize("policy", MOVING)
@given(jobs=jobs)
def test_places_are_those_of_the_scores(policy, jobs):
    n, minutes, ago = map(np.array, zip(*jobs, strict=True))
    lines = [
        f"{number}|{n}|{minutes // 1440}-{minutes % 1440 // 60:02}:{minutes % 60:02}:00|"
        f"{NOW - ago}|Priority"
        for number, (n, minutes, ago) in enumerate(jobs)
    ]
    found = SCRIPTS[policy].places(lines, NOW)
    submit = NOW - ago
    score = get(policy).program.scores(minutes * 60, n, submit - ORIGIN, ago)
    first = np.lexsort((np.arange(len(jobs)), submit, score))
    assert sorted(found, key=found.get, reverse=True) == first.tolist()
    assert sorted(found.values()) == list(range(1, len(jobs) + 1))


@pytest.mark.parametrize(
    ("points", "expected"), [(None, [1, 2, 3]), (10, [4, 7, 10]), (3, [1, 2, 3]), (1, [1, 1, 1])]
)
def test_points_are_spread_evenly_over_the_waiting_jobs(points, expected):
    """The widest job is the last; of a single one all points."""
    script = loaded("sqf", points=points)
    lines = [f"{n}|{n}|10:00|{NOW}|Priority" for n in (3, 2, 1)]
    assert [script.places(lines, NOW)[n] for n in (3, 2, 1)] == expected
    assert script.places(lines[:1], NOW) == {3: points or 1}


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        ("10:00", 600),
        ("1:00:00", 3600),
        ("2-03:04:05", 2 * 86400 + 3 * 3600 + 245),
        ("0:30", 60),
        ("UNLIMITED", 60_000),
        ("NOT_SET", 60_000),
        ("INVALID", 60_000),
    ],
)
def test_time_limits_of_squeue_by_hand(limit, seconds):
    assert SCRIPTS["wfp3"].seconds(limit) == seconds


def test_held_jobs_and_scores_that_are_no_number():
    script = loaded("sqrt(n - 5) + w * 0", longest=600)
    lines = [
        f"7|2|10:00|{NOW - 5}|Priority",
        f"8|6|10:00|{NOW - 5}|Resources",
        f"9|6|10:00|{NOW - 5}|JobHeldUser",
        f"10|6|10:00|{NOW - 5}|Dependency|odd",
        f"11|2|10:00|{NOW - 9}|Priority",
    ]
    assert script.places(lines, NOW) == {8: 4, 10: 3, 11: 2, 7: 1}


def test_submissions_are_counted_from_the_origin():
    script = loaded("abs(s - 1000) + 0 * w")
    lines = [f"{ago}|2|10:00|{ORIGIN + ago}|Priority" for ago in (1500, 900, 1)]
    assert script.places(lines, NOW) == {900: 3, 1500: 2, 1: 1}


@given(st.floats(), st.floats())
def test_arithmetic_is_that_of_floats(a, b):
    script = SCRIPTS["wfp3"]
    with np.errstate(all="ignore"):
        assert equal_or_both_none(script.divided(a, b), np.float64(a) / np.float64(b))
        assert equal_or_both_none(script.power(a, b), np.float64(a) ** np.float64(b))
        for name in ("exp", "log", "log2", "log10", "sqrt", "cbrt"):
            computed, reference = (
                getattr(script, f"safe_{name}")(a),
                getattr(np, name)(np.float64(a)),
            )
            assert equal_or_both_none(computed, reference) or math.isclose(
                computed, reference, rel_tol=1e-14
            )


def equal_or_both_none(one, other):
    """Whether two numbers are equal, or both none."""
    return one == other or (math.isnan(one) and math.isnan(other))


def test_updates_go_to_scontrol_in_one_call(monkeypatch, capsys):
    script = loaded("wfp3")
    called = []

    def run(command, text=None):
        called.append((command, text))
        lines = f"5|2|10:00|{NOW - 50}|Priority\n6|2|20:00|{NOW - 50}|Priority\n"
        return subprocess.CompletedProcess(command, 0, lines, "")

    monkeypatch.setattr(script, "run", run)
    monkeypatch.setattr(sys, "argv", ["slurm_priority.py"])
    script.main()
    assert called[0][0][:2] == ["squeue", "--all"], "hidden partitions too"
    assert called[1][1] == "update JobId=6 SiteFactor=1\nupdate JobId=5 SiteFactor=2\n"
    monkeypatch.setattr(sys, "argv", ["slurm_priority.py", "--dry-run"])
    script.main()
    assert len(called) == 3
    assert capsys.readouterr().out == "update JobId=6 SiteFactor=1\nupdate JobId=5 SiteFactor=2\n"


def commands(folder, monkeypatch, squeue, scontrol):
    """Put programs of these lines of sh where Slurm's are looked for."""
    for name, lines in {"squeue": squeue, "scontrol": scontrol}.items():
        (folder / name).write_text(f"#!/bin/sh\n{lines}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def test_without_a_queue_it_ends(tmp_path, monkeypatch):
    commands(tmp_path, monkeypatch, "echo no controller >&2; exit 1", "exit 9")
    with pytest.raises(SystemExit, match="squeue failed: no controller"):
        SCRIPTS["wfp3"].update(False)


def test_completed_job_is_reported_and_the_others_are_updated(tmp_path, monkeypatch, capsys):
    """Two rounds: scontrol fails in both, and says so unless it is told to be quiet."""
    fails = f"cat >> {tmp_path}/asked; [ $# = 0 ] && echo Invalid job id specified >&2; exit 1"
    commands(tmp_path, monkeypatch, f"echo '5|2|10:00|{NOW - 50}|Priority'", fails)
    pauses = []

    def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 2:
            raise KeyboardInterrupt

    script = loaded("wfp3")
    monkeypatch.setattr(script, "time", SimpleNamespace(time=lambda: NOW, sleep=sleep))
    monkeypatch.setattr(sys, "argv", ["slurm_priority.py", "--every", "30"])
    with pytest.raises(KeyboardInterrupt):
        script.main()
    assert pauses == [30, 30]
    assert (tmp_path / "asked").read_text() == "update JobId=5 SiteFactor=1\n" * 2
    assert capsys.readouterr().err == "Invalid job id specified\n" * 2


def test_script_needs_only_the_standard_library():
    tree = ast.parse(slurm_export("wfp3", processors=64).files[SCRIPT])
    names = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    assert names <= set(sys.stdlib_module_names)
