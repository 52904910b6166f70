"""Parts of pages that are made when the documentation is built, from what they speak of.

A line ``<!-- made: NAME ARGUMENT -->`` of a page is replaced by what the function of that name
returns. MkDocs calls the functions that begin with ``on_``.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import re
import shlex
import shutil
import tempfile
from functools import partial
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import pandas as pd
import typer
from rich.console import Console
from typer.testing import CliRunner

from schedlab.cli import app, output
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine, NodeKind
from schedlab.core.slurm_site import Priorities, Site
from schedlab.core.streams import generator
from schedlab.exports.swf import write_schedule
from schedlab.files import sheets  # MkDocs calls every name that begins with on_
from schedlab.files.config import read_yaml
from schedlab.policies import get
from schedlab.policies.features import FEATURES
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.site_problem import problem_of
from schedlab.queue.slurm_site import kernel_of
from schedlab.report import committed
from schedlab.report.access import complete_tables
from schedlab.report.drift import read_expected
from schedlab.report.figures.style import canvas, house_style
from schedlab.report.items import Group, Study
from schedlab.report.pages import item_name
from schedlab.report.pictures import inlined, thumbnail, title_of
from schedlab.report.sources import places_of
from schedlab.report.verdicts import VERDICTS
from schedlab.traces.readers import READERS
from schedlab.traces.registry import read_registry
from schedlab.traces.slurm.site_keys import read_keys
from schedlab.traces.slurm.squeue_text import SITE_COMMAND
from schedlab.workloads import lublin, tsafrir
from schedlab.workloads.users import with_users

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import click
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
MARKER = re.compile(r"^<!-- made: (?P<name>\w+)(?: (?P<argument>\S+))? -->$", re.MULTILINE)
#: a block of Python of a page
PYTHON = re.compile(r"^```python\n(?P<code>.*?)^```\n", re.MULTILINE | re.DOTALL)
KERNELS = ROOT / "src/schedlab/kernels"
DUMPS = ROOT / "tests/unit/traces/slurm-22.05"
QUEUES = ROOT / "tests/unit/workbench/slurm-22.05"
#: processors of the machine that examples give for the dump; wider jobs are left out of it
WIDEST = 512
#: examples that are shown only: what they print differs from build to build, or needs a Slurm
NOT_RUN = ("bench", "why", "asa run", "asa resume", "asa status")
#: every such job of the log has no time limit, every such one of these was cancelled
NO_LIMIT, NO_START = 500, 1000
#: names of the kinds of lines in the table of keys
SLURM_FILES = {
    **{"conf": "slurm.conf", "gres": "gres.conf", "topology": "topology.conf"},
    **{"node": "NodeName=", "partition": "PartitionName=", "nodeset": "NodeSet="},
    **{"downnodes": "DownNodes=", "frontend": "FrontendName=", "block": "BlockName="},
}
#: results of the quick report
QUICK = "results/quick"
#: characters of a line that fit into a page in a window of 1300 pixels
WIDTH = 96
#: how commands print on a terminal of that width, without colors
TERMINAL = partial(Console, force_terminal=True, width=WIDTH, color_system=None)
#: the longest output that is shown whole, and how much of a longer one
MOST_LINES, SHOWN_LINES = 55, 40


def on_page_markdown(markdown: str, page: Page | None = None, **_: object) -> str:
    """Fill in what a page leaves to be made."""
    if page and page.file.src_uri == "recipes.md":
        markdown = with_outputs(markdown)
    return MARKER.sub(
        lambda found: MADE[found["name"]](*filter(None, [found["argument"]])), markdown
    )


def on_config(config: MkDocsConfig, **_: object) -> MkDocsConfig:
    """Leave out the page for unknown addresses, which only a server shows."""
    config.theme.static_templates.discard("404.html")
    return config


def on_post_page(html: str, **_: object) -> str:
    """Give the search box a name and each table a caption, which the theme leaves out."""
    return complete_tables(html.replace('role="dialog"', 'role="dialog" aria-label="Search"'))


def commands() -> str:
    """Every command: what it is for, its example with what that prints, and its options."""
    parts = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, command in walk(typer.main.get_command(app)):
            site_files()  # anew, since an example may write them
            words, example = purpose_and_example(name, command)
            parts += [f"## {name}", words, ran(example, name), options(name)]
    return "\n\n".join(filter(None, parts))


def with_outputs(markdown: str) -> str:
    """A page with what each of its blocks of Python prints and draws, below the block."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        site_files()
        return PYTHON.sub(lambda block: block[0] + output_of(block["code"]), markdown)


