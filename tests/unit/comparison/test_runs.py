"""A row of the arena on a small workload: every scheduler runs, or its absence has a reason."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from contest_case import ADVICE
from schedlab.comparison import user_schedulers
from schedlab.comparison.runs import (
    FACTS,
    absent_from,
    columns_of,
    compare_schedulers,
    jobs_and_windows,
    offered_load,
    policies_of,
    results_of,
    runner,
)
from schedlab.comparison.schedulers import GUARD, SCHEDULERS
from schedlab.comparison.settings import ContestSettings, check_cell
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine, Partition
from schedlab.core.metrics import CONTEST, compute_metrics, shown_in
from schedlab.core.slurm_site import Priorities, Site
from schedlab.core.splitting import DAY
from schedlab.core.windows import WHOLE, Window
from schedlab.files.config import ConfigError
from schedlab.policies import get
from schedlab.policies.neural import from_npz, write_npz
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import Dialect
from schedlab.queue.predictions import simulate_predicted
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.site_dialect import SiteSlurm
from schedlab.workloads.lublin import generate
from schedlab.workloads.users import with_users

LEARNED = {f"l{rank}": f"r * n + {rank} * log10(s)" for rank in range(1, 5)}


#: schedulers that need no published weights
ALL = tuple(name for name, one in SCHEDULERS.items() if one.kind != "neural")


@pytest.fixture(scope="module")
def jobs():
    """A workload of thirteen days, with users; estimates are twice the run times."""
    rng = np.random.default_rng(5)
    drawn = generate(1500, 32, rng)
    drawn["submit"] = np.sort(rng.integers(0, 13 * DAY, len(drawn)))
    drawn["runtime"] = drawn["runtime"].clip(1, 4 * 3600)
    return with_users(drawn.assign(estimate=2 * drawn["runtime"]), 6, rng)


@pytest.fixture(scope="module")
def row():
    return ContestSettings("toy", "toy", 32, 3, ALL, 10.0)


def contest(row, jobs, own=(), threads=1, learned=LEARNED):
    return compare_schedulers(row, jobs, learned, dict(own), 5, ADVICE, threads)


@pytest.mark.slow
def test_every_scheduler_runs_once_and_is_counted_in_every_window(row, jobs):
    results, facts, losers = contest(row, jobs, {"mine": "r - w"})
    assert list(results.columns) == list(results_of([]))
    assert list(facts.columns) == list(FACTS)
    assert set(results["scheduler"]) == {*ALL, "mine"} == set(losers["scheduler"])
    windows = results.groupby("scheduler")["window"].agg(list)
    assert windows.map(lambda one: one == [WHOLE, 1, 2, 3]).all()
    assert not results.isna().any(axis=None)
    early = (jobs["submit"] - jobs["submit"].min() < 3.25 * DAY - 3 * 3600).sum()
    assert facts.loc[0, ["windows", "users"]].tolist() == [3, 6]
    assert facts.loc[0, "learning"] == pytest.approx(early, abs=30)
    assert facts.loc[0, "absent"] == ""
    assert not facts.loc[0, "overload"]


@pytest.mark.slow
def test_columns_that_are_read_are_enough_for_every_scheduler(row, jobs):
    own = {"mine": "r - w"}
    columns = columns_of(row, own)
    assert columns == ["number", "submit", "runtime", "estimate", "procs", "user"]
    more, few = (contest(row, frame, own) for frame in (jobs, jobs[columns]))
    pd.testing.assert_frame_equal(more.results, few.results)
    pd.testing.assert_frame_equal(more.losers, few.losers)


@pytest.mark.parametrize(
    ("schedulers", "own"), [(("fcfs", "a.py:f"), {}), (("fcfs",), {"mine": "a.py:f"})]
)
def test_a_function_of_a_user_may_read_any_column(row, schedulers, own):
    assert columns_of(replace(row, schedulers=schedulers), own) is None


@pytest.mark.slow
def test_results_do_not_depend_on_threads(row, jobs):
    one, many = (contest(row, jobs, threads=threads) for threads in (1, 3))
    pd.testing.assert_frame_equal(one.results, many.results)
    pd.testing.assert_frame_equal(one.losers, many.losers)


@pytest.mark.slow
def test_windows_take_the_queue_over_from_each_other(row, jobs):
    results = contest(row, jobs).results.set_index(["scheduler", "window"])
    every, _, windows = jobs_and_windows(row, jobs)
    schedule = simulate(Run(every, 32, get("saf"), get("saf")))
    wait = schedule.start - every.submit
    for window in windows:
        inside = (every.submit >= window.begin) & (every.submit < window.end)
        assert results.loc[("saf", window.number), "jobs"] == inside.sum()
        assert results.loc[("saf", window.number), "wait"] == pytest.approx(wait[inside].mean())
    late = every.submit >= windows[0].begin
    late &= every.submit < windows[-1].end
    assert results.loc[("saf", WHOLE), "max_wait"] == wait[late].max()


@pytest.mark.slow
def test_schedulers_that_put_younger_jobs_first_are_named(row, jobs):
    facts = contest(row, jobs, {"young": "-s"}).facts
    assert set(facts.loc[0, "youth"].split()) == {"lcfs", "sexp", "young"}


@pytest.mark.slow
def test_schedulers_that_need_users_are_left_out_without_them(row, jobs):
    results, facts, _ = contest(row, jobs.assign(user=-1), learned={})
    absent = {name for name, one in SCHEDULERS.items() if one.users or one.kind == "learned"}
    assert set(results["scheduler"]) == {*ALL} - absent
    assert "EASY++: the log has no users" in facts.loc[0, "absent"]
    assert "L4: no such function was fitted" in facts.loc[0, "absent"]


def test_published_networks_run_where_their_weights_are_available(row, jobs, tmp_path, monkeypatch):
    """A network that prefers short jobs is SPF; it sees all of the few waiting jobs."""
    kernel = np.zeros((8, 1))
    kernel[1] = -1  # the estimate
    write_npz(tmp_path / "rl.npz", [(kernel, np.zeros(1))], window=1500)
    network = from_npz(tmp_path / "rl.npz")
    folders = {"rl_lublin256": [tmp_path]}
    monkeypatch.setattr(
        user_schedulers, "find_published", lambda name, at: network if folders[name] == at else None
    )
    few = replace(row, schedulers=("fcfs", "spf", "rl_lublin256", "rl_hpc2n"))
    own = {"rl_lublin256": f"{tmp_path}/lublin256.data"}
    assert columns_of(few, own) is None
    results, facts, _ = contest(few, jobs.assign(submit=jobs["submit"] * 2), own)
    assert facts.loc[0, "absent"] == "RL-HPC2N: its published weights are not available"
    table = results.set_index(["scheduler", "window"])[list(shown_in(CONTEST))]
    assert set(results["scheduler"]) == {"fcfs", "spf", "rl_lublin256"}
    assert table.loc[("rl_lublin256", WHOLE), "wait"] == pytest.approx(
        table.loc[("spf", WHOLE), "wait"], rel=0.05
    )
    slurm, facts, _ = compare_schedulers(
        few, jobs, LEARNED, own, 5, ADVICE, dialect=dialect_of("slurm")
    )
    assert "rl_lublin256" not in set(slurm["scheduler"])
    assert "RL-Lublin-256: " in facts.loc[0, "absent"]


def test_a_user_of_number_zero_is_known(row, jobs):
    early = Jobs.from_frame(jobs)
    assert "easy_pp" not in absent_from(row, jobs.assign(user=0), LEARNED, early)
    assert "easy_pp" in absent_from(row, jobs.assign(user=-1), LEARNED, early)


def test_without_early_jobs_no_weights_are_learned(row, jobs):
    nothing = Jobs.from_frame(jobs.head(0))
    assert "w_train" in absent_from(row, jobs, LEARNED, nothing)
    assert "w_train" not in absent_from(row, jobs, LEARNED, Jobs.from_frame(jobs.head(1)))


def test_a_log_that_is_not_available_has_no_results(row, jobs):
    results, facts, losers = contest(row, jobs.head(0))
    assert results.empty
    assert losers.empty
    assert facts.loc[0, ["jobs", "windows", "learning"]].tolist() == [0, 0, 0]
    assert not facts.loc[0, "overload"]


def test_late_jobs_are_counted_by_the_bound_of_the_advice(row, jobs):
    lcfs = ContestSettings("toy", "toy", 32, 3, ("fcfs", "lcfs"), 10.0)
    advice = ADVICE | {"late_days": 1 / 24}
    found = compare_schedulers(lcfs, jobs, {}, {}, 5, advice).results.set_index(
        ["scheduler", "window"]
    )
    every, _, windows = jobs_and_windows(row, jobs)
    wait = simulate(Run(every, 32, get("lcfs"), get("lcfs"))).start - every.submit
    inside = (every.submit >= windows[0].begin) & (every.submit < windows[-1].end)
    assert found.loc[("lcfs", WHOLE), "late"] == (wait[inside] > 3600).sum() > 0
    assert set(shown_in(CONTEST)) <= set(found.columns)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("saf", lambda jobs, users: simulate(Run(jobs, 32, get("saf"), get("saf")))),
        (
            "saf_2d",
            lambda jobs, users: simulate(Run(jobs, 32, get("saf"), get("saf"), threshold=GUARD)),
        ),
        ("spf_age", lambda jobs, users: simulate(Run(jobs, 32, get("spt_age"), get("spt_age")))),
        ("easy_sjbf_age", lambda jobs, users: simulate(Run(jobs, 32, get("fcfs"), get("spt_age")))),
        ("easy_sjbf", lambda jobs, users: simulate(Run(jobs, 32, get("fcfs"), get("spf")))),
        ("easy_pp", lambda jobs, users: simulate_predicted(jobs, users, 32)),
        (
            "conservative",
            lambda jobs, users: simulate(Run(jobs, 32, get("fcfs"), reservations="every")),
        ),
    ],
)
def test_schedulers_give_the_schedules_of_their_names(row, jobs, name, expected):
    every, users, _ = jobs_and_windows(row, jobs)
    order = policies_of([name], LEARNED, None).get(name)
    found = runner(row, SCHEDULERS[name], order)(every, users)
    assert found.start.tolist() == expected(every, users).start.tolist()


def test_functions_run_with_the_registered_schedulers(row, jobs, tmp_path):
    """A score as EASY with the same expression, decisions as they are; users are known."""
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "def area(waiting):\n"
        "    return waiting.estimate * waiting.procs\n"
        "def strict(waiting, machine):\n"
        "    assert (waiting.user >= 0).all()\n"
        "    fits = np.cumsum(waiting.procs) <= machine.free\n"
        "    return waiting.number[: np.argmin(np.append(fits, False))]\n"
    )
    place = f"{tmp_path}/mine.py:area"
    few = replace(row, schedulers=("fcfs", "saf", place))
    results, facts, _ = contest(few, jobs, {"own": f"{tmp_path}/mine.py:strict"})
    assert facts.loc[0, ["absent", "youth"]].tolist() == ["", ""]
    table = results.set_index(["scheduler", "window"])[list(shown_in(CONTEST))]
    pd.testing.assert_frame_equal(table.loc[place], table.loc["saf"])
    assert table.loc[("own", 1), "wait"] > table.loc[("fcfs", 1), "wait"]
    every, _, windows = jobs_and_windows(row, jobs)
    wait = simulate(Run(every, 32, get("fcfs"))).start - every.submit
    inside = (every.submit >= windows[0].begin) & (every.submit < windows[0].end)
    assert table.loc[("own", 1), "wait"] == pytest.approx(wait[inside].mean())


@pytest.mark.slow
def test_schedulers_that_slurm_cannot_run_are_absent_with_a_reason(row, jobs):
    cell = dialect_of("slurm+bf_interval=300")
    own = {"young": "-s", "moves": "r - w"}
    results, facts, _ = compare_schedulers(row, jobs, LEARNED, own, 5, ADVICE, dialect=cell)
    moving = {"wfp3", "unicef", "lexp", "sexp"}
    alone = {"easy_sjbf", "easy_sjbf_age", "easy_pp", "conservative", "orig_bf", "plan_rs"}
    guarded = {name for name, one in SCHEDULERS.items() if one.threshold is not None}
    assert set(results["scheduler"]) == {*ALL, "young"} - moving - alone - guarded
    said = facts.loc[0, "absent"]
    for words in (
        "WFP3: dialect slurm+bf_interval=300 has static orders, 'wfp3' moves while jobs",
        "EASY-SJBF: dialect slurm+bf_interval=300 backfills in the order of the queue, 'spt' is",
        "SAF, 2 d: dialect slurm+bf_interval=300 has no starvation threshold",
        "EASY++: has a simulator of its own, without dialects",
        "Plan-RS: has a simulator of its own, without dialects",
        "Conservative: dialect slurm+bf_interval=300 reserves for every job under EASY already",
        "moves: dialect slurm+bf_interval=300 has static orders",
    ):
        assert words in said
    every, users, windows = jobs_and_windows(row, jobs)
    run = Run(every, 32, get("spf"), dialect=cell, reservations="every")
    found = compute_metrics(every, users, simulate(run), 32, windows[0].begin, windows[0].end, 10.0)
    rows = results.set_index(["scheduler", "window"])
    assert rows.loc[("spf", 1), "wait"] == found["wait"]
    usual = contest(row, jobs).results.set_index(["scheduler", "window"])
    assert rows.loc[("spf", 1), "wait"] != usual.loc[("spf", 1), "wait"]


@pytest.mark.slow
def test_a_textbook_dialect_keeps_other_orders_of_backfilling(row, jobs):
    def run(cell):
        return compare_schedulers(row, jobs, LEARNED, {}, 5, ADVICE, dialect=dialect_of(cell))

    results, facts, _ = run("lifo")
    assert {"easy_sjbf", "w_train", "conservative", "wfp3"} < set(results["scheduler"])
    assert "EASY++: has a simulator of its own" in facts.loc[0, "absent"]
    facts = run("ocs").facts
    assert "Conservative: dialect ocs knows no reservations of every job" in facts.loc[0, "absent"]


def test_offered_load_is_the_demand_of_counted_jobs():
    """From 100 s to 200 s on four processors: who comes at 99 or at 200 is not counted."""
    jobs = Jobs(range(5), [0, 99, 100, 199, 200], [9, 50, 20, 40, 70], [100] * 5, [4, 4, 2, 3, 4])
    windows = [Window(1, 100, 150), Window(2, 150, 200)]
    assert offered_load(jobs, windows, 4) == (20 * 2 + 40 * 3) / 400


def hourly(runtime):
    """Twelve days of one job an hour on one processor."""
    submit = np.arange(12 * 24) * 3600
    frame = pd.DataFrame({"number": range(len(submit)), "submit": submit, "runtime": runtime})
    return frame.assign(estimate=runtime, procs=1, user=1)


def row_of(processors):
    return ContestSettings("toy", "toy", processors, 3, ("fcfs", "spf"), 10.0)


@pytest.mark.parametrize(("processors", "overload"), [(1, True), (2, False)])
def test_overloaded_log_is_marked_overload(processors, overload):
    """Of jobs of two hours; one processor is never idle."""
    row, frame = row_of(processors), hourly(7200)
    results, facts, _ = compare_schedulers(row, frame, {}, {}, 3, ADVICE)
    assert facts.loc[0, "overload"] == overload
    windows = jobs_and_windows(row, frame)[2]
    if overload:
        ends = windows[0].begin, windows[-1].end
        backlogs = [(7200 * np.ceil(at / 3600) - at) / DAY for at in ends]
        found = facts.loc[0, ["backlog_before", "backlog_after"]].tolist()
        assert found == pytest.approx(backlogs)
    inside = results[(results["window"] != WHOLE) & (results["scheduler"] == "fcfs")]
    assert inside["jobs"].tolist() == [72] * len(windows)


def test_a_job_submitted_when_a_window_begins_is_in_it():
    row, frame = row_of(4), hourly(60)
    second = jobs_and_windows(row, frame)[2][1]
    place = int(np.searchsorted(frame["submit"], second.begin))
    frame.loc[place, "submit"] = second.begin  # it was a little later
    frame.loc[place - 1, "submit"] = second.begin - 1
    results = compare_schedulers(row, frame, {}, {}, 3, ADVICE).results
    counted = results[(results["scheduler"] == "fcfs")].set_index("window")["jobs"]
    assert counted[second.number] == (frame["submit"].between(second.begin, second.end - 1)).sum()
    assert counted[second.number] == 72


@pytest.mark.parametrize(("growth", "overload"), [(0.021, True), (0.019, False)])
def test_a_backlog_is_measured_by_the_length_of_the_windows(growth, overload):
    """Of jobs that take a little longer than an hour; the limit is a fiftieth."""
    frame = hourly(round(3600 * (1 + growth)))
    facts = compare_schedulers(row_of(1), frame, {}, {}, 3, ADVICE).facts
    assert facts.loc[0, "overload"] == overload


def test_requests_are_read_where_a_log_has_them(row):
    columns = columns_of(row, {}, ["number", "request.qos", "request.color"])
    assert columns[-2:] == ["user", "request.qos"]


def test_schedulers_run_in_a_sites_slurm_without_jobs_that_never_start(row, jobs, caplog):
    partition = Partition("main", tuple(range(32)), max_time=7 * 3600, default=True)
    machine = replace(Machine.of_processors(32), partitions=(partition,))
    site = Site(machine, Priorities(fairshare=1000))
    small = replace(row, schedulers=("fcfs", "spf", "conservative", "spf_2d"))
    arguments = (small, jobs, {}, {"mine": "r - w"}, 5, ADVICE)
    found = compare_schedulers(*arguments, dialect=Dialect("small", site=SiteSlurm(site)))
    assert set(found.results["scheduler"]) == {"fcfs", "spf", "mine"}
    assert found.facts["jobs"].iloc[0] == (jobs["estimate"] <= 7 * 3600).sum() < len(jobs)
    assert "never start and are left out" in caplog.text
    absent = found.facts["absent"].iloc[0]
    assert "reserves for every job under EASY already" in absent
    assert "threshold is 172800, leave it out" in absent


def test_a_sheets_cell_is_refused_by_its_column():
    check_cell("artefact+window=16")
    with pytest.raises(ConfigError, match="column 'dialect': unknown dialect 'artefct'; did you"):
        check_cell("artefct")
