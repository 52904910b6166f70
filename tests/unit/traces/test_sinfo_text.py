"""States of nodes: which take jobs, in each of sinfo's spellings."""

import pytest

from schedlab.traces.slurm.sinfo_text import is_closed

WORDS = "down drained draining drng fail failing inval maint no_respond perfctrs npc reserved resv"
WORDS += " reboot reboot_issued blocked block unknown unk future futr error powering_down pow_dn"


@pytest.mark.parametrize("state", ["idle", "mixed", "mix", "allocated", "alloc", "completing"])
def test_mark_closes_a_node_unless_it_is_known_as_open(state):
    for mark, closed in [(mark, False) for mark in ("", "~", "#", "-")] + [
        (mark, True) for mark in "*!%$@^&?"
    ]:
        assert is_closed(state + mark) == closed, mark


@pytest.mark.parametrize("state", [*WORDS.split(), "", "idle+", "mixed+", "idles", "not_idle"])
def test_unknown_and_closed_states_close_a_node(state):
    assert is_closed(state)


def test_node_with_completing_jobs_takes_more():
    assert not is_closed("allocated+")
    assert not is_closed("alloc+")
    assert is_closed("allocated+drain")
