"""Make a report on your site from its accounting."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.extras import remedy
from schedlab.cli.import_log import (
    TABLE,
    describe_use,
    read_dump,
    size_by_partitions,
    write_import,
)
from schedlab.cli.log import (
    check_not_input,
    command,
    mistakes_in_one_line,
    print_dropped,
    size_of,
)
from schedlab.cli.output import print_text, warn
from schedlab.cli.site_example import write_example
from schedlab.cli.slurm import SlurmOptions
from schedlab.files.durations import format_duration, optional_seconds
from schedlab.files.known_words import check_known
from schedlab.files.programs import program
from schedlab.queue.dialect_cells import dialect_of
from schedlab.studies.site.calibration import NOTHING_RECORDED
from schedlab.studies.site.init import from_here, name_of, scale_of, write_site
from schedlab.traces.cleaning_rules import RULE_SETS, Rule
from schedlab.traces.losses import REMEDIES, remedies
from schedlab.traces.machine_size import usual_use
from schedlab.traces.readers import reader_of
from schedlab.traces.site_rules import partition_limit
from schedlab.traces.slurm.sacct_limits import PartitionLimits
from schedlab.traces.slurm.sacct_times import zone_of
from schedlab.workbench.log import Log, load_log
from schedlab.workbench.site_results import RULES

app = typer.Typer(no_args_is_help=True, help=__doc__, rich_markup_mode=None)

#: remedies with limits as durations, as for dumps, not in seconds
ADVICE = REMEDIES | {
    "estimate_positive": (
        "--default-limit 24h (or what the machine ends jobs at) gives jobs without a time "
        "limit that one; --rules rr9212_ran keeps them with their run time as estimate; --rules "
        "full_actual lets schedulers see the run times of all"
    )
}


@app.callback()
def main() -> None:
    """Make a report on your site from its accounting."""


app.command("example", epilog="Example: schedlab site example build/site --days 182 --jobs 30000")(
    write_example
)


@app.command(
    "init",
    epilog="Example: schedlab site init dump.txt --out mine.yaml --timezone Europe/Paris "
    "--processors 512",
)
@command
def init_site(
    log: Annotated[
        Path,
        typer.Argument(
            help="A log or an accounting: what sacct -aXP printed, or another of schedlab formats."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The configuration to write.")] = Path("site.yaml"),
    name: Annotated[
        str | None, typer.Option(help="What the site is called; by default as the file is.")
    ] = None,
    partitions: o.Partitions = None,
    default_limit: o.LimitOfRest = None,
    timezone: o.Timezone = None,
    salt: o.Salt = None,
    processors: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Size of the machine; by default what the partitions or the log say, else the "
            "processors that were enough for 99 % of the time.",
        ),
    ] = None,
    rules: o.Rules = o.DEFAULT_RULES,
    drop_wide: o.DropWide = False,
    dialect: o.Dialect = "full",
    *,
    slurm: SlurmOptions,
    force: Annotated[
        bool, typer.Option("--force", help="Write over files that are there.")
    ] = False,
) -> None:
    """Make the configuration of a report on a site from its log.

    With --slurm-conf the report simulates the site's own Slurm: processors and limits of
    partitions are those of its files, and jobs that do not fit the machine are left out.

    A dump of Slurm's accounting is imported: the log, a Parquet table with the jobs' requests, and
    the ledger of the import are written next to the configuration.
    """
    with mistakes_in_one_line():
        if timezone is not None:
            zone_of(timezone)
        check_known(rules, RULE_SETS, "rules")
        limit = optional_seconds(default_limit, "--default-limit", least=1)
        rest: Rule | None = None
        limits: Path | Mapping[str, PartitionLimits] | None = partitions
        if slurm.is_given():
            _refuse_given(dialect, processors, partitions, default_limit)
            dialect, drop_wide = slurm.cell(), True
            rules = RULES if rules == o.DEFAULT_RULES else rules
            site = dialect_of(dialect).site
            assert site is not None
            machine = site.site.machine
            processors = machine.processors
            rest = partition_limit(machine.partitions)
            limits = {
                each.name.lower(): PartitionLimits(each.default_time, each.max_time)
                for each in machine.partitions
            }
        dialect_of(dialect)
        path, ledger, reader, size = log, None, reader_of(log), processors
        if reader.lines is not None:
            stem = out.with_suffix("")
            path, ledger = stem.with_suffix(TABLE), stem.with_suffix(".ledger.csv")
            _check_free([out, path, ledger], log, force)
            size = size or size_by_partitions(partitions)
            read = read_dump(log, limits, default_limit, timezone, salt, size, rules)
            with write_import(read, path, ledger) as draft:
                size = size or _size(draft, path)
                opened = load_log(draft, rules, size, rest, drop_wide)
                if rest:
                    _print_log(opened)
        elif partitions or salt:
            raise ValueError(f"{log}: is no dump; --partitions and --salt are for dumps")
        else:
            _check_free([out], log, force)
            size = size or _size(log, log)
            opened = load_log(log, rules, size, rest or limit, drop_wide)
            _print_log(opened)
        for note in opened.notes:
            warn(f"{path}: {note}")
        if slurm.is_given() and not (opened.frame["wait"] >= 0).any():
            warn(f"{path}: {NOTHING_RECORDED}; the report gives no advice on waits")
        cells = {
            "name": name or name_of(log),
            "log": from_here(path),
            "processors": size,
            "rules": rules,
            "default_limit": format_duration(limit) if limit and path is log else None,
            "drop_wide": drop_wide,
            "timezone": timezone,
            "dialect": dialect,
            "changes": None,
            "ledger": from_here(ledger) if ledger else None,
        }
        write_site(out, cells)
    print_text(f"{cells['name']}: {size_of(opened)}, {opened.jobs.submit[-1] / 86_400:,.1f} days")
    print_text(f"written: {out}; next, in the folder of schedlab:")
    typer.echo(f"  {program('snakemake')} --cores 2 site --configfile {quote(from_here(out))}")
    if find_spec("snakemake") is None:
        warn(remedy("snakemake"))
    print_text(f"the report is then results/{scale_of(cells['name'])}/report/site.html")


def _refuse_given(
    dialect: str, processors: int | None, partitions: Path | None, limit: str | None
) -> None:
    """Refuse options in whose place a site's own files are; the error names the first."""
    given = {
        "--dialect": dialect != "full",
        "--processors": processors is not None,
        "--partitions": partitions is not None,
        "--default-limit": limit is not None,
    }
    for option, is_given in given.items():
        if is_given:
            raise ValueError(f"{option}: the site's own files have it (--slurm-conf); leave it out")


def _check_free(paths: list[Path], log: Path, force: bool) -> None:
    """Check that no file would be overwritten, unless forced; the error names all of them."""
    check_not_input(log, paths)
    existing = [str(path) for path in paths if path.exists()]
    if existing and not force:
        are = "is" if len(existing) == 1 else "are"
        raise ValueError(
            f"{', '.join(existing)}: {are} there already; give --force, or another --out"
        )


def _size(path: Path, name: Path) -> int:
    """Return the machine's size from the log `name`, or from its jobs' usage with a warning."""
    raw = reader_of(path).read(path)
    if raw.processors is not None:
        return raw.processors
    warn(
        f"{name}: nothing tells the machine's size: {describe_use(raw.jobs)}; the first number is "
        "taken; give --processors if it is another"
    )
    return usual_use(raw.jobs)


def _print_log(log: Log) -> None:
    """Print what cleaning drops, even if it drops nothing."""
    if log.lost.empty:
        print_text(f"rules {log.rules} drop nothing of the log: 0.0% of jobs and of core-hours")
    print_dropped(log.lost, f"rules {log.rules} drop", "the log", remedies(log.lost, texts=ADVICE))
