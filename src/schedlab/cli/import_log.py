"""Import of the accounting of a site, or of a table of jobs, as a log with a ledger."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from schedlab.cli import options as o
from schedlab.cli.log import check_not_input, mistakes_in_one_line, print_dropped
from schedlab.cli.options import DEFAULT_RULES
from schedlab.cli.output import print_text, warn
from schedlab.core.requests import RAN_ON, Requests
from schedlab.files.durations import optional_seconds
from schedlab.files.io import COMPRESSIONS, whole
from schedlab.traces.columns import write_columns
from schedlab.traces.losses import losses_of, remedies
from schedlab.traces.machine_size import SHARE, in_use, read_machine_size, usual_use
from schedlab.traces.readers import READERS, reader_of
from schedlab.traces.slurm.sacct import SacctLog
from schedlab.traces.slurm.sacct_ledger import RULES
from schedlab.traces.slurm.sacct_limits import PartitionLimits, read_partitions
from schedlab.traces.swf import write_swf
from schedlab.traces.tables import Map, read_map

REMEDIES = {rule.name: rule.description for rule in RULES.values()} | {
    "not_ended": "export up to a time in the past (sacct -E), when its jobs have ended",
    "estimate_positive": (
        "jobs without a time limit: --partitions FILE (scontrol show partition) gives them their "
        "partition's, --default-limit 24h the rest"
    ),
    "runtime_positive": "no rules keep jobs that never started: most were cancelled while waiting",
}
#: end of the name of a log that is a table, with what jobs ask for
TABLE = ".parquet"
ZONE_IS_WRONG = (
    "local times that never come in this zone: is --timezone right? They were moved by up to an "
    "hour"
)


Out = Annotated[Path, typer.Argument(help="The log to write: .swf, .swf.gz or .parquet.")]
LedgerFile = Annotated[
    Path | None, typer.Option(help="A CSV file to write: what became of every line.")
]
Columns = Annotated[
    Path | None,
    typer.Option(
        help="Names of a table's columns: a file with tabs and the columns column, field (of "
        "sacct, GPUs or Wait) and unit."
    ),
]
Size = Annotated[int | None, typer.Option(min=1, help="Size of the machine, for the log's header.")]


def import_log(
    dump: Annotated[
        Path,
        typer.Argument(
            help="Output of sacct, accounting records, or a table of jobs; may be compressed."
        ),
    ],
    out: Out,
    ledger: LedgerFile = None,
    columns: Columns = None,
    partitions: o.Partitions = None,
    default_limit: o.LimitOfRest = None,
    timezone: o.Timezone = None,
    salt: o.Salt = None,
    processors: Size = None,
) -> None:
    """Make a log in SWF or Parquet from an accounting: see schedlab formats.

    Its content determines the format. Example of an export and an import:

    \b
    sacct -aXP -S 2024-01-01 -E 2024-07-01 > dump.txt -o JobID,JobIDRaw,\\
    User,Account,Partition,Submit,Eligible,Start,End,Elapsed,State,NCPUS,Timelimit
    scontrol show partition > partitions.txt
    schedlab import-log dump.txt site.swf.gz --timezone Europe/Paris \\
        --partitions partitions.txt --ledger ledger.csv
    """  # noqa: D301
    with mistakes_in_one_line():
        check_not_input(dump, [out, *([ledger] if ledger else [])])
        processors = processors or size_by_partitions(partitions)
        found = read_map(columns) if columns else None
        read = read_dump(dump, partitions, default_limit, timezone, salt, processors, columns=found)
        with write_import(read, out, ledger):
            pass
    if processors is None:
        warn(
            "a dump does not contain the machine's size: "
            f"{describe_use(read.records)}; give --processors, or --partitions with what scontrol "
            "show partition prints"
        )


def list_formats() -> None:
    """List the formats of logs that schedlab reads, what it reads of each, and how to export it."""
    for reader in READERS:
        print_text(f"{reader.name}: {reader.reads}")
        print_text(f"    not read: {reader.leaves}")
        print_text(f"    export: {reader.export}")
    names = ", ".join(f"{packed.name} ({packed.suffix})" for packed in COMPRESSIONS.values())
    print_text(f"Each may be compressed, but Parquet: {names}")


def read_dump(
    dump: Path,
    partitions: Path | Mapping[str, PartitionLimits] | None,
    default_limit: str | None,
    timezone: str | None,
    salt: str | None,
    processors: int | None,
    rules: str = DEFAULT_RULES,
    columns: Map | None = None,
) -> SacctLog:
    """Read an accounting with the options of a command, and print the losses.

    Raises ValueError if the dump or the partitions cannot be read, an option is invalid, or no job
    is left.
    """
    read = reader_of(dump, columns).read_jobs(
        dump,
        columns,
        timezone=timezone,
        partitions=read_partitions(partitions) if isinstance(partitions, Path) else partitions,
        default_limit=optional_seconds(default_limit, "--default-limit", least=1),
        salt=salt,
        processors=processors,
    )
    _print_losses(dump, read, rules)
    return read


@contextmanager
def write_import(read: SacctLog, out: Path, ledger: Path | None) -> Iterator[Path]:
    """Write a log and optionally its ledger, and print a summary; yield the draft of the log.

    The files take the place of earlier ones when the block has succeeded.
    """
    with ExitStack() as files:
        if ledger:
            read.fates.write(files.enter_context(whole(ledger)))
        draft = files.enter_context(whole(out))
        write = write_columns if out.suffix == TABLE else write_swf
        write(draft, read, read.header)
        try:
            yield draft
        except ValueError as error:
            raise ValueError(str(error).replace(str(draft), str(out))) from error
    _print_summary(read, out, ledger)


def size_by_partitions(path: Path | None) -> int | None:
    """Return the machine's processors from the file of its partitions, and print them.

    None if there is no file, or if it does not contain the number.
    """
    size = read_machine_size(path) if path else None
    if size is None:
        return None
    print_text(f"{path}: {size.nodes:,} nodes with {size.processors:,} processors")
    if size.estimated:
        warn(
            f"{path}: partitions overlap in part: the number of processors is estimated from the "
            "mean of their nodes; --processors or the output of sinfo is exact"
        )
    return size.processors


def describe_use(jobs: pd.DataFrame) -> str:
    """Return how many processors sufficed for almost all of the time, and the maximum in use."""
    most = int(in_use(jobs)[0].max(initial=0))
    return (
        f"{usual_use(jobs):,} processors were enough for {SHARE:.0%} of the time and the widest "
        f"job, {most:,} ran jobs at most"
    )


def _print_losses(dump: Path, read: SacctLog, rules: str) -> None:
    """Print the losses of the import and of cleaning; fail if no job is left."""
    advice = remedies(read.lost, texts=REMEDIES)
    print_dropped(read.lost, "the import drops", f"the dump's {read.dumped:,} jobs", advice)
    if read.records.empty:
        lines, _, by_rule = read.fates.counts()
        counts = ", ".join(f"{rule} {count:,}" for rule, count in by_rule.items())
        raise ValueError(f"{dump}: no job is left of {lines:,} lines: {counts or 'there is none'}")
    later = losses_of(read, rules, read.header.integer("UnixStartTime"))
    advice = remedies(later, texts=REMEDIES)
    print_dropped(later, f"rules {rules} will drop", "the jobs imported", advice)


def _print_summary(read: SacctLog, out: Path, ledger: Path | None) -> None:
    """Print what was written, and the other entries of the ledger."""
    lines, changed, by_rule = read.fates.counts()
    dropped = lines - len(read.records)
    print_text(
        f"{lines:,} lines = {len(read.records):,} jobs ({changed:,} with a field changed) + "
        f"{dropped:,} dropped"
    )
    for rule, count in by_rule.items():
        print_text(f"  {rule}: {count:,} ({RULES[rule].description})")
    if requests := Requests.of(read.requests):
        known = requests.known()
        if RAN_ON in read.requests:
            known[RAN_ON] = int((read.requests[RAN_ON] != "").sum())
        counts = ", ".join(f"{name} {count:,}" for name, count in known.items())
        kept = "" if out.suffix == TABLE else f"; only a log that ends with {TABLE} keeps them"
        print_text(f"requests of jobs: {counts}{kept}")
    if read.gpu_jobs:
        warn(
            f"{read.gpu_jobs:,} of {len(read.records):,} jobs have GPUs, which schedlab does not "
            "model: their processors count, and waits for GPUs are not simulated"
        )
    if read.possible_components:
        warn(
            f"{read.possible_components:,} jobs started with the job before them in another "
            "partition: they may be components of heterogeneous jobs, which only JobID shows; "
            "export JobID and JobIDRaw"
        )
    if "line_unreadable" in by_rule:
        warn("lines that cannot be read were left out; --ledger FILE lists each with its value")
    if "time_nonexistent" in by_rule:
        warn(ZONE_IS_WRONG)
    if read.ignored:
        print_text(f"fields not read: {', '.join(read.ignored)}")
    print_text(f"written: {', '.join(str(path) for path in (out, ledger) if path)}")