def output_of(code: str) -> str:
    """What a block of Python prints, and the pictures that it writes into this folder."""
    printed = StringIO()
    wide = pd.option_context("display.width", WIDTH, "display.max_columns", None)
    with wide, contextlib.redirect_stdout(printed):
        exec(compile(code, "a block of the page", "exec"), {"__name__": "block"})
    parts = ["```{.text .wide}", *shortened(printed.getvalue().rstrip().splitlines()), "```", ""]
    for path in sorted(Path().glob("*.png")):
        parts += [embedded(path.read_bytes(), "What the block above draws"), ""]
        path.unlink()
    return "\n".join(["", *parts])


def embedded(picture: bytes, words: str) -> str:
    """A picture (png) within the page, with words for those who cannot see it."""
    data = base64.b64encode(picture).decode()
    return f'<img alt="{words}" src="data:image/png;base64,{data}">'


def shortened(lines: list[str]) -> list[str]:
    """The first lines of a long output, without a part of a table, and how many more there are."""
    if len(lines) <= MOST_LINES:
        return lines
    shown = lines[:SHOWN_LINES]
    while shown[-1].startswith(tuple("┏┃┡│")):
        shown.pop()
    return [*shown, f"… and {len(lines) - len(shown)} lines more"]


def site_files() -> None:
    """Write what examples name: a log drawn from a model, a dump and a queue of a real Slurm."""
    drawn = lublin.generate(6000, 128, generator("docs", "l", "jobs"))
    drawn = tsafrir.with_estimates(drawn, 162_754, generator("docs", "l", "estimates"))
    drawn = with_users(drawn, 12, generator("docs", "l", "users"))
    jobs = Jobs.from_frame(drawn)
    schedule = simulate(Run(jobs, 128, get("fcfs"), backfill=get("fcfs")))
    write_schedule("site.swf.gz", jobs, schedule, 128, {"user": drawn["user"]})
    leave_gaps(Path("site.swf.gz"))
    lines = (DUMPS / "short.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    narrow = [line for line in lines if int(line.split("|")[3]) <= WIDEST]
    Path("dump.txt").write_text("".join(narrow), encoding="utf-8")
    shutil.copy(DUMPS / "partitions.txt", "partitions.txt")
    for name in ("squeue.txt", "sinfo.txt"):
        shutil.copy(QUEUES / name, name)


def leave_gaps(log: Path) -> None:
    """Take the time limit of some jobs of a log, and the start of others, which were cancelled.

    Sites' logs have such jobs, and cleaning then has something to drop and to change.
    """
    lines = gzip.decompress(log.read_bytes()).decode().splitlines()
    first = next(place for place, line in enumerate(lines) if not line.startswith(";"))
    for place in range(first + NO_LIMIT - 1, len(lines), NO_LIMIT):
        cells = lines[place].split()
        cells[8] = "-1"
        if (place - first + 1) % NO_START == 0:
            cells[2:5], cells[10] = ["-1", "-1", "-1"], "5"
        lines[place] = " ".join(cells)
    log.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))


