"""What a run with a pool prepares and refuses: requests, scripts, strategies, cores of a node."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import schedlab
from docs_case import blocks
from pool_case import PoolSlurm
from schedlab.slurm.client import SbatchRequest, SlurmError
from schedlab.slurm.folder import BEFORE_S, RunFolder
from schedlab.slurm.plan import plan_run
from schedlab.slurm.pool.worker import cores_on_node
from schedlab.slurm.run import prepare_run
from schedlab.slurm.strategies import STRATEGIES, TYPED
from schedlab.slurm.tasks import Task
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.learner import Learner
from schedlab.waits.workflows import Stage, Workflow
from slurm_case import Fate
from workflows_case import CHAIN, workflow_file


def flow(cores=4, width=2):
    stage = Stage("make", cores, 60)
    tasks = {"make": (Task("m", ":", 60), Task("n", ":", 60, width))}
    return WorkflowFile(Workflow("flow", (stage,)), {"make": 300}, {}, tasks=tasks)


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "Pool"])
def test_other_strategies_refuse_tasks_before_anything_is_made(tmp_path, strategy):
    slurm = PoolSlurm([Fate()])
    with pytest.raises(SlurmError, match=r"stage 'make' has tasks, which strategy pool alone runs"):
        prepare_run(flow(), strategy, tmp_path / "run", slurm=slurm)
    with pytest.raises(SlurmError, match="has tasks"):
        plan_run(flow(), strategy, Learner(), slurm)
    assert not (tmp_path / "run").exists()


def test_pool_without_tasks_is_refused(tmp_path):
    with pytest.raises(SlurmError, match="strategy pool needs a stage with tasks"):
        prepare_run(workflow_file(CHAIN), "Pool", tmp_path / "run", slurm=PoolSlurm([Fate()]))


@pytest.mark.slow
def test_other_strategies_do_not_import_the_library():
    code = (
        "import sys, schedlab.slurm.run, schedlab.slurm.status, schedlab.cli.asa; "
        "sys.exit('distributed' in sys.modules or 'dask' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_plan_of_a_pool_is_made_like_that_without_dependencies():
    plan = plan_run(flow(), "Pool", Learner(), PoolSlurm([Fate()]))
    assert plan.stages["limit_min"].tolist() == [6]
    assert list(TYPED)[-1] == "pool"


@pytest.mark.parametrize(
    ("cores", "width", "options"),
    [(4, 2, ["--ntasks=2", "--cpus-per-task=2"]), (4, 1, ["--ntasks=4"]), (4, 4, ["--ntasks=1"])],
)
def test_cores_of_the_widest_task_are_on_one_node(cores, width, options):
    request = SbatchRequest("n", Path("s"), Path("o"), cores, 1, width=width)
    assert set(options) <= set(request.arguments)
    assert ("--cpus-per-task" in " ".join(request.arguments)) is (width > 1)
    assert SbatchRequest.from_dict(request.as_dict()) == request


def test_script_of_a_job_starts_a_worker_with_what_it_must_know(tmp_path):
    described = flow()
    folder = RunFolder(tmp_path / "a run", described)
    script = folder.script(described.workflow.stages[0], (), 10.0)
    text = script.read_text()
    assert subprocess.run(["bash", "-n", script]).returncode == 0
    # without Slurm's own end, it is that of the time limit from before the script on
    assert f"date +%s) + {6 * 60 - BEFORE_S}" in text
    # executed with a Python that prints its arguments
    printer = tmp_path / "python"
    printer.write_text('#!/bin/sh\nshift 2\nprintf "%s\\n" "$@"\n')
    printer.chmod(0o755)
    script.write_text(text.replace(sys.executable, str(printer)))
    environment = {"PATH": "/usr/bin:/bin", "SLURM_JOB_ID": "7", "SLURM_JOB_NUM_NODES": "1"}
    environment |= {"SLURM_TASKS_PER_NODE": "2", "SLURM_JOB_END_TIME": "5000"}
    environment |= {"SLURM_MEM_PER_CPU": "10"}
    done = subprocess.run([script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        *(str(Path(schedlab.__file__).parents[1]), str(folder.path)),
        *("--job", "7", "--end", "5000", "--tasks-per-node", "2", "--width", "2"),
        *("--tolerance", "600", "--memory-per-core", "10"),
    ]
    assert folder.mark(7, "began").words == ("run", "make")
    assert folder.mark(7, "ended").words == ("0",)


def test_mark_of_a_stage_is_that_of_its_job(tmp_path):
    folder = RunFolder(tmp_path / "run", flow())
    folder.finish("make")
    assert [path.name for path in (folder.path / "marks").iterdir()] == ["make.done"]


@pytest.mark.parametrize(
    ("text", "width", "cores"), [("4", 1, [4]), ("2(x3),1", 2, [4, 4, 4, 2]), ("1,3", 1, [1, 3])]
)
def test_cores_of_a_worker_are_those_of_its_node(text, width, cores):
    assert [cores_on_node(text, width, node) for node in range(len(cores))] == cores
    with pytest.raises(IndexError):
        cores_on_node(text, width, len(cores))


def test_unknown_form_of_tasks_per_node_is_an_error():
    with pytest.raises(ValueError, match="SLURM_TASKS_PER_NODE is 'many'"):
        cores_on_node("many", 1, 0)


def test_the_example_of_the_page_is_read(tmp_path, root):
    (block,) = [one for one in blocks(root / "docs/howto/workflow.md") if one.file == "pool.yaml"]
    (tmp_path / "pool.yaml").write_text(block.text)
    found = WorkflowFile.read(tmp_path / "pool.yaml")
    assert [len(found.tasks[stage]) for stage in ("count", "check")] == [3, 2]
    assert yaml.safe_load(block.text)["name"] == found.workflow.name
