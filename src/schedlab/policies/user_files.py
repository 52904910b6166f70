"""Load user-defined functions from Python files, named ``file.py:function``."""

import runpy
from collections.abc import Callable, Mapping

#: endings of files with a network: arrays, and the two files of a TensorFlow bundle
NETWORKS = (".npz", ".data", ".index")


def is_place(text: str) -> bool:
    """Return whether a text names a function or a network in a file, and not a policy."""
    return ".py:" in text or text.endswith((".py", *NETWORKS))


def file_of(place: str) -> str:
    """Return the path of the file in ``path/to/file.py:function``, or of a network's file."""
    return place if place.endswith(NETWORKS) else place.rpartition(":")[0]


def load_functions(places: Mapping[str, str], what: str) -> dict[str, Callable]:
    """Execute files, each once, and return the functions in them, by name."""
    files: dict[str, dict] = {}
    functions = {}
    for name, place in places.items():
        where = f"{what} '{name}': {place}"
        path, _, function = place.rpartition(":")
        if not path.endswith(".py") or not function.isidentifier():
            raise ValueError(f"{where}: must be file.py:function")
        try:
            loaded = files.get(path) or files.setdefault(path, runpy.run_path(path))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a user's file may raise anything, even SystemExit
            raise ValueError(f"{where}: {type(error).__name__}: {error}") from error
        if not callable(loaded.get(function)):
            raise ValueError(f"{where}: no function '{function}' in {path}")
        functions[name] = loaded[function]
    return functions
