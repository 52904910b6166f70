"""Rules of "Planning and Metaheuristic Optimization in Production Job Scheduler" (JSSPP 2016)."""

from schedlab.studies.klusacek2016.inputs import planned_by_node
from schedlab.studies.klusacek2016.sheet import RECORDED_WAITS

KLUSACEK = "klusacek2016"
PLANNED = f"<results>/simulations/{KLUSACEK}/{{experiment}}"
CONTENTION = f"<results>/simulations/{KLUSACEK}/contention/{{source}}.parquet"
MACHINES = here_or_of_workflow("config/machines.tsv")
MOVES = f"<results>/simulations/{KLUSACEK}/moves.parquet"
# The log planned by node, with recorded users: its moves are stored, its planning is timed.
FIRST_BY_NODE = planned_by_node(STUDIES[KLUSACEK])[0]
# Number of arrivals at which planning is timed.
ARRIVALS = 400


include: "inputs.smk"
include: "simulations.smk"
include: "searches.smk"
