"""Calibrate a site's own Slurm on the waits of its log."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.queue.dialect_cells import dialect_of
from schedlab.report.parts import write_items
from schedlab.studies.site.calibration import NothingRecordedError, calibrate, with_changes
from schedlab.studies.site.calibration_items import parts_of, parts_without
from schedlab.studies.site.settings import SiteSettings
from schedlab.studies.site.trials import schedule_of
from schedlab.traces.slurm.node_changes import COLUMNS, read_rows
from schedlab.workbench.log import read_cleaned
from schedlab.workbench.site_results import simulate_site


def calibrate_site(
    site: Mapping,
    jobs: str,
    ledger: str,
    lost: str,
    outputs: Mapping[str, str],
    schedule: str,
    words: Mapping[str, Mapping[str, str]],
) -> None:
    """Write the comparison with recorded waits, what happened to nodes, and the schedule."""
    settings, log = SiteSettings.of(site), read_cleaned(jobs, ledger, lost)
    slurm = dialect_of(settings.dialect).site
    changes = read_rows(settings.changes) if settings.changes else None
    try:
        calibration = calibrate(log, slurm, settings.calibration, changes, settings.timezone)
    except NothingRecordedError as error:
        logging.warning("%s", error)
        known = pd.DataFrame(columns=list(COLUMNS)) if changes is None else changes
        result = simulate_site(log, with_changes(slurm, known, log, settings.changes or "changes"))
        write_parquet(schedule_of(result), schedule)
        write_items(parts_without(str(error), known), outputs, words=words)
        return
    logging.info(
        "error of weekly mean waits: median %.1f %%, 90 %% of weeks within %.1f %%",
        100 * calibration.median_error,
        100 * calibration.high_error,
    )
    write_parquet(schedule_of(calibration.result), schedule)
    write_items(parts_of(calibration), outputs, words=words)


if __name__ == "__main__":
    run_script(calibrate_site, snakemake)  # noqa: F821
