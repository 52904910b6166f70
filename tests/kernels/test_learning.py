"""The kernel of Algorithm 1 compared with its twin, event by event."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.streams import generator
from schedlab.kernels.waits.learning import play
from schedlab.waits.backtest_learning import events
from twins.asa import AsaTwin

ALTERNATIVES = [10, 20, 50, 100, 400]


def play_both(policy, repetitions, rate, power, submit, waits, uniform, cut=None):
    """What the kernel and the twin estimate and know in the end; in two parts at event `cut`."""
    m, n = len(ALTERNATIVES), len(submit)
    told, jobs = events(np.array(submit), np.array(waits))
    draws, redraws = int(policy != "greedy"), repetitions if policy == "tuned" else 0
    chance, loss, last, rounds = np.full(m, 1 / m), np.zeros(m), np.zeros(m), 1
    chosen, used = np.empty(n, dtype=np.int32), 0
    for part in (slice(0, cut), slice(cut, None)) if cut else (slice(None),):
        rounds = play(
            chance, loss, last, rounds, np.array(ALTERNATIVES, float), rate, power, draws, redraws,
            told[part], jobs[part], np.array(waits, float), np.array(uniform[used:]), chosen,
        )  # fmt: skip
        used += int((draws * (told[part] == 0) + redraws * (told[part] == 1)).sum())
    twin = AsaTwin(ALTERNATIVES, policy, repetitions, rate, power, uniform)
    expected = [0] * n
    for is_told, job in zip(told, jobs, strict=True):
        if is_told:
            twin.observe(expected[job], waits[job])
        else:
            expected[job] = twin.estimate()
    np.testing.assert_allclose(chance, twin.p, rtol=1e-9)
    assert (loss.tolist(), last.tolist(), rounds) == (twin.loss, twin.last, twin.t)
    assert chosen.tolist() == expected


@given(
    st.sampled_from(["default", "tuned", "greedy"]),
    st.integers(1, 8),
    st.sampled_from([(1.0, 0.5), (1.0, 0.0), (0.3, 2.0)]),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 500)), min_size=1, max_size=30),
    st.integers(0, 10**6),
)
def test_the_kernel_estimates_and_learns_as_its_twin(policy, repetitions, rates, cases, seed):
    submit = np.cumsum([gap for gap, _ in cases]).tolist()
    waits = [wait for _, wait in cases]
    uniform = generator("tests", "learning", seed).random(len(cases) * (repetitions + 1)).tolist()
    play_both(policy, repetitions, *rates, submit, waits, uniform)


@pytest.mark.parametrize("cut", [1, 7, 19])
def test_learner_resumes_from_its_state(cut):
    stream = generator("tests", "learning", "cut")
    waits = stream.integers(0, 500, 10).tolist()
    play_both("tuned", 5, 1.0, 0.5, list(range(0, 300, 30)), waits, stream.random(60).tolist(), cut)
