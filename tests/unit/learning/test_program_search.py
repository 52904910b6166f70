"""The search of programs: scores, determinism, resumption and errors."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import average_bounded_slowdown, compute_metrics
from schedlab.learning import program_search
from schedlab.learning.program_scores import REFUSED, ProgramScores, Score, cut_windows
from schedlab.learning.program_search import ProgramSearch, ProgramSettings, search_programs
from schedlab.policies import get
from schedlab.policies.grammar import canonical, size_of, type_of
from schedlab.queue.simulation import Run, simulate

SETTINGS = ProgramSettings(size=9, population=12, generations=4, tune_every=2, tuning=16)
KEY = ["test", 1]


def jobs_of(count=900, seed=1, load=40):
    stream = np.random.default_rng(seed)
    runtime = stream.integers(10, 4000, count)
    return Jobs(
        np.arange(count),
        np.sort(stream.integers(0, count * load * 10, count)),
        runtime,
        runtime + stream.integers(1, 2000, count),
        stream.integers(1, 9, count),
    )


def windows_of(**changes):
    settings = {"size": 150, "warm_up": 30, "part": (0.0, 1.0), "least": 1.0, "most": 2} | changes
    return [
        window
        for log, seed in (("one", 1), ("two", 2))
        for window in cut_windows(log, jobs_of(seed=seed), 10, **settings)
    ]


@pytest.fixture(scope="module")
def scorer():
    return ProgramScores(windows_of(), 3.0)


@pytest.fixture(scope="module")
def found(scorer, tmp_path_factory):
    return search_programs(scorer, SETTINGS, KEY, tmp_path_factory.mktemp("search") / "state")


def test_windows_are_adjacent_pieces_with_warm_up_before_them():
    jobs = jobs_of()
    windows = cut_windows("one", jobs, 10, 150, 30, (0.5, 1.0), 1.0)
    assert [window.place for window in windows] == [0, 1]
    numbers = [window.jobs.number.tolist() for window in windows]
    assert numbers == [list(range(450, 630)), list(range(600, 780))]
    # submit times count from the first job of the log
    assert windows[0].jobs.submit[0] == jobs.submit[450]


def test_windows_without_waits_are_left_out():
    slowdowns = [window.measure(get("fcfs"))[0] for window in windows_of(most=None)]
    least = float(np.median(slowdowns))
    busy = [window.measure(get("fcfs"))[0] for window in windows_of(most=None, least=least)]
    assert busy == [slowdown for slowdown in slowdowns if slowdown >= least]
    assert windows_of(least=1e9) == []


def test_metrics_are_those_of_simulate(scorer):
    for expression in ("r * n", "sqrt(r) * n - w", "f1"):
        policy = get(expression)
        for window, measured in zip(scorer.windows, scorer.measure(policy), strict=True):
            jobs, skip = window.jobs, window.warm_up
            schedule = simulate(Run(jobs, 10, policy, policy))
            assert measured[0] == average_bounded_slowdown(jobs, schedule, skip=skip)
            late = jobs.take(slice(skip, None))
            part = Schedule(schedule.start[skip:], schedule.end[skip:])
            begin, end = int(late.submit[0]), int(late.submit[-1]) + 1
            metrics = compute_metrics(late, np.full(len(late), -1), part, 10, begin, end)
            assert measured.tolist() == [metrics[name] for name in ("bsld", "response", "max_wait")]


def test_score_is_the_mean_over_logs_of_log_ratios_to_easy(scorer):
    assert scorer.score("s") == Score(0.0, 0.0)
    easy, saf = scorer.measure(get("fcfs")), scorer.measure(get("saf"))
    ratios = np.log(saf[:, :2] / easy[:, :2]).mean(axis=1)
    expected = np.mean([ratios[:2].mean(), ratios[2:].mean()])
    assert scorer.score("r * n").value == pytest.approx(expected, rel=1e-12)
    assert expected < 0


def test_logs_count_equally_whatever_their_windows():
    windows = windows_of()
    one = ProgramScores(windows[:1] + windows[2:], 3.0)
    assert one.share.tolist() == [0.5, 0.25, 0.25]


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_excess_is_that_of_the_longest_wait_over_its_bound(scorer, factor):
    measured = scorer.easy.copy()
    bound = np.maximum(3.0 * measured[:2, 2].max(), 86_400)
    measured[1, 2] = bound * factor
    excess = scorer.score_of(measured).excess
    assert excess == pytest.approx(max(np.log(factor), 0.0), abs=1e-9)


def test_expressions_without_an_order_or_by_youth_are_refused(scorer):
    assert scorer.score("exp(exp(r))") == REFUSED
    assert scorer.score("-s") == REFUSED
    assert scorer.score("r - w * 0.1") != REFUSED
    young = ProgramScores(scorer.windows, 3.0, youth=True)
    assert young.score("-s") != REFUSED


@pytest.mark.parametrize(
    ("one", "other", "is_equal"),
    [
        ("r * n", "sqrt(n * r)", True),
        ("r * n", "r * n + 1e-9", True),
        ("r * n", "r + n", False),
        ("s", "-w", False),  # equal orders, but one is computed at each event
        ("r", "min(r, 1000)", False),
    ],
)
def test_behavior_tells_orders_apart(scorer, one, other, is_equal):
    assert (scorer.behavior(one) == scorer.behavior(other)) == is_equal
    assert scorer.behavior("exp(exp(r))") == ""


def test_equal_behaviors_are_simulated_once(scorer):
    search = ProgramSearch(scorer, SETTINGS, KEY)
    area = ("mul", ("r",), ("n",))
    scores = search.evaluate([area, ("sqrt", area), area, ("exp", ("exp", ("r",)))])
    assert search.evaluations == len(scorer.windows)
    assert scores[0] == scores[1] == scores[2]
    assert scores[3] == REFUSED
    search.evaluate([area])
    assert search.evaluations == len(scorer.windows)


def test_front_has_the_smallest_of_equals_and_no_worse_larger_one(scorer):
    search = ProgramSearch(scorer, SETTINGS, KEY)
    r, n = ("r",), ("n",)
    area, root = ("mul", r, n), ("sqrt", r)
    search._offer(area, Score(-0.2, 0.0))
    search._offer(root, Score(-0.1, 0.0))
    assert search.front == {3: (area, -0.2), 2: (root, -0.1)}
    search._offer(("add", area, r), Score(-0.2, 0.0))  # larger, as good
    search._offer(r, Score(-0.3, 0.1))  # a job waits too long
    assert set(search.front) == {2, 3}
    search._offer(n, Score(-0.2, 0.0))
    assert search.front == {1: (n, -0.2)}


def test_children_are_typed_and_small(scorer):
    search = ProgramSearch(scorer, SETTINGS, KEY)
    search.begin()
    for number in (1, 2):
        search.breed(number)
        assert len(search.population) == SETTINGS.population
        for tree in search.population:
            assert size_of(tree) <= SETTINGS.size
            assert type_of(tree) is not None
            assert canonical(tree) == tree


def test_every_generation_has_a_stream_of_its_own(scorer):
    children = []
    for number in (1, 2, 1):
        search = ProgramSearch(scorer, SETTINGS, KEY)
        search.begin()
        search.breed(number)
        children.append(search.population)
    assert children[0] == children[2] != children[1]


def test_found_scores_are_exact_and_improve_with_size(scorer, found):
    assert len(found) >= 2
    for row in found.itertuples():
        assert scorer.score(row.expression) == Score(row.score, 0.0)
    assert found["size"].is_monotonic_increasing
    assert found["score"].is_monotonic_decreasing
    assert found["score"].iloc[-1] < -0.1


def test_tuning_helps_and_simulates_an_expression_once(scorer):
    search = ProgramSearch(scorer, replace(SETTINGS, tuning=32), KEY)
    tree = ("add", ("mul", ("constant", 2e4), ("n",)), ("r",))
    (before,) = search.evaluate([tree])
    search.front = {5: (tree, before.value)}
    search.tune()
    assert min(value for _, value in search.front.values()) < before.value
    evaluations = search.evaluations
    search.front = {5: (tree, before.value)}
    search.tune()
    assert search.evaluations == evaluations


@pytest.mark.slow
def test_result_depends_on_the_seed_but_not_on_processes(scorer, found, tmp_path):
    two = search_programs(scorer, SETTINGS, KEY, tmp_path / "two", threads=2)
    assert two.equals(found)
    other = search_programs(scorer, SETTINGS, ["test", 2], tmp_path / "other")
    assert not other.equals(found)


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 2, 3])
def test_an_interrupted_search_ends_as_an_uninterrupted_one(
    scorer, found, tmp_path, monkeypatch, after
):
    state = tmp_path / "state"
    write, writes = program_search.write_text, []

    def interrupted(text, path):
        write(text, path)
        writes.append(path)
        if len(writes) == after:
            raise KeyboardInterrupt

    monkeypatch.setattr(program_search, "write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        search_programs(scorer, SETTINGS, KEY, state)
    assert json.loads(state.read_text())["done"] == after
    resumed = search_programs(scorer, SETTINGS, KEY, state)
    assert resumed.equals(found)
    assert len(writes) == SETTINGS.generations


@pytest.mark.parametrize("content", ["", "{", "[]", '{"about": 1}'])
def test_a_damaged_or_other_state_is_not_used(scorer, tmp_path, content, caplog):
    state = tmp_path / "state"
    state.write_text(content)
    search = ProgramSearch(scorer, SETTINGS, KEY)
    search.resume(state)
    assert search.done == 0
    assert "cannot be resumed, the search starts again" in caplog.text


@pytest.mark.parametrize(
    "changes",
    [{"key": ["test", 2]}, {"settings": replace(SETTINGS, population=13)}, {"windows": 3}],
)
def test_state_of_another_search_is_not_used(scorer, tmp_path, changes):
    state, search = tmp_path / "state", ProgramSearch(scorer, SETTINGS, KEY)
    search.begin()
    search.done = 1
    state.write_text(json.dumps(search.state()))
    same = ProgramSearch(scorer, SETTINGS, KEY)
    same.resume(state)
    assert same.done == 1
    assert same.population == search.population
    other = ProgramSearch(
        ProgramScores(scorer.windows[: changes.get("windows")], 3.0),
        changes.get("settings", SETTINGS),
        changes.get("key", KEY),
    )
    other.resume(state)
    assert other.done == 0


@pytest.mark.parametrize(
    ("name", "value", "least"),
    [("size", 0, 1), ("population", 1, 2), ("generations", 0, 1), ("tune_every", 0, 1)],
)
def test_settings_out_of_range_are_errors(name, value, least):
    with pytest.raises(ValueError, match=f"{name} is {value}, must be at least {least}"):
        ProgramSettings(**asdict(SETTINGS) | {name: value})


def test_no_window_is_an_error():
    with pytest.raises(ValueError, match="no window to search on"):
        ProgramScores([], 3.0)


@pytest.mark.parametrize("changes", [{"size": 900}, {"size": 0}, {"warm_up": -1}])
def test_windows_too_large_for_a_log_are_an_error(changes):
    with pytest.raises(ValueError, match="one: 900 jobs in this part of the log, a window takes"):
        windows_of(**changes)


@pytest.mark.parametrize("part", [(0, 2), (0.5, 0.2), (-1, 1)])
def test_a_part_is_two_shares_of_a_log(part):
    with pytest.raises(ValueError, match=r"one: the part is .* must be two shares of the log"):
        cut_windows("one", jobs_of(), 10, 150, 30, part, 1.0)


def test_an_estimate_of_zero_is_an_error():
    jobs = jobs_of()
    estimate = jobs.estimate.copy()
    estimate[7] = 0
    with pytest.raises(ValueError, match="one: job 7 has an estimate of 0 s"):
        cut_windows("one", replace(jobs, estimate=estimate), 10, 150, 30, (0, 1), 1.0)
