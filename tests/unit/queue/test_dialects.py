"""Dialects with one switch changed are one switch away."""

from dataclasses import fields

import pytest

from schedlab.queue.dialects import ARTEFACT, DIALECTS, DISPATCH_LATENCY

SWITCHES = {
    "window16": "window",
    "window64": "window",
    "whole_queue": "window",
    "no_latency": "latency",
    "spt_kept": "ties_of",
    "by_submit": "ties",
    "lifo": "ties",
    "merged": "shadow",
    "no_extra": "extra",
    "together": "first_alone",
}


def test_every_variant_of_the_artefact_is_here():
    variants = {name.removeprefix("artefact_") for name in DIALECTS if name.startswith("artefact_")}
    assert variants == set(SWITCHES)


@pytest.mark.parametrize(("variant", "switch"), SWITCHES.items())
def test_a_variant_changes_its_name_and_one_switch(variant, switch):
    other = DIALECTS[f"artefact_{variant}"]
    changed = [
        field.name
        for field in fields(other)
        if getattr(other, field.name) != getattr(ARTEFACT, field.name)
    ]
    assert sorted(changed) == sorted(["name", switch])


def test_a_dispatch_takes_2_6_milliseconds():
    """Thirteen times the latency of 0.2 ms, and a kilobyte over 97 % of a gigabit."""
    assert pytest.approx(0.002610247423, abs=1e-12) == DISPATCH_LATENCY


def test_the_simulator_of_legrand2018_makes_one_pass_with_and_without_its_heap():
    ocs, in_order = DIALECTS["ocs"], DIALECTS["ocs_in_order"]
    assert [(one.one_pass, one.by_events) for one in (ocs, in_order)] == [
        (True, True), (True, False),
    ]  # fmt: skip
    assert {(one.ties, one.shadow) for one in (ocs, in_order)} == {("lifo", "first")}


def test_the_artefact_is_what_it_was_found_to_be():
    assert (ARTEFACT.window, ARTEFACT.ties, ARTEFACT.shadow) == (32, "current", "first")
    assert (ARTEFACT.first_alone, ARTEFACT.extra) == (True, True)
    assert ARTEFACT.ties_for("spt") == "exchange"
    assert ARTEFACT.ties_for("fcfs") == "current"
