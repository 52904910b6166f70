"""Fetch a raw log or a pool: from the local archive, its addresses, or an empty placeholder."""

import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import asdict

from schedlab.io import whole
from schedlab.logs import logged
from schedlab.traces import archive
from schedlab.traces.download import Network
from schedlab.traces.registry import KINDS, read_registry


def fetch_log(
    registry: str,
    schema: str,
    kind: str,
    name: str,
    folders: str,
    text: str,
    record: str,
    timeout: float,
    retries: int,
    offline: bool,
    without: str = "",
    attempt: Mapping | None = None,
) -> None:
    """Write the file of a `kind` to `text` and what became of it, with the `attempt`, to `record`.

    One that is nowhere is no error: `text` is then an SWF file of header lines only, or a pool
    without applications.
    """
    entry = read_registry(registry, schema, KINDS[kind])[name]
    network = None if offline else Network(timeout, retries)
    try:
        report = archive.fetch(entry, archive.archive_folders(folders), text, network, without)
        logging.info("%s from %s: %s", name, report.source, report.message)
    except archive.NotAtHand as missing:
        report = missing.report
        logging.warning("%s", missing)
        print(missing, file=sys.stderr)
        with whole(text) as draft:
            draft.write_text(archive.placeholder(entry, report.message))
    with whole(record) as draft:
        draft.write_text(json.dumps(asdict(report) | {"attempt": attempt}, indent=1) + "\n")


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    attempt = job.params.attempt
    with logged(job.log[0]):
        fetch_log(
            *(job.input.registry, job.input.schema, job.params.kind, attempt["entry"]["name"]),
            *(attempt["folders"], job.output.text, job.output.record),
            *(attempt["timeout"], attempt["retries"], attempt["offline"]),
            *(attempt["without"], attempt),
        )
