"""Every rule that computes, draws or renders is timed; every figure and table is in the report."""

import ast
from pathlib import Path

# What fetches computes nothing: its time is the network's. What verifies reads a table and says so.
UNTIMED = ("fetch_log", "fetch_pool", "verify")


def test_every_rule_that_runs_a_script_is_timed(rules):
    scripts = {name for name, rule in rules.items() if rule["script"]}
    assert len(scripts) >= 50
    assert {name for name in scripts if not rules[name]["benchmark"]} == set(UNTIMED)


def parameters_of(script):
    """Parameters without a default of the function that a script gives to `run_script`."""
    tree = ast.parse(script.read_text())
    run = [
        node.args[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "run_script"
    ]
    functions = [n.args for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in run]
    return {
        each.arg for args in functions for each in args.args[: len(args.args) - len(args.defaults)]
    }


def test_every_rule_has_what_the_function_of_its_script_takes(root, rules):
    checked = 0
    for name, rule in rules.items():
        if not rule["script"]:
            continue
        script = root / "workflow/scripts" / rule["script"].rpartition("scripts/")[2]
        wanted = parameters_of(script)
        assert wanted <= {*rule["names"], "threads", "outputs"}, name
        checked += bool(wanted)
    assert checked >= 38


def test_every_figure_and_table_of_every_paper_is_in_snakemakes_report(rules):
    outputs = {path: shown for rule in rules.values() for path, shown in rule["outputs"].items()}
    items = {path: shown for path, shown in outputs.items() if "/figures/" in path}
    figures = [path for path in items if path.endswith(".png")]
    drawn = {path.removesuffix(".png") for path in figures}
    tables = [
        path for path in items if path.endswith(".md") and path.removesuffix(".md") not in drawn
    ]
    lacking = [path for path in figures if not items[path]]
    lacking += [path for path in tables if not items[path.removesuffix(".md") + ".csv"]]
    assert len(figures) >= 20
    assert len(tables) >= 20
    assert not lacking


def test_every_item_of_the_report_has_caption_category_and_label(rules):
    said = {path: facts for rule in rules.values() for path, facts in rule["reported"].items()}
    lacking = [
        path
        for path, (template, category, subcategory, labels, captions) in said.items()
        if not (template and Path(template).is_file() and category and subcategory and labels)
        or not (captions and all(captions.values()))
    ]
    assert len({Path(template).resolve() for template, *_ in said.values()}) == 1
    assert len(said) >= 60
    assert not lacking
