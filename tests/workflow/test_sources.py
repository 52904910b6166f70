"""Every rule lists the package sources that its script imports, at however many removes."""

import ast
import re

import pytest

# What decides no number: how files are checked, written and logged, and what is shown meanwhile.
PLUMBING = {"config.py", "io.py", "logs.py", "progress.py"}
CIMPORT = re.compile(r"^from (schedlab[\w.]*) cimport", re.MULTILINE)
RULE = re.compile(r"^rule (\w+):\n(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


def modules(path):
    """Names of the modules that a source imports when it runs; those for types alone do not."""
    text = path.read_text()
    if path.suffix != ".py":
        return CIMPORT.findall(text)
    names = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            names += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        elif isinstance(node, ast.Import):
            names += [name.name for name in node.names]
    return [name for name in names if name.startswith("schedlab.")]


def imported(package, script):
    """Paths in the package of all that a script imports, but plumbing and lone docstrings."""
    found, waiting = set(), modules(script)
    while waiting:
        stem = package.joinpath(*waiting.pop().split(".")[1:])
        files = [stem.with_suffix(suffix) for suffix in (".py", ".pyx", ".pxd")]
        for path in [*files, stem / "__init__.py"]:
            name = path.relative_to(package).as_posix()
            if path.exists() and name not in found | PLUMBING:
                found.add(name)
                waiting += modules(path)
    return {name for name in found if (package / name).read_text().count("\n") > 1}


def listed(package, rule):
    """Paths in the package that a rule's `sources` stand for."""
    names = ast.literal_eval(re.search(r"sources=sources(\(.*?\)),\n", rule, re.DOTALL)[1] + ",")[0]
    names = [names] if isinstance(names, str) else names
    paths = [package / name for name in names]
    inside = [file for path in paths if path.is_dir() for file in path.iterdir()]
    return {path.relative_to(package).as_posix() for path in [*paths, *inside]}


@pytest.fixture(scope="module")
def rules(root):
    """Texts of the rules that run a script, by name."""
    texts = [path.read_text() for path in sorted((root / "workflow/rules").glob("*.smk"))]
    found = dict(rule for text in texts for rule in RULE.findall(text))
    return {name: text for name, text in found.items() if "script:" in text}


def test_every_rule_lists_what_its_script_imports(root, rules):
    assert len(rules) >= 10
    package = root / "src" / "schedlab"
    lacking = {}
    for name, text in rules.items():
        script = root / "workflow/scripts" / re.search(r"scripts/(\w+\.py)", text)[1]
        lacking[name] = sorted(imported(package, script) - listed(package, text))
    assert not any(lacking.values()), lacking
