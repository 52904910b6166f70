"""The script that orders a time-dependent queue, compared with the scores."""

import ast
import json
import math
import re
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


@pytest.fixture(autouse=True)
def lock(tmp_path, monkeypatch):
    """A lock of the test alone, also for processes that run as a user."""
    monkeypatch.setenv("LOCK", str(tmp_path / "lock"))
    return tmp_path / "lock"


def text_of(policy, longest=60_000, points=None):
    """Return the text of the script of a policy, whose lock is that of the test."""
    export = slurm_export(
        policy, processors=64, longest=longest, origin=ORIGIN, means="script", points=points
    )
    text, count = re.subn(
        r"^LOCK = .*$", 'LOCK = os.environ.get("LOCK")', export.files[SCRIPT], flags=re.M
    )
    assert count == 1
    return text


def loaded(*arguments, **options):
    """Return the script of a policy as a module."""
    module = ModuleType("slurm_priority")
    exec(compile(text_of(*arguments, **options), SCRIPT, "exec"), module.__dict__)
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


def rounds(folder, monkeypatch, script, count, *, every="30", step=30):
    """Run the script for some rounds, each a step of the clock later; return what was updated."""
    clock = [float(NOW)]

    def sleep(seconds):
        clock[0] += step
        if clock[0] >= NOW + count * step:
            raise KeyboardInterrupt

    monkeypatch.setattr(script, "time", SimpleNamespace(time=lambda: clock[0], sleep=sleep))
    monkeypatch.setattr(script, "LOCK", str(folder / "lock"))
    monkeypatch.setattr(sys, "argv", ["slurm_priority.py", "--every", every])
    with pytest.raises(KeyboardInterrupt):
        script.main()
    asked = folder / "asked"
    return asked.read_text().splitlines() if asked.exists() else []


#: one squeue a line of FOLDER/answers: what it prints, or how it fails
SQUEUE = """\
read -r answer < {0}/answers
sed -i 1d {0}/answers
case "$answer" in
  fails) echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1;;
  hangs) exec sleep 60;;
  *) printf '%b' "$answer";;
esac"""


def answered(folder, monkeypatch, answers, scontrol="cat >> {0}/asked"):
    (folder / "answers").write_text("\n".join(answers) + "\n")
    commands(folder, monkeypatch, SQUEUE.format(folder), scontrol.format(folder))


FIVE = f"5|2|10:00|{NOW - 50}|Priority\\n"
SIX = f"6|2|20:00|{NOW - 50}|Priority\\n"


def test_restarted_controller_costs_one_round(tmp_path, monkeypatch, capsys):
    """After it all site factors are set again: it may have lost the last ones."""
    answered(tmp_path, monkeypatch, [FIVE, "fails", "fails", FIVE, FIVE])
    lines = rounds(tmp_path, monkeypatch, loaded("wfp3"), 5)
    assert lines == ["update JobId=5 SiteFactor=1"] * 2
    error = "squeue failed: slurm_load_jobs error: Unable to contact slurm controller\n"
    assert capsys.readouterr().err == error * 2


@pytest.mark.slow
def test_command_that_hangs_is_ended(tmp_path, monkeypatch, capsys):
    answered(tmp_path, monkeypatch, ["hangs", FIVE])
    script = loaded("wfp3")
    monkeypatch.setattr(script, "TIMEOUT", 0.5)
    assert rounds(tmp_path, monkeypatch, script, 2) == ["update JobId=5 SiteFactor=1"]
    assert capsys.readouterr().err == "squeue: no answer within 0.5 s\n"
    (tmp_path / "lock").unlink()
    answered(tmp_path, monkeypatch, [FIVE, FIVE], "exec sleep 60")
    assert len(rounds(tmp_path, monkeypatch, script, 2)) == 1
    assert "scontrol: no answer within 0.5 s\n" in capsys.readouterr().err


