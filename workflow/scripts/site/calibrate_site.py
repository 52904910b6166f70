"""Calibrate a site's own Slurm on the waits of its log."""

import logging
from collections.abc import Mapping

import pandas as pd

from schedlab.flow.scripts import run_script
from schedlab.queue.dialect_cells import dialect_of
from schedlab.report.parts import write_items
from schedlab.studies.site.calibration import NothingRecordedError, calibrate
from schedlab.studies.site.calibration_items import parts_of, parts_without
from schedlab.studies.site.settings import SiteSettings
from schedlab.traces.slurm.node_changes import COLUMNS, read_rows
from schedlab.workbench.log import read_cleaned


def calibrate_site(
    site: Mapping,
    jobs: str,
    ledger: str,
    lost: str,
    outputs: Mapping[str, str],
    words: Mapping[str, Mapping[str, str]],
) -> None:
    """Write the comparison with recorded waits, and what happened to nodes."""
    settings, log = SiteSettings.of(site), read_cleaned(jobs, ledger, lost)
    slurm = dialect_of(settings.dialect).site
    changes = read_rows(settings.changes) if settings.changes else None
    try:
        calibration = calibrate(log, slurm, settings.calibration, changes, settings.timezone)
    except NothingRecordedError as error:
        logging.warning("%s", error)
        known = pd.DataFrame(columns=list(COLUMNS)) if changes is None else changes
        write_items(parts_without(str(error), known), outputs, words=words)
        return
    logging.info(
        "error of weekly mean waits: median %.1f %%, 90 %% of weeks within %.1f %%",
        100 * calibration.median_error,
        100 * calibration.high_error,
    )
    write_items(parts_of(calibration), outputs, words=words)


if __name__ == "__main__":
    run_script(calibrate_site, snakemake)  # noqa: F821
