"""The learner of a user's submission script, in memory and from a file."""

import subprocess
import sys

import numpy as np
import pytest

from schedlab.core.streams import generator
from schedlab.waits import learner as module
from schedlab.waits.algorithm import Learners
from schedlab.waits.learner import KEPT, Geometry, Learner
from schedlab.waits.settings import Settings
from schedlab.waits.store import StoreError

SMALL = Settings((10, 100, 1000), "tuned", repetitions=5)
ONE, OTHER = Geometry("cluster", 28), Geometry("cluster", 56)
WAITS = (900, 40, 60, 70, 50, 1200, 44, 61)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "asa" / "waits.json"


@pytest.mark.parametrize("policy", ["default", "greedy", "tuned"])
def test_estimates_equal_algorithm_1_with_the_stream_of_the_geometry(policy):
    settings = Settings((10, 100, 1000), policy, repetitions=5)
    stream = generator("seed", 7, "cluster", 28)
    row = Learners.fresh(settings, 1)
    learner = Learner(settings, ("seed", 7))
    for wait in WAITS:
        place = row.choose(stream.random((1, settings.draws)))
        row.observe(place, [wait], stream.random((1, settings.redraws)))
        assert learner.estimate(ONE) == settings.alternatives[place[0]]
        learner.observe(ONE, wait)
    assert list(learner.chances(ONE).values()) == row.chance[0].tolist()


@pytest.mark.parametrize("policy", ["default", "greedy", "tuned"])
def test_learner_reread_from_file_equals_the_one_in_memory(policy, path):
    settings = Settings((10, 100, 1000), policy, repetitions=5)
    memory = Learner(settings)
    for wait in WAITS:
        assert Learner(settings, path=path).estimate(ONE) == memory.estimate(ONE)
        for one in (memory, Learner(settings, path=path)):
            one.observe(ONE, wait)
    assert Learner(settings, path=path).chances(ONE) == memory.chances(ONE)


def test_geometries_are_independent():
    alone, both = Learner(SMALL), Learner(SMALL)
    for wait in WAITS:
        assert both.estimate(ONE) == alone.estimate(ONE)
        both.estimate(OTHER)
        both.observe(ONE, wait)
        both.observe(OTHER, 5)
        alone.observe(ONE, wait)
    assert both.chances(ONE) == alone.chances(ONE)
    assert both.chances(OTHER) != alone.chances(OTHER)
    drawn = [[Learner(key=("seed", seed)).estimate(ONE) for _ in range(9)] for seed in (1, 2)]
    assert drawn[0] != drawn[1]


def test_the_last_estimate_is_scored_once():
    """Default policy, losses by hand: what was estimated and then what is drawn at once."""
    settings = Settings((10, 20), "default")
    learner = Learner(settings, ("once",))
    first, second = generator("once", "cluster", 28).random(2)
    assert learner.estimate(ONE) == (10 if first < 0.5 else 20)
    for _ in range(2):
        learner.observe(ONE, 10)
    losses = [float(first >= 0.5 or second >= 0.5)]
    last = learner._known[ONE].learners.last[0]
    assert last.tolist() == [0, *losses]


def test_a_named_estimate_is_the_one_that_is_scored():
    learner = Learner(Settings((10, 20), "default"))
    learner.observe(ONE, 10, estimate=20)
    learner.observe(ONE, 10, estimate=20)
    assert learner.chances(ONE)[20] == pytest.approx(1 / (1 + np.exp(2)))


def test_a_named_estimate_leaves_another_one_pending():
    """What is pending is still scored by the next observation that names nothing."""
    learner = Learner(Settings((10, 20), "default"))
    pending = learner.estimate(ONE)
    named = 30 - pending
    wait = named  # so that what is pending has a loss
    learner.observe(ONE, wait, estimate=named)
    learner.observe(ONE, wait)
    last = learner._known[ONE].learners.last[0]
    assert last.sum() == 1
    learner.observe(ONE, wait, estimate=learner.estimate(ONE))
    assert learner._known[ONE].pending == module.NONE


