"""Clusters, speeds and the schedulers of kellari2025 by name."""

import numpy as np
import pytest

from schedlab.cosched.machine import ARIS, needs, share, shared_nodes
from schedlab.cosched.schedulers import (
    SCHEDULERS,
    CoScheduler,
    custom_order,
    load_orders,
    register_order,
)
from schedlab.cosched.speeds import NODE_ORDERS, check_speedups, friends, pair_speedups, speed_alone

SPEEDUP = np.array([[1.2, 0.8, np.nan], [1.1, 0.9, 1.3], [np.nan, 1.0, 1.5]])


def test_the_machine_of_the_thesis():
    """8,400 cores; a job of 121 processes takes 7 whole nodes or 13 halves (Table 4.1's sp.D)."""
    assert ARIS.processors == 8400
    assert (needs(ARIS, 121, "compact"), needs(ARIS, 121, "spread")) == (7, 13)
    assert needs(ARIS, np.array([20, 2048]), "spread").tolist() == [2, 205]


def test_odd_core_of_a_socket_is_unused():
    """Two jobs share a node evenly, socket by socket."""
    assert share(shared_nodes(1, 2, 5)) == 4


@pytest.mark.parametrize(
    ("shape", "message"),
    [((0,), "nodes is 0"), ((1, 0), "sockets is 0"), ((1, 2, 1), "cores is 1, must be 2")],
)
def test_bad_clusters_are_refused(shape, message):
    with pytest.raises(ValueError, match=message):
        shared_nodes(*shape)


def test_speeds_of_known_and_unknown_pairs():
    """Alone: the row's largest; unknown pairs: its mean; friends: only pairs that are known."""
    with pytest.raises(ValueError, match=r"shape is \(2, 3\)"):
        check_speedups(np.ones((2, 3)))
    assert speed_alone(SPEEDUP).tolist() == [1.2, 1.3, 1.5]
    assert pair_speedups(SPEEDUP)[0].tolist() == [1.2, 0.8, 1.0]
    assert friends(SPEEDUP, 1.0).astype(int).tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 1]]


@pytest.mark.parametrize(
    ("name", "idle", "shared"),
    [
        ("lowest", 0, [0, 0, 0]),
        ("occ", 0, [1, 1, 1]),
        ("idle", 1, [0, 0, 0]),
        ("speed", 1.2, [1.2, 0.8, 1.0]),
        ("match", 1, [1.2, 0.95, 1.0]),
    ],
)
def test_keys_of_nodes(name, idle, shared):
    idle_keys, shared_keys = NODE_ORDERS[name](SPEEDUP)
    assert idle_keys[0] == idle
    assert shared_keys[0] == pytest.approx(shared)


def test_the_thesis_has_thirteen_schedulers():
    """And the literature's conservative backfilling next to them."""
    assert len(SCHEDULERS) == 14
    assert {name for name, one in SCHEDULERS.items() if one.allocation != "compact"} == {
        *("easy-co", "sjf-co", "ljf-co", "laf-co"),
        *("filler", "sjf-filler", "pop-filler", "popularity"),
    }
    assert all(name == one.name for name, one in SCHEDULERS.items())


def test_names_of_orders_are_taken_once():
    with pytest.raises(ValueError, match="order 'filler' is built in"):
        register_order("filler", lambda waiting: waiting.procs)
    with pytest.raises(ValueError, match="order is 'nobodys-order'"):
        CoScheduler("any", "Any", "nobodys-order")


def test_order_of_a_file_is_registered_by_name_and_an_interrupt_is_one(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def narrow(waiting):\n    return -waiting.procs\n")
    load_orders({"from-a-file": f"{path}:narrow"})
    assert CoScheduler("any", "Any", "from-a-file").order == "from-a-file"
    assert custom_order("from-a-file").__name__ == "narrow"
    path.write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load_orders({"mine": f"{path}:narrow"})


@pytest.mark.parametrize(
    ("name", "text", "place", "message"),
    [
        ("mine", "x = 1", "{path}:narrow", "no function 'narrow' in"),
        ("mine", "narrow = 1", "{path}:narrow", "no function 'narrow' in"),
        ("mine", "import nothing_of_this_name", "{path}:narrow", "ModuleNotFoundError"),
        ("mine", "def narrow(:", "{path}:narrow", "SyntaxError"),
        ("mine", "raise SystemExit", "{path}:narrow", "order 'mine': .*mine.py:narrow: SystemExit"),
        ("mine", "import sys; sys.exit(0)", "{path}:narrow", "SystemExit: 0"),
        ("mine", "raise GeneratorExit('x')", "{path}:narrow", "GeneratorExit: x"),
        ("mine", "", "missing.py:narrow", "order 'mine': missing.py:narrow: FileNotFoundError"),
        ("mine", "", "narrow", "must be file.py:function"),
        ("filler", "def narrow(w): pass", "{path}:narrow", "order 'filler' is built in"),
    ],
)
def test_order_that_cannot_be_loaded_is_named(tmp_path, name, text, place, message):
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        load_orders({name: place.format(path=path)})
