"""Header of a log from an `sacct` dump."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from schedlab.traces.swf import Header

NOTES = (
    "Submit times are when jobs could start (Eligible), which waits count from.",
    "A queue is a partition of Slurm's; both fields have its number.",
    "A job that never started has run time 0, and waited until it left the queue.",
    "Users and groups are numbers in place of names.",
)


def header_of(
    cluster: str,
    span: tuple[int, int] | None,
    zone: ZoneInfo,
    partitions: Sequence[str],
    jobs: int,
    processors: int | None,
) -> Header:
    """Return the header of a log.

    `span` has the Unix seconds of the log's zero and of its last end, None for a log without jobs.
    """
    entries = [("Version", "2.2")]
    if cluster:
        entries.append(("Computer", cluster))
    entries += [("Conversion", "from sacct by schedlab"), ("MaxJobs", jobs), ("MaxRecords", jobs)]
    if span:
        first, last = (datetime.fromtimestamp(second, zone) for second in span)
        entries += [
            ("UnixStartTime", span[0]),
            ("TimeZoneString", zone.key),
            ("StartTime", f"{first:%Y-%m-%d %H:%M:%S %Z}"),
            ("EndTime", f"{last:%Y-%m-%d %H:%M:%S %Z}"),
        ]
    if processors is not None:
        entries.append(("MaxProcs", processors))
    for key in ("Queue", "Partition"):
        if partitions:
            entries.append((f"Max{key}s", len(partitions)))
        entries += [(key, f"{number} {name}") for number, name in enumerate(partitions, start=1)]
    entries += [("Note", note) for note in NOTES]
    return Header(tuple(f" {key}: {value}" for key, value in entries))
