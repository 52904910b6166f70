"""A site's own Slurm in a dialect's text."""

from __future__ import annotations

import pytest

from schedlab.queue.dialect_cells import dialect_of
from slurm_site_case import write_site


@pytest.fixture
def text(tmp_path):
    """A dialect's text with a small site's files."""
    _, _, conf, _, accounts = write_site(tmp_path)
    return f"site+slurm_conf={conf}+accounts={accounts}"


def test_files_and_settings_are_switches(text):
    dialect = dialect_of(f"{text}+points=50+version=24.11+bf_interval=60+PriorityWeightAge=9")
    assert dialect.site.site.scheduling.bf_interval == 60
    assert dialect.site.site.priorities.age == 9
    assert dialect.site.site.version == "24.11"
    assert dialect.site.points == 50
    assert dialect.is_slurm
    assert [each.name for each in dialect.site.site.qos] == ["normal", "high"]
    assert dialect_of(dialect) is dialect
    assert dialect_of(text).site.points == 1000


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("+bf_interva=60", "bf_interva is no key of slurm.conf"),
        ("+points=0", "points=0: must be a number of at least 1"),
        ("+points", "'points' has no value; write points=VALUE"),
        ("+slurm_conf=x", "switch 'slurm_conf' is given twice"),
        ("+accounts=/no/such", "/no/such: No such file or directory"),
        ("+version=1.0", "version 1.0 is not modeled"),
    ],
)
def test_wrong_switches_are_errors_with_the_text(text, more, message):
    with pytest.raises(ValueError, match=message) as caught:
        dialect_of(text + more)
    assert str(caught.value).startswith("dialect 'site+slurm_conf=")


def test_a_site_needs_its_slurm_conf():
    with pytest.raises(ValueError, match="give slurm_conf=FILE"):
        dialect_of("site")