def test_missing_command_is_waited_for(tmp_path, monkeypatch, capsys):
    """Packages of Slurm are replaced while the script runs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert rounds(tmp_path, monkeypatch, loaded("wfp3"), 2) == []
    assert capsys.readouterr().err.count("squeue: [Errno 2] No such file or directory") == 2


def test_only_jobs_whose_site_factor_has_changed_are_updated(tmp_path, monkeypatch):
    """After ten minutes all are, as others may have set them."""
    answered(tmp_path, monkeypatch, [FIVE, FIVE, SIX + FIVE, SIX + FIVE, SIX])
    assert rounds(tmp_path, monkeypatch, loaded("wfp3"), 5) == [
        "update JobId=5 SiteFactor=1",
        "update JobId=6 SiteFactor=1",
        "update JobId=5 SiteFactor=2",
    ]
    (tmp_path / "asked").unlink()
    again = SIX.replace(str(NOW - 50), str(NOW))  # of another job with this number
    answered(tmp_path, monkeypatch, [again] * 6)
    lines = rounds(tmp_path, monkeypatch, loaded("wfp3"), 6, step=150)
    assert lines == ["update JobId=6 SiteFactor=1"] * 2


def test_runs_by_cron_know_what_the_last_one_did(tmp_path, lock):
    """As processes; a second copy ends at once and changes nothing."""
    (tmp_path / "script.py").write_text(text_of("wfp3"))
    hold = "import fcntl, sys; file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); "
    held = [sys.executable, "-c", f"{hold}print(1, flush=True); input()", str(lock)]

    def run():
        with pytest.MonkeyPatch.context() as patch:
            answered(tmp_path, patch, [FIVE])
            command = [sys.executable, tmp_path / "script.py"]
            return subprocess.run(command, capture_output=True, text=True)

    with subprocess.Popen(held, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        second = run()
        other.communicate(b"\n")
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr == f"another copy of slurm_priority.py runs: it has locked {lock}\n"
    assert not (tmp_path / "asked").exists()
    for content in ("", "[]", '{"places": 3}', None, None):
        if content is not None:
            lock.write_text(content)
        assert run().returncode == 0
    assert (tmp_path / "asked").read_text() == "update JobId=5 SiteFactor=1\n" * 3
    assert json.loads(lock.read_text())["places"] == {"5": [1, str(NOW - 50)]}


def test_line_that_is_no_job_is_reported_and_left_out(capsys):
    lines = ["x", f"5|2|10:00|{NOW}|Priority", "6|2|10:00|N/A|Priority"]
    assert SCRIPTS["wfp3"].places(lines, NOW) == {5: 1}
    assert capsys.readouterr().err.splitlines() == [
        "line of squeue not understood: x",
        "line of squeue not understood: 6|2|10:00|N/A|Priority",
    ]


@pytest.mark.parametrize("every", ["0", "-3"])
def test_pause_is_at_least_a_second(monkeypatch, capsys, every):
    monkeypatch.setattr(sys, "argv", ["slurm_priority.py", "--every", every])
    with pytest.raises(SystemExit):
        SCRIPTS["wfp3"].main()
    assert f"--every is {every}, must be at least 1" in capsys.readouterr().err


@pytest.mark.parametrize("policy", [*MOVING, "sqf", "sqrt(n - 5) + w * 0"])
def test_script_runs_on_python_3_6_and_says_so(policy, monkeypatch):
    """The Python of RHEL 8: no syntax, function or argument of a later one."""
    text = slurm_export(policy, processors=64, means="script").files[SCRIPT]
    tree = ast.parse(text, feature_version=(3, 6))
    assert "needs: Python 3.6 or later" in ast.get_docstring(tree)
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    assert not names & {"capture_output", "text"}
    modules = (node.names for node in ast.walk(tree) if isinstance(node, ast.Import))
    assert {each.name for names in modules for each in names} <= set(sys.stdlib_module_names)
    # sets of environment variables joined by |, and math.cbrt unless it is there
    assert not re.search(r"environ \||removeprefix|removesuffix|math\.(dist|prod|isqrt|perm)", text)
    monkeypatch.setattr(sys, "version_info", (3, 5, 2))
    with pytest.raises(SystemExit, match=r"needs Python 3.6 or later, this is 3\."):
        loaded(policy)
