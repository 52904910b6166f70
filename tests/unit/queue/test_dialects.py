"""Dialects with one switch changed are one switch away."""

from dataclasses import fields

import pytest

from schedlab.queue.dialects import ARTEFACT, DIALECTS

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
