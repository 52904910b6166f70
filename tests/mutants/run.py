"""Change one place at a time in the rooms that decide words and numbers, and see tests notice.

usage: python tests/mutants/run.py [ROOM ...] [--again] [--processes N]

Cosmic Ray makes the changes; what runs them is here, because a process of its own for each change
takes hours to import what a fork of this one has. Nothing is written to the sources: the changed
module is compiled in the fork. Each change meets the tests that reach its lines, the quick ones
first, and the first that fails has noticed. A change that hangs is noticed as well.

What no test notices is explained in explained.tsv, by the changed lines. The run fails when fewer
than the share `least` of rooms.toml are noticed in some room, or one is not explained. With --again
only what nothing noticed in the last run is changed, which takes seconds while tests are written.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pickle
import random
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import coverage
import pandas as pd
import pytest
from changes import Change, changes
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = ROOT / "src" / "schedlab"
EXPLAINED = HERE / "explained.tsv"
SURVIVORS = ROOT / "results" / "mutants" / "survivors.tsv"
COLUMNS = ["module", "before", "after"]
OPTIONS = (
    *("-q", "--hypothesis-profile=mutants", "-m", "not logs and not slurm"),
    *("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"),
)
EXTRA_S = 20  # seconds beyond ten times what the tests take unchanged


@dataclass
class Unchanged:
    """A package's tests without a change: seconds by test, tests by module and line, exit code."""

    seconds: dict[str, float] = field(default_factory=dict)
    reached: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    code: int = 0

    def tests(self, module: Path, first: int, last: int) -> list[str]:
        """Tests that reach some of the lines, quickest first.

        Lines that run on import are reached by all of a file that reaches anything of the module or
        imports from it: a constant is read where no line runs.
        """
        lines = self.reached.get(str(module), {})
        names = set().union(*(lines.get(line, set()) for line in range(first, last + 1)))
        if "" in names:
            names = {name.split("::")[0] for name in set().union(*lines.values())}
            names |= importers(module, {test.split("::")[0] for test in self.seconds})
        chosen = [test for test in self.seconds if test in names or test.split("::")[0] in names]
        return sorted(chosen, key=self.seconds.get)


def importers(module: Path, files: set[str]) -> set[str]:
    parts = module.relative_to(SOURCES.parent).with_suffix("").parts
    said = (f"from {'.'.join(parts)} import", f"from {'.'.join(parts[:-1])} import {parts[-1]}")
    return {file for file in files if any(each in (ROOT / file).read_text() for each in said)}


class Watch:
    """Pytest plugin: which test reaches which line, and how long each takes."""

    def __init__(self, found: Unchanged, coverage_: coverage.Coverage) -> None:
        self._found, self._coverage = found, coverage_

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        self._coverage.switch_context(item.nodeid.split("::")[0])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item):
        self._coverage.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report):
        if report.passed:
            before = self._found.seconds.get(report.nodeid, 0.0)
            self._found.seconds[report.nodeid] = before + report.duration


class Chosen:
    """Pytest plugin: only these tests, in this order."""

    def __init__(self, tests: list[str]) -> None:
        self._place = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items[:] = sorted(
            (item for item in items if item.nodeid in self._place),
            key=lambda item: self._place[item.nodeid],
        )


class Changed(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """Finds one module, with other code than its file has."""

    def __init__(self, module: Path, code: str) -> None:
        parts = module.relative_to(SOURCES.parent).with_suffix("").parts
        super().__init__(".".join(parts), str(module))
        self._code = code

    def find_spec(self, fullname, path, target=None):
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname):
        return compile(self._code, self.path, "exec", dont_inherit=True)


def pytest_in(folder: Path, arguments: list[str], plugins: list) -> int:
    """Run pytest without a word, its temporary files in a folder."""
    with open(os.devnull, "w") as silence:
        os.dup2(silence.fileno(), 1)
        os.dup2(silence.fileno(), 2)
    base = f"--basetemp={folder / str(os.getpid())}"
    return int(pytest.main([*OPTIONS, base, *arguments], plugins=plugins))


