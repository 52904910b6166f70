"""The digest of the inputs of a verdict changes with its inputs and with nothing else."""

import json
import shutil

import pytest

LOGS = "config/traces.tsv"
TARGETS = {
    "carastan2017": "table4_comparison",
    "kellari2025": "table6_comparison",
    "klusacek2016": "table1_comparison",
    "legrand2018": "table2_comparison",
    "souza2020": "arithmetic_comparison",
}


@pytest.fixture(scope="module")
def editable_project(new_project, tmp_path_factory):
    return new_project(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="module")
def digests(inputs_digests):
    """Digest of the inputs of each paper's table in a folder, at the papers' scale."""
    groups = {paper: [f"results/figures/{paper}/{file}.csv"] for paper, file in TARGETS.items()}
    return lambda folder: inputs_digests(folder, "config/config.yaml", groups)


@pytest.fixture(scope="module")
def digests_before(editable_project, digests):
    return digests(editable_project)


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def changed(before, after):
    return {paper for paper in TARGETS if before[paper] != after[paper]}


def test_every_kind_of_input_counts_for_the_papers_that_use_it(
    editable_project, digests_before, digests
):
    """A resource, a row of a sheet, a kernel's source and a checksum of a log, of a paper each."""
    with (editable_project / "resources/kellari2025/published.tsv").open(
        "a", encoding="utf-8"
    ) as file:
        file.write("\n")
    edit(
        editable_project / "config/experiments/legrand2018.tsv",
        "\t28-64\t65-100\t",
        "\t28-63\t64-100\t",
    )
    with (editable_project / "src/schedlab/kernels/plan/planning.pyx").open(
        "a", encoding="utf-8"
    ) as file:
        file.write("# edited\n")
    log = next(
        line
        for line in (editable_project / LOGS).read_text().splitlines()
        if line.startswith("RICC\t")
    )
    checksum = log.split("\t")[3]
    edit(editable_project / LOGS, checksum, checksum[::-1])
    assert changed(digests_before, digests(editable_project)) == set(TARGETS) - {"carastan2017"}


def test_flags_of_the_kernels_count_and_the_compiler_does_not(
    new_project, digests_before, digests, tmp_path
):
    project = new_project(tmp_path / "built")
    path = project / "src/schedlab/kernels/build.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"compiler": "another", "command": ["another"]}))
    assert changed(digests_before, digests(project)) == set()
    path.write_text(json.dumps(record | {"flags": ["-O3", "-ffast-math"]}))
    assert changed(digests_before, digests(project)) == set(TARGETS)


def test_code_of_pages_and_copied_results_do_not_change_digests(
    new_project, digests_before, digests, tmp_path
):
    project = new_project(tmp_path / "elsewhere")
    edit(project / "src/schedlab/report/pages.py", '"""', '"""A page: ')
    made = project / "results/figures/souza2020"
    made.mkdir(parents=True)
    shutil.copy(project / "config/quick.yaml", made / "arithmetic_comparison.csv")
    assert changed(digests_before, digests(project)) == set()
