"""Your log: reading it, its losses, and remedies."""

import subprocess
import sys

import pytest

import schedlab
from schedlab.traces.cleaning import replay
from schedlab.traces.readers import read_log
from schedlab.workbench.log import load_log

# job 3 is wider than 4 processors, job 4 never ran, jobs 2 and 5 have no limit
ROWS = """; MaxProcs: 4
; MaxRuntime: 7200
1 100 5 3600 2 -1 -1 2 4000 -1 1 1 1 -1 3 -1 -1 -1
2 110 0 1800 4 -1 -1 4 -1 -1 1 2 1 -1 3 -1 -1 -1
3 120 -1 900 8 -1 -1 8 1000 -1 1 1 1 -1 1 -1 -1 -1
4 130 7 -1 1 -1 -1 1 1000 -1 1 1 1 -1 1 -1 -1 -1
5 140 9 3600 1 -1 -1 1 -1 -1 1 1 1 -1 1 -1 -1 -1
"""


@pytest.fixture
def site(tmp_path):
    path = tmp_path / "site.swf"
    path.write_text(ROWS)
    return path


@pytest.mark.slow
def test_importing_the_package_loads_neither_numpy_nor_its_modules():
    code = (
        "import sys, schedlab; "
        "assert 'numpy' not in sys.modules; assert 'load_log' in dir(schedlab); "
        "assert [name for name in sys.modules if name.startswith('schedlab.')] == []; "
        "schedlab.Jobs; assert 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    for name in schedlab.__all__:
        assert callable(getattr(schedlab, name))
    with pytest.raises(AttributeError, match="has no attribute 'lod_log'"):
        schedlab.lod_log  # noqa: B018


def test_losses_of_a_log_are_in_jobs_and_core_hours(site):
    """By hand, of 2 + 2 + 2 + 0 + 1 core-hours: job 4 never ran, 2 and 5 lack limits, 3 is wide."""
    log = schedlab.load_log(site, drop_wide=True)
    assert log.jobs.number.tolist() == [1]
    assert log.lost["jobs"].to_dict() == {
        "runtime_positive": 1, "estimate_positive": 2, "fits_machine": 1,
    }  # fmt: skip
    assert log.lost["core_hours"].tolist() == [0, 3, 2]
    assert log.lost["jobs_share"].tolist() == [0.2, 0.4, 0.2]
    assert log.lost["hours_share"].tolist() == [0, 3 / 7, 2 / 7]
    assert "--default-limit 2h gives them" in log.remedies[1]
    assert "lost 80.0% of jobs, 71.4% of core-hours" in repr(log)


def test_a_default_limit_keeps_jobs_and_is_in_the_ledger(site):
    log = schedlab.load_log(site, processors=8, default_limit=3000)
    assert log.jobs.number.tolist() == [1, 2, 3, 5]
    # job 5 ran longer than the default limit, which is raised to its run time
    assert log.jobs.estimate.tolist() == [4000, 3000, 1000, 3600]
    pages = log.ledger.set_index(["rule", "number"])[["before", "after"]]
    assert pages.loc["default_limit"].to_numpy().tolist() == [[-1, 3000], [-1, 3000]]
    assert pages.loc["estimate_covers_runtime"].to_numpy().tolist() == [[3000, 3600]]
    assert "default_limit changed 2" in log.cleaning


def test_a_default_limit_may_be_that_of_a_queue(site):
    """Job 2 is of queue 3; job 5, of queue 1, stays without."""
    log = schedlab.load_log(site, processors=8, default_limit={3: 2000})
    assert log.jobs.number.tolist() == [1, 2, 3]
    assert log.jobs.estimate.tolist() == [4000, 2000, 1000]


def test_ledger_of_site_rules_can_be_replayed(site):
    log = schedlab.load_log(site, default_limit=3000, drop_wide=True)
    again = replay(read_log(site).jobs, log.ledger, log.rules)
    assert again.equals(log.frame.drop(columns="wait"))


def test_times_count_from_the_first_job_and_waits_are_those_of_the_site(site):
    log = schedlab.load_log(site, processors=8, rules="rr9212_ran")
    assert log.jobs.submit.tolist() == [0, 10, 20, 40]
    known, schedule = log.as_recorded()
    assert known.jobs.number.tolist() == [1, 2, 5]
    assert schedule.start.tolist() == [5, 10, 49]
    assert schedule.end.tolist() == [3605, 1810, 3649]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "none"}, "unknown rules 'none'; one of sc17_actual"),
        (
            {},
            r"site.swf: job 3 needs 8 processors, the machine has 4; 1 of 2 jobs \(50.0%, 50.0% of "
            r"the core-hours\) need too many: --drop-wide leaves them out, --processors 8 runs all",
        ),
        ({"processors": 0}, "the machine has 0 processors"),
        ({"default_limit": 0}, "the default limit is 0 s, must be at least 1 s"),
        (
            {"default_limit": 5, "rules": "full_actual"},
            "rules full_actual decide on run times and look at no limit",
        ),
        ({"processors": 1, "drop_wide": True}, "no job is left; rules full_estimate"),
    ],
)
def test_mistakes_state_a_remedy(site, options, message):
    with pytest.raises(ValueError, match=message):
        schedlab.load_log(site, **options)


