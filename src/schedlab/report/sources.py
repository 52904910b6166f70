"""Places of functions in the sources: file and lines of what computes an item."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType

PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Place:
    """Function with its file, relative to the checkout, and its first and last line."""

    function: str
    file: str
    first: int
    last: int


def places_of(maker: str) -> list[Place]:
    """Return where a function that makes items and the functions of its study that it calls are."""
    module, _, name = maker.partition(":")
    if not module or not find_spec(module):
        return []
    home = import_module(module)
    function = getattr(home, name, None)
    if not isinstance(function, FunctionType):
        return []
    study = ".".join(module.split(".")[:3])
    (tree,) = ast.parse(inspect.getsource(function)).body
    # without the decorator and the annotations
    nodes = (node for statement in tree.body for node in ast.walk(statement))
    calls = [_resolve(home, node.func) for node in nodes if isinstance(node, ast.Call)]
    own = [call for call in calls if call is not None and call.__module__.startswith(study)]
    return [_place(function) for function in dict.fromkeys([function, *own])]


def _resolve(home: ModuleType, called: ast.expr) -> FunctionType | None:
    """Return the function that a name, or an attribute of a module, denotes; None for others."""
    if isinstance(called, ast.Name):
        value = getattr(home, called.id, None)
    elif isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        value = getattr(getattr(home, called.value.id, None), called.attr, None)
    else:
        value = None
    return value if isinstance(value, FunctionType) else None


def _place(function: FunctionType) -> Place:
    lines, first = inspect.getsourcelines(function)
    path = Path(inspect.getfile(function)).relative_to(PACKAGE)
    name = function.__name__
    return Place(name, f"src/schedlab/{path.as_posix()}", first, first + len(lines) - 1)