def walk(group: click.Group, lead: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command by its full name, those of groups behind the group's."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from walk(command, f"{lead}{name} ")
        else:
            yield lead + name, command


def purpose_and_example(name: str, command: click.Command) -> tuple[str, str]:
    """The first paragraph of a command's help, and the last call of it that the help has."""
    text = f"{command.help}\n\n{command.epilog or ''}".replace("\b\n", "")
    joined = re.sub(r"\\\n\s*", "", text)
    found = re.findall(rf"schedlab {name}\b.*(?:\n(?=\S).+)*", joined)
    return text.partition("\n\n")[0], " ".join(found[-1].split()) if found else ""


def ran(example: str, name: str) -> str:
    """A call and what it prints here; only the call where it needs what is not here."""
    if not example:
        return ""
    if name in NOT_RUN:
        return f"```console\n$ {example}\n```"
    with patch.object(output, "Console", TERMINAL):
        result = CliRunner().invoke(app, shlex.split(example)[1:])
    printed = result.output.rstrip() if result.exit_code == 0 else ""
    lines = [line.rstrip() for line in printed.splitlines()]
    return "\n".join(["```{.console .wide}", f"$ {example}", *shortened(lines), "```"])


def options(name: str) -> str:
    """A command's own help, folded."""
    result = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": str(WIDTH)})
    text = result.output.strip().replace("Usage: root", "Usage: schedlab")
    lines = ["```{.text .wide}", *text.splitlines(), "```"]
    body = "\n".join(f"    {line}".rstrip() for line in lines)
    return f'??? note "schedlab {name} --help"\n\n{body}'


def kernels(kind: str) -> str:
    """What each kernel (pyx) or what they share (pxd) says of itself at its head."""
    parts = []
    for path in sorted(KERNELS.rglob(f"*.{kind}")):
        if text := head(path.read_text(encoding="utf-8")):
            parts.append(f"### {path.stem}\n\n{text}")
    return "\n\n".join(parts)


def head(source: str) -> str:
    """The docstring or the comment that a file of Cython begins with."""
    if source.startswith('"""'):
        text = source[3:].partition('"""')[0]
    else:
        lines = re.match(r"(?:#.*\n)*", source)[0].splitlines()
        text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines)
    # an asterisk is a product here
    text = "".join(
        part if place % 2 else part.replace("*", r"\*").replace("<", "&lt;")
        for place, part in enumerate(re.split("(`[^`]*`)", text.strip()))
    )
    return re.sub(
        r"^(Algorithm|Structures|Invariant|Precision|Cost)\b", r"**\1**", text, flags=re.M
    )


def verdicts(paper: str) -> str:
    """How many numbers of each item have which verdict, as the committed expectation has them."""
    pins = read_expected(ROOT / "resources/expected.tsv")
    own = pins[pins["paper"] == paper]
    items = own["item"] + own["dialect"].map(lambda dialect: f" ({dialect})" if dialect else "")
    table = pd.crosstab(items, own["verdict"]).rename_axis(index="item")
    words = [word for word in VERDICTS if word in table]
    return table[words].to_markdown()


def reasons(paper: str) -> str:
    """Why which numbers differ, as ``resources/<paper>/reasons.tsv`` has it, by reason."""
    rows = pd.read_csv(ROOT / f"resources/{paper}/reasons.tsv", sep="\t", dtype=str)
    rows["numbers"] = rows["row"] + ": " + rows["column"]
    by_reason = rows.groupby(["item", "reason"], sort=False)["numbers"].agg("; ".join)
    return by_reason.reset_index()[["item", "numbers", "reason"]].to_markdown(index=False)


def totals() -> str:
    """How many numbers of each paper have which verdict, at the papers' scale."""
    return committed.as_markdown(committed.of_checkout(ROOT / "resources"))


def differences() -> str:
    """Every number that differs, by paper and table, those without a reason first."""
    return committed.differences_as_markdown(committed.of_checkout(ROOT / "resources"))


def large() -> str:
    """Time and memory of each stage of a large log, as ``docs/large.tsv`` has them."""
    rows = pd.read_csv(ROOT / "docs/large.tsv", sep="\t")
    largest = rows[rows["jobs"] == rows["jobs"].max()].set_index("stage")
    table = largest[["seconds", "peak_gb"]].set_axis(["seconds", "peak memory, GB"], axis=1)
    seconds = rows.pivot(index="jobs", columns="stage", values="seconds")[largest.index]
    memory = rows.pivot(index="jobs", columns="stage", values="peak_gb")[largest.index]
    with house_style():
        figure = canvas(3.2)
        left, right = figure.subplots(1, 2)
        for axes, values, label in ((left, seconds, "seconds"), (right, memory, "peak memory, GB")):
            for stage in values:
                axes.plot(values.index, values[stage], marker=".", label=stage)
            axes.set(xscale="log", yscale="log", xlabel="jobs", ylabel=label)
        figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
        stream = BytesIO()
        figure.savefig(stream, format="png", dpi=200)
    words = "Seconds and peak memory of each stage grow in proportion to the number of jobs"
    return f"{table.to_markdown()}\n\n{embedded(stream.getvalue(), words)}"