@pytest.mark.parametrize("wait", [-1, float("nan"), float("inf")])
def test_invalid_wait_is_rejected(wait):
    with pytest.raises(ValueError, match=r"cluster/28: a wait of .* s, must be a number from 0"):
        Learner().observe(ONE, wait)
    Learner().observe(ONE, 0)
    with pytest.raises(ValueError, match="cluster/28: 11 s is none of the alternatives"):
        Learner().observe(ONE, 5, estimate=11)


@pytest.mark.parametrize(
    ("system", "cores", "message"),
    [("", 1, "has no name"), ("a", 0, "0 cores"), ("a", 1.5, "1.5 cores"), ("a", True, "True")],
)
def test_invalid_geometry_is_rejected(system, cores, message):
    with pytest.raises(ValueError, match=message):
        Geometry(system, cores)


def test_a_file_of_another_key_is_refused(path):
    assert set(Learner(SMALL, path=path).chances(ONE).values()) == {1 / 3}
    assert not path.exists()
    Learner(SMALL, path=path).estimate(ONE)
    with pytest.raises(StoreError, match=r"key is \['asa'\] in the file, asked for is \['b'\]"):
        Learner(SMALL, ("b",), path).estimate(ONE)


OBSERVER = """
import sys
from schedlab.waits.learner import Geometry, Learner
from schedlab.waits.settings import Settings
learner = Learner(Settings((10, 100, 1000), "tuned", repetitions=5), path=sys.argv[1])
for _ in range(15):
    for cores in sys.argv[2:]:
        learner.observe(Geometry("cluster", int(cores)), 1, estimate=1000)
"""


@pytest.mark.slow
def test_concurrent_observations_are_not_lost(path):
    """Every observation draws 5 random numbers and says so in the state."""
    shares = (["28"], ["28", "56"], ["56", "28"])
    commands = [[sys.executable, "-c", OBSERVER, str(path), *share] for share in shares]
    processes = [subprocess.Popen(command) for command in commands]
    assert [process.wait() for process in processes] == [0, 0, 0]
    records = Learner(SMALL, path=path)._store.read()
    assert records[str(ONE)]["drawn"] == 3 * 15 * 5
    assert records[str(OTHER)]["drawn"] == 2 * 15 * 5
    # those of one geometry are the same in any order
    alone = Learner(SMALL)
    for _ in range(45):
        alone.observe(ONE, 1, estimate=1000)
    assert Learner(SMALL, path=path).chances(ONE) == alone.chances(ONE)


def test_last_waits_are_recorded_in_their_order(path):
    memory = Learner(SMALL)
    assert memory.waits(ONE) == Learner(SMALL, path=path).waits(ONE) == []
    for wait in range(KEPT + 3):
        for one in (memory, Learner(SMALL, path=path)):
            one.observe(ONE, wait)
    for one in (memory, Learner(SMALL, path=path)):
        assert one.waits(ONE) == [float(wait) for wait in range(3, KEPT + 3)]
        assert one.waits(OTHER) == []


def test_class_of_limits_begins_with_what_was_learned_without_one(path):
    """Files of former versions have no classes, and no waits."""
    before = Learner(SMALL, path=path)
    for _ in range(10):
        before.observe(ONE, 100)
    hour, day = (Geometry("cluster", 28, limit) for limit in ("1h", "24h"))
    after = Learner(SMALL, path=path)
    assert after.chances(hour) == before.chances(ONE)
    assert len(after.waits(hour)) == 10
    for _ in range(10):
        after.observe(hour, 1000)
    assert after.chances(hour) != before.chances(ONE)
    assert after.chances(day) == before.chances(ONE)
    # with the numbers that follow, as without a class
    assert Learner(SMALL, path=path).estimate(day) == Learner(SMALL, path=path).estimate(ONE)


def test_file_without_recorded_waits_is_read(path):
    learner = Learner(SMALL, path=path)
    learner.observe(ONE, 100)
    with learner._store.change() as records:
        del records[str(ONE)]["waits"]
    assert learner.waits(ONE) == []
    learner.observe(ONE, 40)
    assert learner.waits(ONE) == [40.0]
