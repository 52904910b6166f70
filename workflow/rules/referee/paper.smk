"""The referee: compare simulators with a real Slurm on windows of logs.

Run `snakemake --cores 2 referee`. It is not part of `all`, because it needs root and Debian.
"""

from schedlab.studies.referee.items import window_of
from schedlab.studies.referee.settings import SETTINGS as REFEREE_SETTINGS
from schedlab.studies.referee.strategies import LOG as STRATEGIES_LOG
from schedlab.waits.strategies import TYPED as STRATEGIES_TYPED

REFEREE_CLEANING = "full_estimate"
WINDOW = f"<results>/simulations/{REFEREE}/{{log}}.window"
REPLAY = f"<results>/simulations/{REFEREE}/{{log}}.{{order}}.{{repetition}}"


include: "inputs.smk"
include: "simulations.smk"
include: "strategies.smk"