#: of the picture of a plan: name, first node of a running job, nodes, processors, limit in minutes
PLANNED = (
    *(("A", 0, 2, 8, 60), ("B", 2, 2, 8, 40), ("C", None, 4, 4, 60), ("D", None, 1, 1, 30)),
    *(("E", None, 1, 1, 60), ("F", None, 2, 8, 30)),
)
COLORS = {"run": "0.75", "start": "C0", "plan": "C1"}


def site_plan() -> str:
    """Picture of a backfill pass of a site's Slurm on six nodes of four processors."""
    with house_style():
        figure = canvas(2.6)
        axes = figure.subplots()
        for name, kind, begin, minutes, nodes in planned():
            for node in nodes:
                bar = axes.barh(node, minutes, left=begin, color=COLORS[kind], edgecolor="white")
                axes.bar_label(bar, [name], label_type="center")
        axes.set(xlabel="minutes from the pass on", yticks=range(6))
        axes.set_yticklabels([f"n{node + 1}" for node in range(6)])
        axes.invert_yaxis()
        names = {"run": "runs", "start": "starts now", "plan": "reserved"}
        handles = [axes.barh(0, 0, color=COLORS[kind], label=names[kind]) for kind in names]
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
        stream = BytesIO()
        figure.savefig(stream, format="png", dpi=200)
    parts = [
        f"{name} {'starts' if kind == 'start' else 'is planned'} at minute {begin:.0f} on "
        + " and ".join(f"n{node + 1}" for node in nodes)
        for name, kind, begin, _, nodes in planned()
        if kind != "run"
    ]
    return embedded(stream.getvalue(), "; ".join(parts))


def planned() -> Iterator[tuple[str, str, float, int, list[int]]]:
    """Yield name, kind, begin and length in minutes and nodes of each job of the picture."""
    columns = ("name", "first", "request.nodes", "procs", "minutes")
    rows = pd.DataFrame(PLANNED, columns=columns)
    rows["runtime"] = rows["estimate"] = 60 * rows["minutes"]
    jobs = Jobs.from_frame(rows.assign(number=rows.index, submit=0))
    machine = Machine.of_nodes({f"n{node}": NodeKind(4) for node in range(1, 7)})
    site = Site(machine, Priorities(multifactor=False), memory_counts=False)
    kernel = kernel_of(problem_of(site, jobs, jobs.requests))
    for job, row in rows[rows["first"].notna()].iterrows():
        nodes = [int(row["first"]) + place for place in range(row["request.nodes"])]
        kernel.put(job, dict.fromkeys(nodes, 4), 0)
        yield row["name"], "run", 0, row["minutes"], nodes
    waiting = rows.index[rows["first"].isna()].tolist()
    for job, kind, start, nodes in kernel.backfill_pass(0, waiting):
        yield rows["name"][job], kind, start / 60, rows["minutes"][job], sorted(nodes)


def squeue_format() -> str:
    """Command that writes the queue for `schedlab why`."""
    return f"```console\n{SITE_COMMAND} > squeue.txt\n```"


def asked() -> str:
    """Errors of starts that a real Slurm and `schedlab why` predicted, in minutes."""
    table = pd.read_csv(ROOT / "tests/asked/errors.csv")
    held = table.pop("held").map("{:.0f} %".format).replace("nan %", "–")
    minutes = [name for name in table if table[name].dtype == float]
    table[minutes] = table[minutes].div(60).round().astype(int)
    table = table.rename(columns=lambda name: name.replace("_", " ") + ", min" * (name in minutes))
    table = table.rename(columns={"where": "jobs that have", "by": "predicted by"})
    return table.assign(**{"within the 80 % interval": held}).to_markdown(index=False)


def formats() -> str:
    """The formats of logs: what is read, what is not, and how to export them."""
    rows = [(row.name, row.reads, row.leaves, f"`{row.export}`") for row in READERS]
    heads = ["format", "read", "not read", "export"]
    return pd.DataFrame(rows, columns=heads).to_markdown(index=False)


def features() -> str:
    """Inputs of learned policies, in a table."""
    rows = [f"| `{name}` | {words} |" for name, words in FEATURES.items()]
    return "\n".join(["| feature of a job | what it is |", "| --- | --- |", *rows])


