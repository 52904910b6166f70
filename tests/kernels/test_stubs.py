"""Every compiled module has a stub, and its signatures are those of the module."""

import ast
import importlib
import inspect
import re

import pytest

from schedlab.flow.build import PACKAGE

SOURCES = sorted((PACKAGE / "kernels").rglob("*.pyx"))


def of_stub(node):
    """Parameters of a function of a stub: name, and whether there is a default."""
    given = node.args.args
    plain = len(given) - len(node.args.defaults)
    return [(one.arg, place >= plain) for place, one in enumerate(given)]


def of_module(function):
    """Return the same of a compiled function."""
    words = inspect.signature(function).parameters.values()
    return [(word.name, word.default is not word.empty) for word in words]


def of_source(source, kind):
    """Return the same of what makes an object of a class, which has no signature."""
    own = source.partition(f"cdef class {kind}")[2]
    written = re.search(r"def __c?init__\((.*?)\):", own, re.S)[1]
    words = [word.strip() for word in re.split(r",(?![^[]*\])", written) if word.strip()]
    return [(word.partition("=")[0].split()[-1], "=" in word) for word in words]


def public(module):
    """Public names of a module: those it defines, without types shared only in a .pxd."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not inspect.ismodule(value)
        and getattr(value, "__module__", module.__name__) == module.__name__
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_stub_has_the_names_and_signatures_of_its_module(path):
    dotted = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    module, source = importlib.import_module(dotted), path.read_text(encoding="utf-8")
    tree = ast.parse(path.with_suffix(".pyi").read_text(encoding="utf-8"))
    constants = {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    kinds = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert constants | set(functions) | set(kinds) == public(module)
    for name, node in functions.items():
        assert of_stub(node) == of_module(getattr(module, name)), name
    for name, kind in kinds.items():
        methods = {node.name: node for node in kind.body if isinstance(node, ast.FunctionDef)}
        fields = {node.target.id for node in kind.body if isinstance(node, ast.AnnAssign)}
        own = {one for one in vars(getattr(module, name)) if not one.startswith("_")}
        assert fields | set(methods) - {"__init__"} == own, name
        for method, node in methods.items():
            found = getattr(getattr(module, name), method)
            if method == "__init__":
                assert of_stub(node) == of_source(source, name)
            elif callable(found):
                assert of_stub(node) == of_module(found), f"{name}.{method}"
            else:
                assert [one.id for one in node.decorator_list] == ["property"], f"{name}.{method}"