def test_a_log_without_limits_names_the_rules_that_leave_jobs(tmp_path):
    path = tmp_path / "nasa.swf"
    lines = [f"{number} {number} -1 9 1 -1 -1 1 -1" + 9 * " -1" for number in range(1, 4)]
    path.write_text("; MaxProcs: 4\n" + "\n".join(lines) + "\n")
    with pytest.raises(ValueError, match="no job is left") as error:
        schedlab.load_log(path)
    assert (
        "rules that leave some: sc17_actual (3 jobs), full_actual (3 jobs), rr9212_ran (3 jobs)"
        in str(error.value)
    )
    assert "--default-limit DURATION (like 24h)" in str(error.value)
    assert len(schedlab.load_log(path, default_limit=60)) == 3


def test_log_in_which_no_job_ran_is_an_error(tmp_path):
    path = tmp_path / "idle.swf"
    path.write_text("; MaxProcs: 4\n1 1 -1 -1 1 -1 -1 1 -1" + 9 * " -1" + "\n")
    with pytest.raises(ValueError, match="no rules leave any"):
        schedlab.load_log(path)


def test_places_are_found_by_number_and_dropped_jobs_name_their_rule(site):
    log = schedlab.load_log(site, processors=8)
    assert log.place(3) == 1
    with pytest.raises(ValueError, match="job 4 was dropped while cleaning, by runtime_positive"):
        log.place(4)
    with pytest.raises(ValueError, match="there is no job 9; numbers go from 1 to 3"):
        log.place(9)


def swf(number, submit, wait, run, procs, limit):
    return f"{number} {submit} {wait} {run} {procs} -1 -1 {procs} {limit} -1 1 1 1 1 1 1 -1 -1"


@pytest.mark.parametrize(("processors", "is_told"), [(143, True), (144, False)])
def test_a_log_that_used_more_than_the_machine_has_a_note(tmp_path, processors, is_told):
    path = tmp_path / "site.swf"
    path.write_text("\n".join(swf(number, 10 * number, 0, 1000, 48, 2000) for number in (1, 2, 3)))
    log = load_log(path, processors=processors)
    told = [note for note in log.notes if "processors were in use for" in note]
    assert len(told) == is_told
    assert all(f"{processors:,} processors" in note and "144 at most" in note for note in told)


@pytest.mark.parametrize("rules", ["full_estimate", "rr9212"])
@pytest.mark.parametrize(("longer", "is_told"), [(1, False), (2, True)])
def test_a_log_of_which_most_jobs_exceed_their_limits_has_a_note(tmp_path, rules, longer, is_told):
    """As if limits were in minutes. One of two jobs is not most of them."""
    path = tmp_path / "site.swf"
    jobs = [swf(number, 0, 0, 3600, 1, 60) for number in range(1, longer + 1)]
    path.write_text("\n".join(["; MaxProcs: 4", *jobs, swf(9, 0, 0, 3600, 1, 7200)]))
    notes = load_log(path, rules).notes
    assert any(f"{longer} of {longer + 1} jobs ran longer" in note for note in notes) == is_told


@pytest.mark.parametrize(("submit", "is_told"), [(10**11, True), (10**11 - 1, False)])
def test_times_that_are_no_seconds_have_a_note(tmp_path, submit, is_told):
    path = tmp_path / "site.swf"
    path.write_text("; MaxProcs: 4\n" + swf(1, submit, 0, 60, 1, 60))
    assert any("12 digits (100000000000)" in note for note in load_log(path).notes) == is_told


def test_jobs_of_unknown_processors_count_by_those_requested(tmp_path):
    path = tmp_path / "site.swf"
    dropped = "1 0 0 100 -1 -1 -1 8 100 -1 1 1 1 1 1 1 -1 -1"
    path.write_text("\n".join(["; MaxProcs: 8", dropped, swf(2, 0, 0, 100, 4, 100)]))
    log = load_log(path)
    assert log.lost.loc["procs_positive", "hours_share"] == 800 / 1200
    assert log.remedies == (
        "procs_positive: --rules rr9212 takes the processors that jobs requested (field 8), if the "
        "log has them",
    )
    assert len(load_log(path, "rr9212")) == 2
