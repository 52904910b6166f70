"""Whether the compiled kernels are those of their sources."""

from __future__ import annotations

import re
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

_CIMPORT = re.compile(r"^from schedlab\.kernels\.(\w+) cimport", re.MULTILINE)


def stale_kernels(package: Path = Path(__file__).parent) -> list[str]:
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
        for source in sorted((package / "kernels").glob("*.pyx"))
        if _built(source) < max(int(path.stat().st_mtime) for path in _taken_in(source))
    ]


def _built(source: Path) -> int:
    """When the extension that Python imports for a source was built; -1: never."""
    candidates = [source.with_name(source.stem + suffix) for suffix in EXTENSION_SUFFIXES]
    return next((int(path.stat().st_mtime) for path in candidates if path.exists()), -1)


def _taken_in(source: Path) -> set[Path]:
    """Find a .pyx file, its own .pxd and all that these take in with ``cimport``."""
    found: set[Path] = set()
    waiting = [source, source.with_suffix(".pxd")]
    while waiting:
        path = waiting.pop()
        if path in found or not path.exists():
            continue
        found.add(path)
        names = _CIMPORT.findall(path.read_text(encoding="utf-8"))
        waiting += [source.with_name(f"{name}.pxd") for name in names]
    return found
