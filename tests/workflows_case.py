"""Workflows that run on a Slurm in memory."""

from asa_case import estimator_by_stage
from schedlab.slurm.retries import GIVE_UP_S
from schedlab.slurm.run import run_workflow
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.strategies import STRATEGIES
from schedlab.waits.workflows import Stage, Workflow
from slurm_case import BEGIN

DIAMOND = (
    Stage("split", 1, 30),
    Stage("left", 8, 40, ("split",)),
    Stage("right", 4, 20, ("split",)),
    Stage("join", 2, 10, ("left", "right")),
)
CHAIN = (Stage("a", 4, 100), Stage("b", 1, 50, ("a",)), Stage("c", 5, 30, ("b",)))
AHEAD = [name for name, strategy in STRATEGIES.items() if strategy.ahead]


def workflow_file(stages=DIAMOND, limit=600):
    names = [stage.name for stage in stages]
    workflow = Workflow("flow", stages)
    return WorkflowFile(workflow, dict.fromkeys(names, limit), dict.fromkeys(names, "true"))


def run_in_memory(
    strategy,
    slurm,
    folder,
    stages=DIAMOND,
    estimates=(),
    poll=1.0,
    tell=print,
    limit=600,
    give_up=GIVE_UP_S,
):
    flow = workflow_file(stages, limit)
    told = estimator_by_stage(flow.workflow, estimates)
    return run_workflow(flow, strategy, folder, told, poll, tell, slurm, give_up), told


def columns_of(outcome, *columns):
    rows = outcome.stages[list(columns)].copy()
    for column in {"submit", "start", "end"}.intersection(columns):
        rows[column] -= BEGIN
    return rows.to_numpy().tolist()
