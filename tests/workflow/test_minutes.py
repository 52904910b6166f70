"""Minutes of jobs are those of Snakemake's records, wherever it keeps them."""

import json

import pytest

PROBE = """
include: "workflow/Snakefile"

LONG = "results/quick/" + "/".join(letter * 90 for letter in "abc") + ".txt"

rule long:
    output: LONG
    log: "<logs>/long/one.log"
    benchmark: "<benchmarks>/long/one.tsv"
    shell: "echo made > {output}"

rule ask:
    input: LONG
    output: "asked.json"
    params:
        records=job_records,
        logs=f"{RESULTS}/logs",
        benchmarks=f"{RESULTS}/benchmarks",
    script: "ask.py"
"""
ASK = """
import json
from schedlab.report.minutes import minutes_of

path, params = snakemake.input[0], snakemake.params
made = params.records.read(path, params.logs, params.benchmarks)
minutes = minutes_of([path], lambda file: params.records.read(file, params.logs, params.benchmarks))
facts = [made.rule, len(made.seconds), bool(0 <= minutes[path] < 1), str(params.records)]
with open(snakemake.output[0], "w") as file:
    json.dump(facts, file)
"""
DATABASE = ("--persistence-backend", "db")


@pytest.mark.parametrize(
    "backend",
    [(), DATABASE, (*DATABASE, "--persistence-backend-db-url", "sqlite:///of-user.db")],
    ids=["files", "database", "address"],
)
def test_minutes_of_a_long_path_are_known(snakemake, new_project, tmp_path, backend):
    project = new_project(tmp_path)
    (project / "Probe").write_text(PROBE)
    (project / "ask.py").write_text(ASK)
    named = ("--snakefile", "Probe", "--configfile", "config/quick.yaml")
    run = snakemake(project, "asked.json", *named, *backend)
    assert run.returncode == 0, run.stdout
    *facts, text = json.loads((project / "asked.json").read_text())
    assert facts == ["long", 1, True]
    assert "sqlite" not in text + run.stdout
