"""Inputs of a job: the sources that its script imports, its row and libraries, nothing else."""

import json
import re

import pytest

from schedlab.flow.build import imported_by
from schedlab.flow.parameters import LONGEST

QUICK = ("--configfile", "config/quick.yaml")
# A raw log that was verified stays, whatever becomes of the code that fetched it.
FETCHING = ("fetch_log", "fetch_pool")


def test_every_rule_of_a_script_has_one_digest_of_its_imports(root, rules):
    seen = 0
    for name, rule in rules.items():
        script, code = rule["script"], rule["code"]
        assert not [path for path in rule["inputs"] if path.endswith((".py", ".pyx", ".pxd"))], name
        if not script or name in FETCHING:
            assert code in (None, "any")
            continue
        path = root / "workflow/scripts" / script.rpartition("scripts/")[2]
        inside = (rule["maker"] or "").partition(":")[0].replace(".", "/")
        makers = [root / f"src/{inside}.py"] if inside else []
        assert code == imported_by(path, *makers).digest, name
        seen += 1
    assert seen >= 45


def test_the_first_page_has_a_digest_of_the_code_of_each_papers_page(rules):
    stories = rules["render_home"]["stories"]
    assert len(stories) >= 5
    assert len({*stories.values()}) == len(stories)


@pytest.fixture(scope="module")
def finished_project(snakemake, new_project, tmp_path_factory):
    """Copy of the project in which one experiment of each paper has run on a model."""
    folder = new_project(tmp_path_factory.mktemp("made"))
    run = snakemake(folder, *TARGETS, *QUICK)
    assert run.returncode == 0, run.stdout
    return folder


TARGETS = (
    "results/quick/simulations/carastan2017/sheet/ctc_backfill_artefact.parquet",
    "results/quick/figures/carastan2017/table1.csv",
    "results/quick/figures/kellari2025/fig5_1.png",
)


def planned(snakemake, folder, *arguments):
    """Rules of which a dry run would run a job."""
    run = snakemake(folder, "-n", *TARGETS, *QUICK, *arguments)
    assert run.returncode == 0, run.stdout
    return set(re.findall(r"^(\w+) +\d+$", run.stdout, re.MULTILINE)) - {"total"}


@pytest.mark.parametrize(
    ("edited", "rules"),
    [
        ("comparison/sequences.py", {"simulate_experiment"}),
        ("kernels/queue/general.pyx", {"simulate_experiment"}),
        ("kernels/nodes/nodes.pyx", {"draw_illustrations"}),
        ("report/figures/schedlab.mplstyle", {"draw_illustrations"}),
        ("learning/forms.py", {"make_definitions"}),
        ("files/progress.py", set()),
        ("asa.py", set()),
    ],
)
def test_edit_reruns_only_the_rules_that_import_the_source(
    snakemake, finished_project, edited, rules
):
    path = finished_project / "src/schedlab" / edited
    before = path.read_bytes() if path.exists() else b""
    path.write_bytes(before + b"\n# a comment\n")
    try:
        assert planned(snakemake, finished_project) == rules
    finally:
        path.write_bytes(before)


def test_rewritten_identical_sources_rerun_nothing(snakemake, finished_project):
    """As by another branch and back, or a fresh clone over old results."""
    for path in (finished_project / "src/schedlab").rglob("*.py"):
        path.touch()
    assert planned(snakemake, finished_project) == set()


def test_the_reason_of_an_edit_is_short_and_names_the_digests(snakemake, finished_project):
    path = finished_project / "src/schedlab/comparison/sequences.py"
    before = path.read_bytes()
    path.write_bytes(before + b"\n# a comment\n")
    try:
        run = snakemake(finished_project, "-n", TARGETS[0], *QUICK)
    finally:
        path.write_bytes(before)
    reasons = [line for line in run.stdout.splitlines() if "Params have changed" in line]
    assert len(reasons) == 1
    assert len(re.findall(r"'[0-9a-f]{16}'", reasons[0])) == 2
    assert len(reasons[0]) < 400


def test_snakemake_remembers_and_prints_no_long_parameter(rules, finished_project):
    """Of those that depend on wildcards, as the runs of `finished_project` recorded them."""
    assert not {name for name, rule in rules.items() if rule["longest_param"] > LONGEST}
    records = [
        path for path in (finished_project / ".snakemake/metadata").rglob("*") if path.is_file()
    ]
    recorded = [text for path in records for text in json.loads(path.read_text())["params"]]
    assert recorded
    assert max(map(len, recorded)) <= LONGEST


def test_a_changed_row_reruns_its_simulation_and_a_changed_label_does_not(
    snakemake, finished_project
):
    sheet = finished_project / "config/experiments/carastan2017.tsv"
    text = sheet.read_text()
    row = next(line for line in text.splitlines() if line.startswith("ctc_backfill_artefact\t"))
    try:
        sheet.write_text(text.replace(row, row.replace("CTC SP2 workload", "CTC workload")))
        assert planned(snakemake, finished_project) == set()
        sheet.write_text(text.replace(row, row.replace("\teasy\t", "\tnone\t")))
        assert planned(snakemake, finished_project) == {"simulate_experiment"}
    finally:
        sheet.write_text(text)


def test_changed_build_of_kernels_reruns_the_rules_that_use_them(snakemake, finished_project):
    record = finished_project / "src/schedlab/kernels/build.json"
    before = record.read_text()
    record.write_text(before.replace("-O3", "-O1"))
    try:
        runs_kernels = {"simulate_experiment", "draw_illustrations", "generate_workload"}
        runs_kernels |= {"make_definitions"}
        assert planned(snakemake, finished_project) == runs_kernels | {"split_pieces"}
    finally:
        record.write_text(before)
