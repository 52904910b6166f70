"""Trials of changed settings, the search, and the advice, on a small site."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.comparison.comparing import FEWEST_WINDOWS
from schedlab.core.windows import WHOLE, Window
from schedlab.queue.site_dialect import SiteSlurm
from schedlab.studies.site.advice import advise, facts_of_advice, group_table, toggle_table
from schedlab.studies.site.changes import NODES, POINTS, SCHEDULERS, WEIGHTS, Change, Limit
from schedlab.studies.site.search import change_of, dimensions_of, search
from schedlab.studies.site.trials import (
    TODAY,
    Trials,
    course_of,
    extremes,
    ratios_on,
    schedule_of,
    try_changes,
    windows_for,
)
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.log import load_log
from schedlab.workbench.site_results import RULES, simulate_site

CONF = """\
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityMaxAge=1-0
SchedulerParameters=bf_interval=600
NodeName=n[1-4] CPUs=1
PartitionName=work Nodes=n[1-4] DefaultTime=60 MaxTime=600
"""
HOUR, DAY = 3600, 86_400
LARGE = Change(WEIGHTS, "large first", ("PriorityWeightJobSize=9000",))
FAST = Change(SCHEDULERS, "bf_interval=30", ("bf_interval=30",))
SHORT = Change(POINTS, "short first", policy="spf")
CLOSED = Change(NODES, "no large job", ("NodeName=n1 State=DRAIN",))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Twenty days: each begins with a large and a long job, and then has short ones."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "slurm.conf").write_text(CONF)
    rows = []
    for day in range(20):
        begin = DAY * day
        rows += [(begin, 9 * HOUR, 3), (begin + 1, 8 * HOUR, 4), (begin + 2, 7 * HOUR, 2)]
        rows += [(begin + 600 * (k + 1), 300 + 60 * k, 1 + k % 2) for k in range(12)]
    frame = pd.DataFrame(rows, columns=["submit", "runtime", "procs"])
    frame = frame.assign(estimate=frame["runtime"], number=range(1, len(frame) + 1), user="u")
    frame["partition"], frame["wait"] = "work", -1
    frame.to_parquet(folder / "log.parquet")

    def read(texts):
        return read_site(folder / "slurm.conf", changed=texts)

    log, slurm = load_log(folder / "log.parquet", RULES, 4, None, True), SiteSlurm(read([]))
    schedule = schedule_of(simulate_site(log, slurm))
    return course_of(log, slurm, read, schedule).latest(10**6, 7)


@pytest.fixture(scope="module")
def trials(course):
    return try_changes(course, [LARGE, FAST, SHORT, CLOSED])


def test_windows_are_days_if_there_are_few_weeks(course):
    assert len(course.windows) == 14
    assert [len(part) for part in (course.training, course.held_out)] == [7, 7]
    assert windows_for(np.array([0, 100 * 7 * DAY]), 7)[0].end == 25 * 7 * DAY + 7 * DAY


def test_course_ends_before_a_second(course):
    early = course.before(course.training[-1].end)
    assert early.windows == course.training
    assert early.log.jobs.submit.max() < course.training[-1].end
    assert len(early.names) == len(early.log) < len(course.log)


def test_latest_jobs_have_windows_of_their_own(course, monkeypatch):
    monkeypatch.setattr("schedlab.studies.site.trials.SHORTEST", 0)
    late = course.latest(150, 7)
    assert len(late.log) == len(late.names) == 150
    assert late.windows[0].begin > late.log.jobs.submit[0]


@pytest.mark.parametrize(("most", "jobs"), [(1, 18 * 15), (299, 299)])
def test_latest_jobs_are_of_eighteen_days_at_least(course, most, jobs):
    late = course.latest(most, 7)
    assert jobs - 15 <= len(late.log) <= jobs
    assert min(len(late.training), len(late.held_out)) >= FEWEST_WINDOWS


def test_trials_have_rows_of_every_window(course, trials):
    rows = trials.results[trials.results["scheduler"] == FAST.label]
    assert list(rows["window"]) == [WHOLE, *(window.number for window in course.windows)]
    assert trials.results["scheduler"].iloc[0] == TODAY


def test_change_under_which_jobs_never_start_is_refused(trials):
    assert trials.refused.to_numpy().tolist() == [[CLOSED.label, 20]]
    assert CLOSED.label not in set(trials.results["scheduler"])


def test_known_starts_are_those_of_the_whole_log_alone(course):
    assert course.starts(None) is course.today
    simulated = replace(course, today=None).starts(None)
    assert (simulated == course.today).all()
    assert course.latest(299, 7).today is None
    without = course.log.take(np.arange(len(course.log)) > 0)
    schedule = pd.DataFrame({"number": without.jobs.number, "start": course.today[1:]})
    schedule = pd.concat([schedule, course.names[1:].reset_index(drop=True)], axis=1)
    fewer = course_of(course.log, course.slurm, course.read, schedule)
    assert (fewer.today, len(fewer.log), len(fewer.names)) == (None, 299, 299)


def test_threads_change_nothing(course, trials):
    again = try_changes(course, [LARGE, FAST], threads=2)
    known = trials.results[trials.results["scheduler"].isin([TODAY, LARGE.label, FAST.label])]
    pd.testing.assert_frame_equal(again.results, known.reset_index(drop=True))


def test_known_starts_of_today_are_not_simulated(course, trials):
    alone = try_changes(course, [FAST], today=course.starts(None))
    groups = trials.groups[trials.groups["scheduler"] == FAST.label].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone.groups, groups)
    assert set(alone.results["scheduler"]) == {FAST.label}


def test_default_limit_is_that_of_jobs_without_their_own(course):
    names = course.names.assign(partition=["work"] * len(course.names))
    hour = replace(
        course,
        names=names,
        log=replace(course.log, jobs=replace(course.log.jobs, estimate=np.full(300, 3600))),
    )
    change = Change(WEIGHTS, "x", limit=Limit("work", 3600, 600))
    limits = hour._limits(change)
    assert limits.min() == 600
    # no job is ended by the shorter limit
    assert (limits >= np.minimum(hour.log.jobs.runtime, 3600)).all()


def test_extremes_name_who_gains_and_loses(trials):
    ends = extremes(trials.groups)
    assert ends.loc[TODAY].tolist() == ["", ""]
    assert ends.loc[LARGE.label, "loses"].startswith("processors 1:")


def test_log_without_a_window_has_no_results(course):
    short = replace(course, windows=[])
    trials = try_changes(short, [FAST])
    assert trials.results.empty
    assert advise(trials, [FAST], 0, 3.0).verdict == "undecided"
    table = toggle_table(trials, [FAST])
    assert table["change"].tolist() == [FAST.label]
    assert table["wait"].isna().all()
    facts = facts_of_advice(advise(trials, [FAST], 0, 3.0), trials, [FAST], {"longest_wait": 3.0})
    assert facts["held_out"] == 0


def test_table_of_changes(trials):
    table = toggle_table(trials, [LARGE, FAST, SHORT, CLOSED]).set_index("change")
    assert list(table["group"]) == [WEIGHTS, SCHEDULERS, POINTS, NODES]
    assert table.loc[CLOSED.label, "wait verdict"] == "20 jobs never start"
    ratio = table.loc[SHORT.label, ["wait low", "wait", "wait high"]]
    assert ratio.is_monotonic_increasing
    means = trials.results[trials.results["window"] != WHOLE].groupby("scheduler")["wait"].mean()
    assert table.loc[SHORT.label, "wait"] == pytest.approx(means[SHORT.label] / means[TODAY])


def results_of(ratios, windows=14, longest=1.0, later=None):
    """Return trials in which changes have ratios to today in each window, later ones others."""
    rng, rows = np.random.default_rng(1), []
    base = rng.uniform(50, 150, windows + 1)
    for label, ratio in {TODAY: 1.0, **ratios}.items():
        for window in range(windows + 1):
            is_late = window > windows // 2
            times = (later or {}).get(label, ratio) if is_late else ratio
            wait = base[window] * times * rng.uniform(0.99, 1.01)
            most = 10 * DAY * (longest if label != TODAY else 1)
            rows.append(("site", label, window, wait, wait, most))
    columns = ["experiment", "scheduler", "window", "wait", "bsld", "max_wait"]
    groups = pd.DataFrame(
        [
            (label, "qos", name, 20, 100.0, 100.0 * ratio * factor)
            for label, ratio in ratios.items()
            for name, factor in (("high", 0.5), ("low", 3.0))
        ],
        columns=["scheduler", "kind", "group", "jobs", "today", "wait"],
    )
    refused = pd.DataFrame(columns=["scheduler", "jobs"])
    return Trials(pd.DataFrame(rows, columns=columns), groups, refused)


A, B, PAID = (Change(WEIGHTS, "a", ("PriorityWeightAge=1",)), Change(SCHEDULERS, "b", ("x=1",)),
              Change(NODES, "paid", ("y=1",)))  # fmt: skip


@pytest.mark.parametrize(
    ("given", "verdict", "order"),
    [
        ({"ratios": {"a": 0.5, "b": 0.8, "paid": 0.1}}, "change", ("a", "b")),
        ({"ratios": {"a": 1.2, "b": 1.1, "paid": 0.1}}, "nothing", ()),
        ({"ratios": {"a": 0.5, "b": 1.2}, "later": {"a": 1.3}}, "unheld", ("a",)),
        ({"ratios": {"a": 0.5, "b": 0.8}, "windows": 8}, "undecided", ("a", "b")),
        ({"ratios": {"a": 0.5, "b": 0.8}, "longest": 4.0}, "nothing", ()),
    ],
)
def test_advice(given, verdict, order):
    trials = results_of(**given)
    split = given.get("windows", 14) // 2
    advice = advise(trials, [A, B, PAID], split, 3.0)
    assert (advice.verdict, advice.order) == (verdict, order)


@pytest.mark.parametrize(
    ("ratios", "verdict"), [((0.9, 1.1), "change"), ((1.0, 1.1), "unheld"), ((0.9, 5.0), "unheld")]
)
def test_advice_survives_the_whole_log(ratios, verdict):
    advice = advise(results_of({"a": 0.5}), [A], 7, 3.0).on_whole_log(ratios)
    assert (advice.verdict, advice.whole) == (verdict, ratios)


def test_ratios_on_a_whole_log_are_those_of_its_windows(course, trials, monkeypatch):
    whole = trials.results[trials.results["window"] == WHOLE].set_index("scheduler")[
        ["wait", "bsld"]
    ]
    assert ratios_on(course, SHORT, 9.0) == pytest.approx(whole.loc[SHORT.label] / whole.loc[TODAY])
    assert ratios_on(course, CLOSED, 9.0) == (np.inf, np.inf)
    # waits of a day are allowed, unless that is taken away
    monkeypatch.setattr("schedlab.learning.weights.guarded.SHORT", 0)
    assert ratios_on(course, SHORT, 0.0) == (np.inf, np.inf)


def test_facts_of_advice_say_who_loses_and_how_sure_it_is():
    trials = results_of({"a": 0.5, "b": 0.8, "paid": 0.1})
    facts = facts_of_advice(advise(trials, [A, B, PAID], 7, 3.0), trials, [A, B, PAID],
                            {"longest_wait": 3.0})  # fmt: skip
    assert (facts["tried"], facts["not_free"]) == (2, 1)
    assert (facts["training"], facts["held_out"]) == (7, 7)
    ratio, low, high = facts["change"]["ratios"]["wait"]
    assert low <= ratio <= high < 1
    assert facts["second"] == "b"
    assert facts["versus"][2] < 1
    assert facts["change"]["losers"] == ["QOS low: 0.0 to 0.0 h"]
    assert facts["change"]["winners"] == ["QOS high: 0.0 to 0.0 h"]


def test_groups_that_lose_come_first():
    trials = results_of({"a": 0.5})
    assert list(group_table(trials, "a")["group"]) == ["low", "high"]


@pytest.fixture
def large_first(course):
    """The course with settings of today that let short jobs wait."""
    today = ("PriorityWeightJobSize=9000",)
    slurm = SiteSlurm(course.read(today))
    return replace(course, slurm=slurm, read=lambda texts: course.read([*today, *texts]))


def test_search_beats_today_in_training_windows(large_first):
    course = large_first
    found = search(course, 16, 3.0)
    assert found.evaluations == 16
    assert found.value < 1
    # what helps little is left as it is
    assert len(found.change.texts) <= 2
    early = course.before(course.training[-1].end)
    rows = try_changes(early, [found.change]).results
    whole = rows[rows["window"] == WHOLE].set_index("scheduler")
    whole = whole[["wait", "bsld"]]
    ratios = whole.loc[found.change.label] / whole.loc[TODAY]
    assert np.sqrt(ratios["wait"] * ratios["bsld"]) == pytest.approx(found.value)


def test_search_is_the_same_again_and_on_threads(course):
    assert search(course, 8, 3.0) == search(course, 8, 3.0, threads=2)


def test_settings_at_their_values_of_today_are_no_change(course):
    dimensions = dimensions_of(course.slurm.site)
    keys = {each.key: each.today for each in dimensions}
    assert keys["PriorityWeightAge"] == 1000
    assert keys["bf_window"] == 1440
    changed = change_of(dimensions, np.zeros(len(dimensions)))
    # weights that are off begin small
    assert set(changed.texts) == {
        f"PriorityWeight{name}=100" for name in ("Fairshare", "JobSize", "Partition", "QOS")
    }
    assert changed.label == "Fairshare=100, JobSize=100, Partition=100 and 1 more (search)"
    three = change_of([each for each in dimensions if each.key not in ("PriorityWeightQOS",)],
                      np.zeros(len(dimensions) - 1))  # fmt: skip
    assert three.label == "Fairshare=100, JobSize=100 and Partition=100 (search)"
    alone = change_of([each for each in dimensions if each.key == "bf_window"], np.array([20.0]))
    assert (alone.label, alone.texts) == ("bf_window=43200 (search)", ("bf_window=43200",))


def test_no_search_without_training_windows(course):
    assert search(replace(course, windows=[Window(1, 0, 1)]), 8, 3.0).change is None
