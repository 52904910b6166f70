"""Fetch a raw log or a pool: from the local archive, its addresses, or an empty placeholder."""

import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from schedlab.files.durations import read_duration
from schedlab.files.io import whole
from schedlab.flow.scripts import run_script
from schedlab.traces import archive
from schedlab.traces.download import Network
from schedlab.traces.records import sha256_of
from schedlab.traces.registry import KINDS, Entry, read_registry


def fetch_log(
    registry: str, schema: str, kind: str, name: str, attempt: Mapping, text: str, record: str
) -> None:
    """Write the file of a `kind` to `text`, and the report with the `attempt` to `record`.

    `attempt` states the entry of the registry and where to look. An existing file that matches the
    registry is kept. A log that is not found is no error: `text` is then an SWF file of header
    lines only, or a pool without applications.
    """
    entry = read_registry(registry, schema, KINDS[kind])[name]
    report = archive.reuse_fetched(entry, text, earlier_report(record, attempt))
    if report:
        logging.info("%s is kept: %s", name, report.message)
    else:
        network = None if attempt["offline"] else network_of(attempt)
        report = fetched(entry, attempt["folders"], text, network, attempt["without"])
    found = asdict(report) | {"written": sha256_of(Path(text)), "attempt": attempt}
    with whole(record) as draft:
        draft.write_text(json.dumps(found, indent=1) + "\n")


def network_of(attempt: Mapping) -> Network:
    """Return the settings of downloads."""
    timeout = attempt["timeout"]
    # records of an earlier version have seconds without a unit
    if not isinstance(timeout, int | float):
        timeout = read_duration(timeout, "key 'download.timeout'", least=0.1)
    return Network(timeout, attempt["retries"])


def fetched(
    entry: Entry, folders: str, text: str, network: Network | None, without: str
) -> archive.FetchReport:
    """Fetch the file to `text`, or write a placeholder; return the report."""
    report = archive.fetch(entry, archive.archive_folders(folders), text, network, without)
    if report.status == archive.AVAILABLE:
        logging.info("%s from %s: %s", entry.name, report.source, report.message)
        return report
    logging.warning(report.message)
    # what was searched and tried is in the log of the job
    lead, _, tried = report.message.partition("\n")
    remedy = tried.partition("What to do")[1:]
    print(lead, *"".join(remedy).splitlines()[:2], file=sys.stderr)
    with whole(text) as draft:
        draft.write_text(archive.placeholder(entry, report.message))
    return report


def earlier_report(record: str, attempt: Mapping) -> archive.FetchReport | None:
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
    run_script(fetch_log, snakemake)  # noqa: F821
