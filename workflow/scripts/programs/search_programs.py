"""Search expressions on the first halves of the training logs."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.learning.program_scores import ProgramScores
from schedlab.learning.program_search import FRONT, ProgramSettings, search_programs
from schedlab.studies.programs.trial import TRAINING, read_logs, training_windows


def search(
    settings: Mapping,
    jobs: Sequence[str],
    processors: Mapping[str, int],
    advice: Mapping[str, float],
    threads: int,
    code: str,
    front: str,
) -> None:
    """Write the best expression of each size; none if no log is available."""
    windows = training_windows(read_logs(settings[TRAINING], jobs, processors), settings)
    found = pd.DataFrame(columns=list(FRONT)).astype(FRONT)
    state = Path(f"{front}.part")
    if windows:
        scorer = ProgramScores(windows, advice["longest_wait"], bool(advice["allow_youth"]))
        searched = ProgramSettings(**settings["search"])
        key = ["programs", settings["seed"]]
        found = search_programs(scorer, searched, key, state, threads, code)
    logging.info("%d windows\n%s", len(windows), found.to_string())
    write_parquet(found, front)
    state.unlink(missing_ok=True)


if __name__ == "__main__":
    run_script(search, snakemake)  # noqa: F821
