"""Dependencies of a script: imported sources, libraries, and the build of the kernels."""

from __future__ import annotations

import ast
import functools
import hashlib
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from schedlab.files.config import ConfigError

PACKAGE = Path(__file__).parents[1]
# Modules that do not affect results: logging, progress, and this module.
PLUMBING = frozenset({"flow/build.py", "files/logs.py", "files/progress.py"})
# Libraries of a pool on a real Slurm and of learners, which no script of the workflow starts; make
# report has none.
UNUSED = frozenset({"cryptography", "dask", "distributed", "gymnasium"})
# Distributions with names that differ from those of their imported packages.
OTHERWISE_NAMED = {"PIL": "pillow", "vl_convert": "vl-convert-python", "yaml": "pyyaml"}
#: where setup.py records the build of the kernels
RECORD = Path("kernels", "build.json")

# Takes a tenth of the time of Python's parser, which cannot read .pyx and .pxd files anyway.
_FROM = re.compile(r"^[ \t]*from ([\w.]+) c?import (?:\(([^)]*)\)|(.*))", re.M)
_IMPORT = re.compile(r"^[ \t]*c?import (\w.*)", re.M)
_TYPE_CHECKING = re.compile(r"^([ \t]*)if (?:\w+\.)?TYPE_CHECKING:\n(?:\1[ \t]+.*\n|\n)*", re.M)
_QUOTED = re.compile(r"""["']([\w-]+\.\w+)["']""")


@dataclass(frozen=True)
class Closure:
    """All direct and indirect imports of a source, sorted: files, and libraries."""

    files: tuple[Path, ...]
    libraries: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Short digest of the files' paths in the package and their bytes, wherever they are."""
        return hashlib.sha256("\n".join(map(_line, self.files)).encode()).hexdigest()[:16]

    @property
    def environment(self) -> dict[str, str]:
        """Versions of Python and libraries, and a hash of the kernels' build if one is used."""
        versions = {"python": ".".join(platform.python_version_tuple()[:2])}
        versions |= {name: _version(name) for name in self.libraries if name not in UNUSED}
        if any(path.suffix == ".pyx" for path in self.files):
            versions["kernels"] = _how_built()
        return versions


def imported_by(*sources: Path) -> Closure:
    """Return the imports of scripts or modules, followed through the package, also in functions.

    A quoted name of a file in the folder of the module (a template) counts as one of its files.
    """
    plumbing = {PACKAGE / name for name in PLUMBING}
    modules: set[str] = set()
    files: set[Path] = set()
    waiting = {source.resolve() for source in sources}
    while waiting:
        path = waiting.pop()
        if path in files:
            continue
        files.add(path)
        if path in plumbing:
            continue
        modules |= {name for name in _read(path).imports if not name.startswith("schedlab")}
        waiting |= _imported_files(path)
    inside = sorted(filter(_counts, files), key=str)
    return Closure(tuple(inside), tuple(sorted(_distributions(modules))))


def check_package(expected: str | Path) -> None:
    """Raise `ConfigError` if another package than that of the checkout would run."""
    expected = Path(expected)
    if expected.is_dir() and expected.resolve() != PACKAGE.resolve():
        raise ConfigError(
            f"the workflow is of {expected.resolve()}, but the package that would run is "
            f"{PACKAGE.resolve()}: use this checkout's own environment (make report or make test "
            "sets up .venv; then .venv/bin/snakemake), or pip install -e . here"
        )


def stale_kernels(package: Path = PACKAGE) -> list[str]:
    """Return the kernels whose sources have changed since their build, in an editable install.

    Their extension is missing, or older in whole seconds: build tools store no finer times.
    """
    if not (package.parents[1] / "setup.py").is_file():
        return []
    return [
        source.name
        for source in sorted((package / "kernels").rglob("*.pyx"))
        if _built(source)
        < max(int(path.stat().st_mtime) for path in _cimported_files(source, package))
    ]


