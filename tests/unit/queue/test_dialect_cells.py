"""The cell grammar of dialects: every switch, the registered copies, and invalid cells."""

from dataclasses import fields, replace

import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import ARTEFACT, DIALECTS, Dialect
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.slurm import SlurmSwitches, default_reservations

CHANGED = {
    "window=16": {"window": 16},
    "window=64": {"window": 64},
    "window=all": {"window": None},
    "latency=0": {"latency": 0.0},
    "ties_of=none": {"ties_of": {}},
    "ties=submit": {"ties": "submit"},
    "ties=lifo": {"ties": "lifo"},
    "shadow=merged": {"shadow": "merged"},
    "extra=false": {"extra": False},
    "first_alone=false": {"first_alone": False},
}


@pytest.mark.parametrize("switch", CHANGED)
def test_switch_changes_only_its_field(switch):
    cell = f"artefact+{switch}"
    assert dialect_of(cell) == replace(ARTEFACT, name=cell, **CHANGED[switch])


def test_order_of_legrand2018_is_a_switch():
    cell = "ocs+by_events=false"
    assert dialect_of(cell) == replace(DIALECTS["ocs_in_order"], name=cell)


@pytest.mark.parametrize("name", DIALECTS)
def test_bare_name_is_the_registered_dialect(name):
    assert dialect_of(name) is DIALECTS[name]


def test_slurm_parameters_are_switches():
    cell = (
        "slurm+interval=300+resolution=2m+window=2d+max_test=100+close=0+minutes=false"
        "+stopping=0+phase=7"
    )
    wanted = SlurmSwitches(300, 120, 172_800, 100, 0, False, 0, 7)
    assert dialect_of(cell) == Dialect(cell, slurm=wanted)
    assert {part.split("=")[0] for part in cell.split("+")[1:]} == {
        field.name for field in fields(SlurmSwitches)
    }


def test_switches_of_a_queue_take_values_with_units_and_pairs():
    found = dialect_of("artefact + latency=0.5s + ties_of=f1:lifo")
    assert (found.latency, dict(found.ties_of)) == (0.5, {"f1": "lifo"})
    assert found.window == ARTEFACT.window
    assert dialect_of("full+latency=0.25").latency == 0.25


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("slrum", "unknown dialect 'slrum'; did you mean 'slurm'.; one of full, lifo, ocs, ocs_in"),
        ("", "unknown dialect ''; one of"),
        ("slurm+max_tst=9", r"'slurm\+max_tst=9': unknown switch 'max_tst'; did you mean 'max_te"),
        ("slurm+bf_interval=9", "unknown switch 'bf_interval'; did you mean 'interval'"),
        ("slurm+bf_max_job_test=9", "unknown switch 'bf_max_job_test'; did you mean 'max_test'"),
        ("slurm+reservations=head", "unknown switch 'reservations'; reservations have an option"),
        ("slurm+ties=lifo", "unknown switch 'ties'.*; one of interval, resolution, window"),
        ("slurm+slurm=1", "unknown switch 'slurm'"),
        ("slurm+interval", r"switch 'interval' has no value; write interval=VALUE"),
        ("slurm+interval=", "switch 'interval' has no value"),
        ("slurm+", "unknown switch ''"),
        ("slurm+interval=0", r"dialect 'slurm\+interval=0': interval is 0, must be at least 1"),
        ("slurm+interval=-3", "interval=-3: duration: -3 is a number without a unit"),
        ("slurm+window=1440", "window=1440: has no unit, and Slurm's bf_window counts minutes"),
        ("slurm+max_test=1.5", "max_test=1.5: must be a whole number"),
        ("slurm+max_test=9999999999", "max_test=9999999999: must be at most 2147483646"),
        ("slurm+interval=99999999999", "must be at most 2147483646"),
        ("slurm+window=99999d", "must be at most 2147483646"),
        ("slurm+minutes=falsch", "minutes=falsch: is not one of true, false; did you mean 'false'"),
        ("slurm+phase=1+phase=2", "switch 'phase' is given twice"),
        ("artefact+window=0", "window is 0, must be at least 1"),
        ("artefact+latency=nan", "latency=nan: duration: 'nan' is not a duration"),
        ("artefact+ties=lifoo", "is not one of submit, lifo, .*; did you mean 'lifo'"),
        ("artefact+ties_of=sp:lifo", "must be none or POLICY:TIES; did you mean 'spt'"),
        ("artefact+one_pass=true", "unknown switch 'one_pass'"),
        ("ocs+window=16", "unknown switch 'window'; one of by_events"),
    ],
)
def test_invalid_cell_is_rejected_with_the_nearest_name(cell, message):
    with pytest.raises(ValueError, match=message):
        dialect_of(cell)


def test_a_switch_changes_the_schedule():
    """Two jobs that end early: the next pass of backfilling starts the third job."""
    jobs = Jobs([1, 2, 3], [0, 1, 2], [100, 50, 50], [600, 600, 60], [3, 4, 1])
    starts = {
        cell: simulate(Run(jobs, 4, get("fcfs"), dialect=dialect_of(cell), reservations="every"))
        .start.tolist()
        for cell in ("slurm", "slurm+interval=300", "slurm+interval=5m")
    }  # fmt: skip
    assert starts["slurm"][2] == 30
    # the pass at 0 precedes the submission, the next one comes at 300; jobs 1 and 2 are over then
    assert starts["slurm+interval=300"][2] > 30
    assert starts["slurm+interval=300"] == starts["slurm+interval=5m"]


def test_slurm_reserves_for_every_job_and_the_textbook_for_the_head():
    assert default_reservations(dialect_of("slurm+interval=60")) == "every"
    assert {default_reservations(dialect_of(name)) for name in ("full", "ocs", "artefact")} == {
        "head"
    }
