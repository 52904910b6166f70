"""What a script runs: the sources that it imports, libraries, and how kernels were built."""

from __future__ import annotations

import ast
import functools
import hashlib
import platform
import re
import sys
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from schedlab.files.config import ConfigError

PACKAGE = Path(__file__).parents[1]
# What decides nothing of a result: how it is logged, what is shown meanwhile, what it was made of.
PLUMBING = frozenset({"flow/build.py", "files/logs.py", "files/progress.py"})
# Distributions whose names are not those that are imported.
OTHERWISE_NAMED = {"PIL": "pillow", "yaml": "pyyaml"}
#: where setup.py writes how it built the kernels
RECORD = Path("kernels", "build.json")

# A tenth of the time of Python's own parser, which cannot read .pyx and .pxd files anyway.
_FROM = re.compile(r"^[ \t]*from ([\w.]+) c?import (?:\(([^)]*)\)|(.*))", re.M)
_IMPORT = re.compile(r"^[ \t]*c?import (\w.*)", re.M)
_TYPE_CHECKING = re.compile(r"^([ \t]*)if (?:\w+\.)?TYPE_CHECKING:\n(?:\1[ \t]+.*\n|\n)*", re.M)
_QUOTED = re.compile(r"""["']([\w-]+\.\w+)["']""")


@dataclass(frozen=True)
class Closure:
    """All that a source imports, at however many removes.

    Parameters
    ----------
    files : tuple of path
        Files of the package, sorted: modules, kernels with what they take in, and the data files
        that modules name. Modules that hold a docstring alone, and `PLUMBING`, are left out.
    libraries : tuple of str
        Distributions of other packages that are imported, sorted.
    """

    files: tuple[Path, ...]
    libraries: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Short digest of the files: their paths inside the package, and their bytes.

        It changes with an edit of any of them, and with nothing else: neither with the times of
        the files nor with the folder that the package is in.
        """
        lines = (f"{path.relative_to(PACKAGE).as_posix()} {_sha256(path)}" for path in self.files)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    @property
    def environment(self) -> dict[str, str]:
        """Versions of Python and libraries, and a hash of how kernels were built where one runs."""
        found = {"python": ".".join(platform.python_version_tuple()[:2])}
        found |= {name: _version(name) for name in self.libraries}
        if any(path.suffix == ".pyx" for path in self.files):
            found["kernels"] = _how_built()
        return found


def imported_by(*sources: Path) -> Closure:
    """Follow the imports of scripts or modules through the package.

    Imports for type checking alone are left out; those inside functions are followed. A name in
    quotes that is a file beside the module (a style sheet, a template) counts as one of its files.

    Parameters
    ----------
    *sources : path
        Python files, of the package or not; those of the package are in the result.
    """
    plumbing = {PACKAGE / name for name in PLUMBING}
    modules: set[str] = set()
    found: set[Path] = set()
    waiting = {source.resolve() for source in sources}
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path in plumbing:
            continue
        modules |= {name for name in _read(path).imports if not name.startswith("schedlab")}
        waiting |= _reached_from(path)
    inside = {path for path in found if path.is_relative_to(PACKAGE) and not _is_idle(path)}
    return Closure(tuple(sorted(inside)), tuple(sorted(_distributions(modules))))


def check_package(expected: str | Path) -> None:
    """See that the package that is imported is the one that comes with the workflow.

    Parameters
    ----------
    expected : path
        Folder of the package in the workflow's checkout; where there is none, any will do.

    Raises
    ------
    ConfigError
        Another checkout's package would run; the message names both and what to do.
    """
    expected = Path(expected)
    if expected.is_dir() and expected.resolve() != PACKAGE.resolve():
        raise ConfigError(
            f"the workflow is of {expected.resolve()}, but the package that would run is "
            f"{PACKAGE.resolve()}: use this checkout's own environment (make report or make test "
            "sets up .venv; then .venv/bin/snakemake), or pip install -e . here"
        )


def stale_kernels(package: Path = PACKAGE) -> list[str]:
    """Kernels that have not been built since their sources changed, in an editable install.

    Parameters
    ----------
    package : path
        Folder of the package; by default the one that is imported.

    Returns
    -------
    list of str
        Names of the .pyx files whose extension is missing, or older in whole seconds (build tools
        keep no finer times) than the file itself or one of the .pxd files that it takes in. Empty
        for a package that was installed from a wheel: its files' times say nothing.
    """
    if not (package.parents[1] / "setup.py").is_file():
        return []
    return [
        source.name
        for source in sorted((package / "kernels").rglob("*.pyx"))
        if _built(source) < max(int(path.stat().st_mtime) for path in _taken_in(source, package))
    ]


def _built(source: Path) -> int:
    """When the extension that Python imports for a source was built; -1: never."""
    candidates = [source.with_name(source.stem + suffix) for suffix in EXTENSION_SUFFIXES]
    return next((int(path.stat().st_mtime) for path in candidates if path.exists()), -1)


def _taken_in(source: Path, package: Path) -> set[Path]:
    """Find a .pyx file, its own .pxd and all that these take in with ``cimport``."""
    found: set[Path] = set()
    waiting = [source, source.with_suffix(".pxd")]
    while waiting:
        path = waiting.pop()
        if path in found or not path.exists():
            continue
        found.add(path)
        steps = [name.split(".")[1:] for name in _read(path).imports]
        waiting += [package.joinpath(*names).with_suffix(".pxd") for names in steps if names]
    return found


_version = functools.cache(version)


@functools.cache
def _sha256(path: Path) -> str:
    """Return the checksum of a file; many scripts import the same, so each is read once."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


