"""Fetch a raw log or a pool: from the local archive, its addresses, or an empty placeholder."""

import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from schedlab.files.durations import read_duration
from schedlab.files.io import whole
from schedlab.files.logs import logged
from schedlab.traces import archive
from schedlab.traces.download import Network
from schedlab.traces.records import sha256_of
from schedlab.traces.registry import KINDS, Entry, read_registry


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
    """Write the file of a `kind` to `text`, and the report with the `attempt` to `record`.

    An existing file that matches the registry is kept. A log that is not found is no error: `text`
    is then an SWF file of header lines only, or a pool without applications.
    """
    entry = read_registry(registry, schema, KINDS[kind])[name]
    report = archive.reuse_fetched(entry, text, earlier_report(record, attempt))
    if report:
        logging.info("%s is kept: %s", name, report.message)
    else:
        network = None if offline else Network(timeout, retries)
        report = fetched(entry, folders, text, network, without)
    found = asdict(report) | {"written": sha256_of(Path(text)), "attempt": attempt}
    with whole(record) as draft:
        draft.write_text(json.dumps(found, indent=1) + "\n")


def fetched(
    entry: Entry, folders: str, text: str, network: Network | None, without: str
) -> archive.FetchReport:
    """Fetch the file to `text`, or write a placeholder; return the report."""
    try:
        report = archive.fetch(entry, archive.archive_folders(folders), text, network, without)
        logging.info("%s from %s: %s", entry.name, report.source, report.message)
    except archive.LogNotAvailable as missing:
        report = missing.report
        logging.warning("%s", missing)
        print(missing, file=sys.stderr)
        with whole(text) as draft:
            draft.write_text(archive.placeholder(entry, report.message))
    return report


def earlier_report(record: str, attempt: Mapping | None) -> archive.FetchReport | None:
    """Return the report of the last fetch if it was of the same file and the same sources."""
    try:
        earlier = json.loads(Path(record).read_text())
        if earlier.pop("attempt")["entry"] == attempt["entry"]:
            del earlier["written"]
            return archive.FetchReport(**earlier)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    attempt = job.params.attempt
    # records of an earlier version have seconds without a unit
    kept = attempt["timeout"]
    known = isinstance(kept, int | float)
    timeout = kept if known else read_duration(kept, "key 'download.timeout'", least=0.1)
    with logged(job.log[0]):
        fetch_log(
            *(job.input.registry, job.input.schema, job.params.kind, job.params.name),
            *(attempt["folders"], job.output.text, job.output.record),
            *(timeout, attempt["retries"], attempt["offline"]),
            *(attempt["without"], attempt),
        )
