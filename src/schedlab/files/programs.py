"""How to type a program of this installation, so that a printed command can be copied."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def program(name: str) -> str:
    """Return what to type for a program next to this Python: a path inside the working directory.

    Elsewhere it is the plain name if the search path leads to this very program, else its whole
    path.
    """
    path = Path(sys.executable).parent / name
    inside = os.path.relpath(path)
    if not path.exists():
        return name
    if not inside.startswith(".."):
        return shlex.quote(Path(inside).as_posix())
    known = shutil.which(name)
    return name if known and Path(known).samefile(path) else shlex.quote(str(path))
