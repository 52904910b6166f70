"""The conformance kit: its starts are those of twins and kernels, and tell rules apart."""

import csv
import itertools
import json

import jsonschema
import numpy as np
import pytest

from conformance_case import WRITTEN, tables, twin_starts
from oracles import easy
from schedlab.workbench.conformance.kit import FOLDER, SIMULATORS, copy_kit, read_kit
from schedlab.workbench.conformance.own import starts_of

KIT = read_kit()
#: seconds of rounding in the table of starts
ROUNDED = 1e-5


@pytest.mark.parametrize(("rule", "workload"), KIT.starts)
def test_starts_are_those_of_the_kernels(rule, workload):
    starts = starts_of(KIT.rules[rule], KIT.workloads[workload], KIT.speeds)
    assert starts == pytest.approx(KIT.starts[rule, workload].to_numpy(), abs=ROUNDED)


@pytest.mark.slow
@pytest.mark.parametrize("rule", KIT.rules)
def test_starts_are_those_of_the_twins(rule):
    for name, workload in KIT.workloads.items():
        if (rule, name) in KIT.starts and len(workload.table) <= 60:
            starts = twin_starts(KIT.rules[rule], workload, KIT.speeds)
            assert starts == pytest.approx(KIT.starts[rule, name].to_numpy(), abs=ROUNDED), name


def test_workloads_are_those_of_their_maker():
    made = tables()
    assert list(made) == list(KIT.workloads)
    for name, table in made.items():
        assert table.equals(KIT.workloads[name].table), name
    assert set(WRITTEN) <= set(made)


def test_each_workload_runs_under_each_rule_of_its_machine():
    queues = [name for name, rule in KIT.rules.items() if rule.simulator != "nodes"]
    shared = [name for name in KIT.rules if name not in queues]
    expected = {
        (rule, name)
        for name, workload in KIT.workloads.items()
        for rule in (shared if workload.nodes else queues)
    }
    assert set(KIT.starts) == expected
    assert {rule.simulator for rule in KIT.rules.values()} == set(SIMULATORS)


def test_any_two_rules_differ_in_a_workload():
    queues = [name for name, rule in KIT.rules.items() if rule.simulator != "nodes"]
    workloads = [name for name, workload in KIT.workloads.items() if not workload.nodes]
    for one, other in itertools.combinations(queues, 2):
        assert any(
            not np.array_equal(KIT.starts[one, name], KIT.starts[other, name]) for name in workloads
        ), (one, other)


def test_a_workload_by_hand():
    """At 80 s, job 4 would take the processors that job 2 needs at 100 s; job 6 may, at 50 s."""
    assert KIT.starts["strict", "textbook"].tolist() == [0, 100, 100, 150, 150, 150]
    assert KIT.starts["easy", "textbook"].tolist() == [0, 100, 20, 140, 40, 50]


@pytest.mark.parametrize("name", [*(f"workloads/{name}" for name in KIT.workloads), "starts"])
def test_tables_follow_their_schemas(name):
    kind = "starts" if name == "starts" else "workload"
    schema = json.loads((FOLDER / f"{kind}.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    kinds = {"integer": int, "number": float, "string": str}
    with (FOLDER / f"{name}.csv").open() as file:
        for row in csv.DictReader(file):
            values = {k: kinds[schema["properties"][k]["type"]](v) for k, v in row.items()}
            validator.validate(values)


def test_a_copy_has_every_file_and_replaces_nothing(tmp_path):
    files = copy_kit(tmp_path / "kit")
    copied = read_kit(tmp_path / "kit")
    assert set(copied.starts) == set(KIT.starts)
    assert tmp_path / "kit/adapters/accasim_adapter.py" in files
    with pytest.raises(FileExistsError):
        copy_kit(tmp_path / "kit")


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("strict", {"strict": True}),
        ("easy", {}),
        ("easy_lifo", {"primary": "sqf", "backfill": "sqf", "lifo": True}),
        ("easy_small_first", {"primary": "sqf", "backfill": "sqf"}),
        ("easy_short_backfill", {"backfill": "spf"}),
    ],
)
def test_a_program_of_another_hand_has_the_same_starts(rule, options):
    for name, workload in KIT.workloads.items():
        if (rule, name) in KIT.starts:
            table = workload.table[["submit", "runtime", "processors", "estimate"]]
            jobs = list(table.itertuples(index=False, name=None))
            found = easy.simulate(jobs, workload.processors, **options)
            starts = [found[place] for place in range(len(jobs))]
            assert starts == KIT.starts[rule, name].tolist(), name
