"""Names as numbers."""

import pytest

from schedlab.traces.slurm import sacct_jobs
from schedlab.traces.slurm.sacct_jobs import number_names

NAMES = ["bob", "", "ada"]


def test_names_without_a_salt_are_numbered_in_order():
    assert number_names(NAMES, "user", None) == {"bob": 1, "": -1, "ada": 2}


def test_with_a_salt_a_name_has_one_number_in_every_dump():
    numbers = number_names(NAMES, "user", "secret")
    alone = number_names(["ada"], "user", "secret")
    assert numbers["ada"] == alone["ada"] != numbers["bob"]
    assert numbers[""] == -1
    # pinned: logs that are made later must go with those made today
    assert alone["ada"] == 1 + 0x4B8248625979


def test_another_salt_and_another_kind_give_other_numbers():
    found = {
        number_names(["ada"], kind, salt)["ada"]
        for kind in ("user", "group")
        for salt in ("secret", "Secret", "s" * 100, "s" * 101)
    }
    assert len(found) == 8
    assert all(0 < number <= 2**48 for number in found)


def test_empty_salt_counts_as_no_salt():
    with pytest.raises(ValueError, match="the salt is empty"):
        number_names(NAMES, "user", "")


def test_two_names_never_become_one(monkeypatch):
    monkeypatch.setattr(sacct_jobs, "_hash", lambda *_: 1)
    with pytest.raises(ValueError, match="two names of field user have one hash"):
        number_names(NAMES, "user", "secret")