def forked(work: Callable[[], int], seconds: float = 0) -> int:
    """Start work in a fork that ends after so many seconds; return its process."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        code = work()
    finally:
        os._exit(code)


def unchanged(tests: list[str], modules: list[Path], folder: Path) -> Unchanged:
    result = folder / "unchanged.pickle"

    def work() -> int:
        found = Unchanged()
        watched = coverage.Coverage(
            data_file=str(folder / "coverage"),
            include=[str(module) for module in modules],
            config_file=False,
        )
        watched.start()
        found.code = pytest_in(folder, tests, [Watch(found, watched)])
        watched.stop()
        data = watched.get_data()
        for module in map(str, modules):
            lines = data.contexts_by_lineno(module)
            found.reached[module] = {line: set(names) for line, names in lines.items()}
        result.write_bytes(pickle.dumps(found))
        return 0

    os.waitpid(forked(work), 0)
    return pickle.loads(result.read_bytes())


def warm_up(tests: list[str]) -> None:
    """Import what the tests import, then forget all of the project but its kernels."""
    with open(os.devnull, "w") as silence:
        out, sys.stdout = sys.stdout, silence
        try:
            pytest.main([*OPTIONS, "--collect-only", *tests])
        finally:
            sys.stdout = out
    for name, module in list(sys.modules.items()):
        if is_ours(Path(getattr(module, "__file__", None) or os.devnull)):
            del sys.modules[name]


def is_ours(place: Path) -> bool:
    """Return whether a module is the project's own Python: no library in .venv, nor these."""
    folders = (ROOT / "src", ROOT / "tests", ROOT / "workflow")
    computed = any(folder in place.parents for folder in folders) and HERE not in place.parents
    return computed and place.suffix == ".py"


def outcomes(
    todo: Iterator[tuple[object, list[str], Callable[[], int], float]], processes: int
) -> Iterator[tuple[object, bool]]:
    """Yield whether tests noticed each change, over several processes."""
    running: dict[int, object] = {}

    def ended() -> tuple[object, bool]:
        process, status = os.wait()
        return running.pop(process), status != 0

    for key, tests, work, seconds in todo:
        if not tests:
            yield key, False
            continue
        if len(running) == processes:
            yield ended()
        running[forked(work, seconds)] = key
    while running:
        yield ended()


def run_room(
    settings: dict, wanted: set[tuple] | None, most: int, processes: int, folder: Path
) -> Iterator[tuple[Path, Change, bool]]:
    """Yield changes of a room, wanted or drawn ones, and whether a test noticed each."""
    tests = sorted({str(path) for name in settings["tests"] for path in _files(ROOT, name)})
    modules = sorted({path for name in settings["modules"] for path in _files(SOURCES, name)})
    warm_up(tests)
    known = unchanged(tests, modules, folder)
    if known.code:
        raise SystemExit(f"tests fail as it is: {' '.join(settings['tests'])}")

    sources = {module: module.read_text() for module in modules}
    every = [
        (module, change)
        for module, source in sources.items()
        for change in changes(source)
        if wanted is None or _key(module, change) in wanted
    ]
    chosen = every if len(every) <= most else random.Random(1).sample(every, most)

    def todo() -> Iterator:
        for module, source in sources.items():
            lines = len(source.splitlines())
            yield _meet(folder, known, module, Change("", "", 1, 1, lines, source))
        for module, change in chosen:
            yield _meet(folder, known, module, change)

    for (module, change), noticed in outcomes(todo(), processes):
        if change.before:
            yield module, change, noticed
        elif noticed:
            raise SystemExit(f"tests fail although nothing is changed in {module}")


def _key(module: Path, change: Change) -> tuple[str, str, str]:
    """What a survivor is known by: the columns of `COLUMNS`."""
    return str(module.relative_to(SOURCES)), change.before, change.after