class _Source(NamedTuple):
    """What is asked of a source: its imports, its words in quotes that may be files, its length."""

    imports: frozenset[str]
    quoted: frozenset[str]
    statements: int


@functools.cache
def _read(path: Path) -> _Source:
    """Read a source once: the dotted names that it imports when it runs, attributes included."""
    if path.suffix not in (".py", ".pyx", ".pxd"):
        return _Source(frozenset(), frozenset(), 0)
    text = path.read_text(encoding="utf-8")
    code, names = _TYPE_CHECKING.sub("", text), set()
    for module, several, line in _FROM.findall(code):
        attributes = re.sub(r"#.*| as \w+", "", several or line)
        names |= {module, *(f"{module}.{name}" for name in re.findall(r"\w+", attributes))}
    for line in _IMPORT.findall(code):
        names |= {part.split()[0] for part in line.partition("#")[0].split(",")}
    quoted: list[str] = []
    if path.suffix == ".py":
        quoted = _QUOTED.findall(code)
    else:  # what kernels take from elsewhere is part of the compiler
        names = {name for name in names if name.startswith("schedlab")}
    statements = len(ast.parse(text).body) if path.name == "__init__.py" else len(names)
    return _Source(frozenset(names), frozenset(quoted), statements)


@functools.cache
def _reached_from(path: Path) -> frozenset[Path]:
    """Files of the package that a source takes in at one remove: many scripts ask for the same."""
    return _data_beside(path).union(*map(_files_of, _read(path).imports))


@functools.cache
def _files_of(name: str) -> frozenset[Path]:
    """Files of the package that importing a dotted name runs; none of another package's name."""
    package, *steps = name.split(".")
    if package != "schedlab":
        return frozenset()
    stem, files = PACKAGE, {PACKAGE / "__init__.py"}
    for step in steps:
        stem = stem / step
        files |= {stem.with_suffix(suffix) for suffix in (".py", ".pyx", ".pxd")}
        files.add(stem / "__init__.py")
    return frozenset(path for path in files if path.is_file())


def _data_beside(path: Path) -> frozenset[Path]:
    """Files beside a module of the package that it names in quotes."""
    if not path.is_relative_to(PACKAGE):
        return frozenset()
    named = (path.with_name(name) for name in _read(path).quoted)
    return frozenset(beside for beside in named if beside.is_file())


@functools.cache
def _is_idle(path: Path) -> bool:
    """Whether a file decides nothing: plumbing, or a docstring alone."""
    if path.relative_to(PACKAGE).as_posix() in PLUMBING:
        return True
    return path.name == "__init__.py" and _read(path).statements < 2


def _distributions(modules: set[str]) -> set[str]:
    """Distributions that modules' top-level packages belong to; none for the standard library."""
    tops = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names
    return {OTHERWISE_NAMED.get(top, top) for top in tops}


def _how_built() -> str:
    """Return a hash of what setup.py recorded of the kernels' build; "unknown" without a record."""
    try:
        return hashlib.sha256((PACKAGE / RECORD).read_bytes()).hexdigest()[:16]
    except FileNotFoundError:
        return "unknown"
