"""Sentences on what a simulation of a site's Slurm leaves out."""

import pytest

from schedlab.core.slurm_site import SHORT, NotModeled


@pytest.mark.parametrize(
    ("value", "note", "phrase"),
    [
        ("matlab:2", "licenses", "Key=matlab:2 in a.conf (licenses)"),
        ("x" * SHORT, "why", f"Key={'x' * SHORT} in a.conf (why)"),
        ("x" * (SHORT + 1), "why", "Key in a.conf (why)"),
        ("a,b", "why", "Key in a.conf (why)"),
        ("", "", "Key in a.conf"),
    ],
)
def test_phrase_names_key_file_and_meaning(value, note, phrase):
    assert NotModeled("/etc/slurm/a.conf", 3, "Key", value, note).phrase == phrase