def slurm_keys(what: str) -> str:
    """The keys of a site's Slurm files that are ``what`` here, by file and note."""
    pairs = [(row, len(rows) > 1) for rows in read_keys().values() for row in rows.values()]
    pairs = [pair for pair in pairs if pair[0].what == what.replace("_", " ")]
    table = pd.DataFrame([row for row, _ in pairs])
    table["keys"] = [
        f"`{row.key}={row.value}`" if row.value else f"`{row.key}`{', other values' * has_others}"
        for row, has_others in pairs
    ]
    table["file"] = table["file"].map(lambda file: SLURM_FILES.get(file, file))
    groups = table.groupby(["file", "note"], sort=False)["keys"].agg("; ".join)
    return groups.reset_index()[["file", "keys", "note"]].to_markdown(index=False)


def gallery(paper: str) -> str:
    """Every figure of a paper: picture (of a quick report), caption, command and source lines."""
    return gallery_of(paper, groups_of(paper))


def groups_of(paper: str) -> list[Group]:
    """The items of a paper at the papers' scale, by the job that makes them."""
    config, schemas = read_yaml(ROOT / "config/config.yaml"), ROOT / "workflow/schemas"
    logs = read_registry(ROOT / "config/traces.tsv", schemas / "traces.schema.yaml")
    study = import_module(f"schedlab.studies.{paper}.sheet")
    sheet = sheets.read(
        study.ROW, ROOT / f"config/experiments/{paper}.tsv", schemas / f"{paper}.schema.yaml"
    )
    sheet = sheets.with_drawn(sheet, {name: log.model for name, log in logs.items() if log.model})
    rows = getattr(study, "as_run", sheets.on_models)(sheet, config)
    items = import_module(f"schedlab.studies.{paper}.items")
    return items.groups(
        Study(paper, tuple(rows), config, lambda path: str(ROOT / path), tuple(sheet))
    )


def gallery_of(paper: str, groups: Iterable[Group], results: str = QUICK) -> str:
    """The figures of groups of items, those of the paper first, by number."""
    figures = [(item, group) for group in groups for item in group.items if "figure" in item.kinds]
    parts = []
    for item, group in sorted(figures, key=lambda pair: number_of(pair[0].name)):
        name = item_name(item.name).removeprefix("fig ")
        parts.append(f"### {name[:1].upper() + name[1:]} {{ #{paper}-{item.name} }}")
        path = ROOT / results / "figures" / paper / f"{item.name}.png"
        if path.is_file():
            parts.append(picture(path, thumbnail(path)))
        code = [
            f"`{place.function}` in `{place.file}`, lines {place.first}–{place.last}"
            for place in places_of(group.maker)
        ]
        command = f"snakemake --cores all results/figures/{paper}/{item.name}.png"
        parts += [item.caption, f"```sh\n.venv/bin/{command}\n```"]
        parts.append("; ".join([f"Rule `{group.name}`", *code]) + ".")
    return "\n\n".join(filter(None, parts))


def figure(place: str) -> str:
    """One figure of the quick report (PAPER/ITEM) with its finding; nothing if it was not made."""
    path = ROOT / QUICK / "figures" / f"{place}.png"
    if not path.is_file():
        return ""
    anchor = place.replace("/", "-")
    links = f"[its caption and command](gallery.md#{anchor}), [all figures](gallery.md)"
    return f"{picture(path, inlined(path)['uri'])}\n\nFrom the quick report: {links}."


def picture(path: Path, uri: str) -> str:
    """The picture of a figure, with its finding for those who cannot see it."""
    words = title_of(path).replace('"', "&quot;")
    return f'<img alt="{words}" loading="lazy" src="{uri}">'


def number_of(item: str) -> tuple:
    """The published number of a figure, to sort by; those without one are last, by name."""
    found = re.fullmatch(r"fig(\d+(?:_\d+)*)(.*)", item)
    if not found:
        return ((float("inf"),), item)
    return (tuple(map(float, found[1].split("_"))), found[2])


MAKERS = (
    *(commands, figure, gallery, kernels, verdicts, reasons, totals, differences, large),
    *(slurm_keys, site_plan, squeue_format, formats, features, asked),
)
MADE = {function.__name__: function for function in MAKERS}
