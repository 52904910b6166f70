"""The switches of the registered dialects."""

import pytest

from schedlab.queue.dialects import ARTEFACT, DIALECTS, DISPATCH_LATENCY


def test_a_dispatch_takes_2_6_milliseconds():
    """Thirteen times the latency of 0.2 ms, and a kilobyte over 97 % of a gigabit."""
    assert pytest.approx(0.002610247423, abs=1e-12) == DISPATCH_LATENCY


def test_dialects_of_legrand2018_make_one_pass():
    ocs, in_order = DIALECTS["ocs"], DIALECTS["ocs_in_order"]
    assert [(one.one_pass, one.by_events) for one in (ocs, in_order)] == [
        (True, True), (True, False),
    ]  # fmt: skip
    assert {(one.ties, one.shadow) for one in (ocs, in_order)} == {("lifo", "first")}


def test_artefact_dialect_has_its_known_switches():
    assert (ARTEFACT.window, ARTEFACT.ties, ARTEFACT.shadow) == (32, "current", "first")
    assert (ARTEFACT.first_alone, ARTEFACT.extra) == (True, True)
    assert ARTEFACT.ties_for("spt") == "exchange"
    assert ARTEFACT.ties_for("fcfs") == "current"