def _meet(folder: Path, known: Unchanged, module: Path, change: Change) -> tuple:
    """Return a change, the tests that it meets, what runs them, and for how many seconds."""
    chosen = known.tests(module, change.first, change.last)
    files = list(dict.fromkeys(test.split("::")[0] for test in chosen))

    def work() -> int:
        sys.meta_path.insert(0, Changed(module, change.code))
        return pytest_in(folder, ["-x", *files], [Chosen(chosen)])

    return (module, change), chosen, work, EXTRA_S + 10 * sum(map(known.seconds.get, chosen))


def _files(folder: Path, name: str) -> list[Path]:
    found = [path for path in folder.glob(name) if path.name != "__init__.py"]
    if not found:
        raise SystemExit(f"rooms.toml: '{name}' is not in {folder}")
    return found


def listed(path: Path) -> set[tuple[str, str, str]]:
    frame = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False, quoting=3)
    return set(frame[COLUMNS].itertuples(index=False, name=None))


def main() -> int:
    settings = tomllib.loads((HERE / "rooms.toml").read_text())
    least = settings.pop("least")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(settings))
    parser.add_argument("--again", action="store_true", help="only what survived the last run")
    parser.add_argument(
        "--most",
        type=int,
        default=60,
        metavar="N",
        help="changes of a room that are tried (%(default)s)",
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count(), metavar="N")
    arguments = parser.parse_args()
    if unknown := set(arguments.rooms) - set(settings):
        parser.error(f"no room {', '.join(unknown)}; there are {', '.join(settings)}")
    os.chdir(ROOT)
    known, wanted = listed(EXPLAINED), listed(SURVIVORS) if arguments.again else None
    console, begun = Console(markup=False), time.monotonic()
    counts: dict[str, Counter] = defaultdict(Counter)
    survivors = []
    for room in arguments.rooms or settings:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            for module, change, noticed in run_room(
                *(settings[room], wanted, arguments.most, arguments.processes, Path(folder))
            ):
                counts[room]["noticed" if noticed else "survived"] += 1
                if not noticed:
                    name, before, after = _key(module, change)
                    survivors.append((room, name, change.line, before, after))
        console.print(summary_line(room, counts[room], time.monotonic() - start), highlight=False)
    rows = pd.DataFrame(survivors, columns=["room", "module", "line", "before", "after"])
    rows["explained"] = [key in known for key in rows[COLUMNS].itertuples(index=False, name=None)]
    SURVIVORS.parent.mkdir(parents=True, exist_ok=True)
    lines = [rows.columns, *rows.astype(str).itertuples(index=False)]
    SURVIVORS.write_text("".join("\t".join(line) + "\n" for line in lines))
    return _end(console, rows, counts, 0 if wanted else least, time.monotonic() - begun)


def summary_line(room: str, count: Counter, seconds: float) -> str:
    share = f"{count['noticed']} of {count.total()} noticed, {_share(count):.1%}"
    return f"{room}: {share}, in {seconds / 60:.1f} min"


def _share(count: Counter) -> float:
    return count["noticed"] / max(count.total(), 1)


def too_few(counts: dict[str, Counter], least: float) -> list[str]:
    return [room for room, count in counts.items() if count.total() and _share(count) < least]


def _end(
    console: Console, rows: pd.DataFrame, counts: dict[str, Counter], least: float, seconds: float
) -> int:
    open_ = rows[~rows["explained"].astype(bool)]
    if len(open_):
        table = Table(title="Noticed by no test, and not explained")
        for column in ("where", "before", "after"):
            table.add_column(column, overflow="fold")
        for row in open_.itertuples():
            table.add_row(f"{row.module}:{row.line}", row.before, row.after)
        console.print(table)
    console.print(summary_line("all", sum(counts.values(), Counter()), seconds), highlight=False)
    console.print(f"{len(rows)} survivors, {len(open_)} of them not explained: {SURVIVORS}")
    if few := too_few(counts, least):
        console.print(f"fewer than {least:.0%} noticed: {', '.join(few)}", highlight=False)
    return int(bool(few) or bool(len(open_)))


if __name__ == "__main__":
    sys.exit(main())
