"""Mixed policies: weights and scales, the grid, scales of a log, the search."""

from __future__ import annotations

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.learning.weights.mixed import evaluate, grid, maxima_of, scales_of
from schedlab.policies import get
from schedlab.policies.mixed import FEATURES, mixed_policy, still
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate
from schedlab.studies.legrand2018.search import xnes

OCS, LIFO = DIALECTS["ocs"], DIALECTS["lifo"]
SCALES = np.array([4.0, 900.0, 3000.0, 250.0, 5.0, 7000.0])


def piece(count: int = 200, seed: int = 1) -> Jobs:
    """A loaded piece on 16 processors."""
    rng = np.random.default_rng(seed)
    runtime = rng.integers(1, 900, count)
    submit = np.sort(rng.integers(0, 200 * count, count))
    return Jobs(np.arange(count), submit, runtime, 2 * runtime, rng.integers(1, 13, count))


def test_scores_are_the_sum_of_scaled_features():
    """Expression, features at rest and the moving share give one float."""
    jobs = piece()
    row = [0.1, -0.2, 0.3, 0.05, -0.15, 0.2]
    policy = mixed_policy(row, SCALES)
    at_rest = still(jobs, SCALES)
    total = row[0] * at_rest[:, 0]
    for weight, column in zip([-0.2, 0.3, 0.05, 0.2], at_rest.T[1:], strict=True):
        total = total + weight * column
    assert (policy.program.scores(jobs.estimate, jobs.procs, jobs.submit) == total).all()
    moved = policy.pace * ((60.0 / jobs.estimate) / policy.pace_scale)
    scores = policy.program.scores(jobs.estimate, jobs.procs, jobs.submit, w=60.0)
    assert (scores == total + moved).all()


def test_orders_of_mixed_policies_are_recognised():
    """Only exp moves."""
    assert mixed_policy([0.5, 0, 0, 0, 0, 0.5]).order == "static"
    assert mixed_policy([0.5, 0, 0, 0, 0.5, 0]).order == "mixed"
    assert FEATURES[:3] == ("q", "p", "wait")


@pytest.mark.parametrize(
    ("weights", "scales", "message"),
    [
        ([1, 1, 0], None, "do not add up to 1"),
        ([0, 0, 0], None, "do not add up to 1"),
        ([1, 0], None, "shape"),
        ([0.5, np.nan, 0.5], None, "do not add up to 1"),
        ([1, 0, 0], [1, 0, 1], "must be positive"),
        ([1, 0, 0], [1, 1], "2 scales for 3 weights"),
    ],
)
def test_weights_and_scales_out_of_range_are_errors(weights, scales, message):
    with pytest.raises(ValueError, match=message):
        mixed_policy(weights, scales)


def test_time_dependent_mixed_policies_run_in_external_control():
    jobs, policy = piece(), mixed_policy([0.1, 0.1, -0.1, 0.1, -0.5, 0.1], SCALES)
    session = QueueSession(16, policy, get("spf"), LIFO, threshold=9000)
    for place in range(len(jobs)):
        session.advance(max(int(jobs.submit[place]) - 1, session.now))
        session.submit_jobs(jobs.take(slice(place, place + 1)))
    session.advance()
    whole = simulate(Run(jobs, 16, policy, get("spf"), LIFO, threshold=9000))
    assert session.schedule().start.tolist() == whole.start.tolist()


@pytest.mark.parametrize(("points", "vectors"), [(100, 9800), (40, 1520), (5, 18), (3, 6)])
def test_the_grid_covers_both_diamonds(points, vectors):
    """Absolute weights add up to 1; an even number of points leaves 0 out."""
    rows = grid(points)
    assert rows.shape == (vectors, 3)
    assert np.abs(rows).sum(axis=1) == pytest.approx(1)
    assert len(np.unique(rows, axis=0)) == vectors
    if points % 2 == 0:
        assert (rows[: vectors // 2, 0] < 0).all()
        assert (rows[vectors // 2 :, 0] > 0).all()


def test_scales_are_deviations_over_all_weeks():
    """Waiting times are those of FCFS, a feature that never differs has the scale 1."""
    weeks = [piece(seed=1), piece(seed=2)]
    scales = scales_of(weeks, 16)
    area = np.concatenate([week.procs * week.estimate for week in weeks])
    wait = np.concatenate(
        [
            simulate(Run(week, 16, get("fcfs"), get("spf"), OCS)).start - week.submit
            for week in weeks
        ]
    )
    assert scales[FEATURES.index("area")] == pytest.approx(area.std())
    assert scales[FEATURES.index("wait")] == pytest.approx(wait.std())
    assert (scales_of([Jobs([1, 2], [0, 0], [5, 5], [5, 5], [1, 1])], 4) == 1).all()


def test_maxima_are_over_all_weeks_and_the_waits_is_a_week():
    weeks = [piece(seed=1), piece(seed=2)]
    largest = dict(zip(FEATURES, maxima_of(weeks, 16), strict=True))
    for name, column in (("q", "procs"), ("p", "estimate")):
        assert largest[name] == max(getattr(week, column).max() for week in weeks)
    assert largest["wait"] == 604_800
    assert largest["area"] == max((week.procs * week.estimate).max() for week in weeks)


@pytest.mark.parametrize("features", [3, 6])
def test_search_returns_a_vector_that_it_evaluated(features):
    """The best vector is normalised, its value is the kernel's, whole generations are spent."""
    jobs = piece()
    found = xnes(jobs, 16, features, SCALES, None, 105, 1.0, 10, 0.5, ("test", features))
    assert found.evaluations == 100
    assert np.abs(found.weights).sum() == pytest.approx(1)
    again = evaluate(jobs, 16, [found.weights], SCALES[:features], None).mean[0]
    assert again == found.value
    fcfs = evaluate(jobs, 16, np.eye(features)[[2]], SCALES[:features], None).mean[0]
    assert found.value <= fcfs


def test_search_depends_only_on_its_key():
    jobs = piece()
    runs = [
        xnes(jobs, 16, 6, SCALES, None, 60, 1.0, 20, 0.5, key)
        for key in (("a", 1), ("a", 1), ("a", 2))
    ]
    assert (runs[0].weights == runs[1].weights).all()
    assert not (runs[0].weights == runs[2].weights).all()


def test_errors_name_the_fault():
    jobs = piece()
    with pytest.raises(ValueError, match="5 evaluations in generations of 10"):
        xnes(jobs, 16, 3, SCALES, None, 5, 1.0, 10, 0.5, ("test",))
    with pytest.raises(ValueError, match="grid of 2 points"):
        grid(2)
    with pytest.raises(ValueError, match="without jobs"):
        evaluate(jobs.take(slice(0, 0)), 16, [[1, 0, 0]], SCALES[:3], None)
    with pytest.raises(ValueError, match="job 7 has an estimate of 0 s"):
        evaluate(Jobs([7], [0], [0], [0], [1]), 16, [[1, 0, 0]], SCALES[:3], None)
    with pytest.raises(ValueError, match="threshold is -1 s"):
        evaluate(jobs, 16, [[1, 0, 0]], SCALES[:3], -1)
    with pytest.raises(ValueError, match="dialect artefact has no starvation threshold"):
        Run(jobs, 16, get("fcfs"), None, DIALECTS["artefact"], threshold=3)
    with pytest.raises(ValueError, match="dialect artefact can be simulated, but not stepped"):
        QueueSession(16, get("fcfs"), dialect=DIALECTS["artefact"])