def _built(source: Path) -> int:
    """Return the build time of the extension that Python imports for a source; -1 if missing."""
    candidates = [source.with_name(source.stem + suffix) for suffix in EXTENSION_SUFFIXES]
    return next((int(path.stat().st_mtime) for path in candidates if path.exists()), -1)


def _cimported_files(source: Path, package: Path) -> set[Path]:
    """Return a .pyx file, its .pxd and all files that these include with ``cimport``."""
    files: set[Path] = set()
    waiting = [source, source.with_suffix(".pxd")]
    while waiting:
        path = waiting.pop()
        if path in files or not path.exists():
            continue
        files.add(path)
        steps = [name.split(".")[1:] for name in _read(path).imports]
        waiting += [package.joinpath(*names).with_suffix(".pxd") for names in steps if names]
    return files


_version = functools.cache(version)


@functools.cache
def _line(path: Path) -> str:
    """Return path and checksum of a file, which is read once because many scripts import it."""
    return f"{path.relative_to(PACKAGE).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}"


class _Source(NamedTuple):
    """Facts on a source: its imports, quoted words that may be files, and its length."""

    imports: frozenset[str]
    quoted: frozenset[str]
    statements: int


@functools.cache
def _read(path: Path) -> _Source:
    """Return a source's imported dotted names at run time, with attributes; each is read once."""
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
    else:  # other imports of kernels belong to the compiler
        names = {name for name in names if name.startswith("schedlab")}
    statements = len(ast.parse(text).body) if path.name == "__init__.py" else len(names)
    return _Source(frozenset(names), frozenset(quoted), statements)


@functools.cache
def _imported_files(path: Path) -> frozenset[Path]:
    """Return the package's files that a source imports directly, cached."""
    return _quoted_data(path).union(*map(_files_of, _read(path).imports))


@functools.cache
def _package_files() -> dict[str, Path]:
    """Return all files of the package by their paths in it, listed once."""
    return {
        path.relative_to(PACKAGE).as_posix(): path
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".pyx", ".pxd")
    }


@functools.cache
def _files_of(name: str) -> frozenset[Path]:
    """Return the package's files that run on import of a dotted name; none for other packages."""
    package, *steps = name.split(".")
    if package != "schedlab":
        return frozenset()
    stem, names = "", {"__init__.py"}
    for step in steps:
        stem = f"{stem}/{step}" if stem else step
        names |= {f"{stem}{ending}" for ending in (".py", ".pyx", ".pxd", "/__init__.py")}
    package_files = _package_files()
    return frozenset(package_files[name] for name in names & package_files.keys())


def _quoted_data(path: Path) -> frozenset[Path]:
    """Return files in the folder of a module of the package that it names in quotes."""
    if not path.is_relative_to(PACKAGE):
        return frozenset()
    candidates = (path.with_name(name) for name in _read(path).quoted)
    return frozenset(data for data in candidates if data.is_file())


@functools.cache
def _counts(path: Path) -> bool:
    """Return whether a file of the package affects results: no `PLUMBING`, no lone docstring."""
    if not path.is_relative_to(PACKAGE) or path.relative_to(PACKAGE).as_posix() in PLUMBING:
        return False
    return path.name != "__init__.py" or _read(path).statements > 1


def _distributions(modules: set[str]) -> set[str]:
    """Return the distributions of modules' top-level packages; none for the standard library."""
    tops = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names
    return {OTHERWISE_NAMED.get(top, top) for top in tops}


def _how_built() -> str:
    """Return a hash of setup.py's record of the kernels' build; "unknown" without a record."""
    try:
        return hashlib.sha256((PACKAGE / RECORD).read_bytes()).hexdigest()[:16]
    except FileNotFoundError:
        return "unknown"


def commit_of(folder: str | Path, mark: str = ", with changes") -> str:
    """Return a checkout's commit, with a mark if files were changed; empty outside a checkout."""
    ask = ["git", "-C", str(folder), "describe", "--always", f"--dirty={mark}", "--exclude=*"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
