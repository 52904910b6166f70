"""The referee: windows of logs on a real Slurm, and what simulators make of them.

`snakemake --cores 2 referee`, which is no part of `all`: it needs root and Debian.
"""

from schedlab.studies.referee.items.index import window_of
from schedlab.studies.referee.settings import SETTINGS as REFEREE_SETTINGS
from schedlab.studies.referee.strategies import LOG as STRATEGIES_LOG
from schedlab.waits.strategies import TYPED as STRATEGIES_TYPED

REFEREE_CLEANING = "full_estimate"
WINDOW = f"<results>/simulations/{REFEREE}/{{log}}.window"
REPLAY = f"<results>/simulations/{REFEREE}/{{log}}.{{order}}.{{repetition}}"


include: "inputs.smk"
include: "simulations.smk"
include: "strategies.smk"
