"""The referee: windows of logs on a real Slurm, and what simulators make of them.

`snakemake --cores 2 referee`, which is no part of `all`: it needs root and Debian.
"""

from schedlab.waits.strategies import TYPED as STRATEGIES_TYPED
from schedlab.studies.referee.settings import SETTINGS as REFEREE_SETTINGS
from schedlab.studies.referee.strategies import LOG as STRATEGIES_LOG

REFEREE_LOGS = ["KTH-SP2", "SDSC-SP2"]
REFEREE_CLEANING = "full_estimate"
REFEREE_TABLES = ["referee", "ranking"]
WINDOW = f"<results>/simulations/{REFEREE}/{{log}}.window"
REPLAY = f"<results>/simulations/{REFEREE}/{{log}}.{{order}}.{{repetition}}"
REFEREE_SHOWN = f"<results>/figures/{REFEREE}"


include: "inputs.smk"
include: "simulations.smk"
include: "tables.smk"
include: "strategies.smk"


rule referee:
    """Tables, the figure and the sentences of the referee."""
    input:
        rules.judge_referee.output,
        rules.compare_strategies.output,
