"""The referee: compare simulators with a real Slurm on windows of logs.

Run `snakemake --cores 2 referee`. It is not part of `all`, because it needs root and Debian.
"""

from schedlab.studies.referee.items import SLICE_FILES, SLICE_JOBS, window_of
from schedlab.studies.referee.settings import SETTINGS as REFEREE_SETTINGS
from schedlab.studies.referee.strategies import LOG as STRATEGIES_LOG
from schedlab.waits.strategies import TYPED as STRATEGIES_TYPED

REFEREE_CLEANING = "full_estimate"
WINDOW = f"<results>/simulations/{REFEREE}/{{log}}.window"
SLICE_RECORDINGS = f"<results>/simulations/{REFEREE}/recordings/slice"
RECORDED_FILES = {
    "runs": "run{repetition}.csv",
    "priorities": "priorities{repetition}.csv",
    "shares": "shares{repetition}.csv",
    "decisions": "log{repetition}.txt.gz",
}
SLICE_COPIES = (
    "slurm.conf",
    "gres.conf",
    "topology.conf",
    "sacctmgr.txt",
    "submissions.csv",
)
REPETITIONS = range(1, config["referee"]["repetitions"] + 1)
REPLAY = f"<results>/simulations/{REFEREE}/{{log}}.{{order}}.{{repetition}}"


include: "inputs.smk"
include: "simulations.smk"
include: "strategies.smk"
include: "slice.smk"
