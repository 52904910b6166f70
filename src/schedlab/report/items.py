"""Items of a study: tables, figures and texts, with the functions that make them.

`item` marks a function of a study: which items it makes, and by its parameters from what. The
module ``schedlab.studies.<study>.items`` lists the modules with such functions in ``groups(study)``
and has further content of the study's page, ``page(study)``. `schedlab.report.parts` writes the
items.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any, get_type_hints

from jinja2 import DictLoader, Environment, StrictUndefined, Template

from schedlab.core.metrics import METRICS
from schedlab.files.config import read_yaml
from schedlab.files.io import read_parquet
from schedlab.files.stand_ins import name_of_stand_in
from schedlab.report.words import joined

#: files of an item by kind; unshown: a table that the page does not show; data: a table's .csv
KINDS = {
    "table": ("csv", "md"),
    "unshown": ("csv", "md"),
    "figure": ("png", "pdf", "csv"),
    "text": ("txt",),
    "data": ("csv",),
}
#: folders of a study's simulations: of the sheet's policies, and of those that carastan2017 learns
SHEET, LEARNED = "sheet", "learned"
#: kinds whose first file is in Snakemake's report
REPORTED = ("table", "figure")


@dataclass(frozen=True)
class Item:
    """Table, figure or text, or several of them with the same name.

    Its files are results/figures/<study>/<name>.<suffix>. `kind` has words of `KINDS`, separated by
    blanks. The caption, one paragraph of reStructuredText, says what a table or figure shows, how
    to read it, and from which data it is computed.
    """

    name: str
    kind: str = "table"
    caption: str = ""

    @property
    def kinds(self) -> list[str]:
        """The kinds as a list."""
        return self.kind.split()

    @property
    def suffixes(self) -> list[str]:
        """Suffixes of the files, without duplicates."""
        return list(dict.fromkeys(suffix for kind in self.kinds for suffix in KINDS[kind]))


@dataclass(frozen=True)
class Group:
    """Items that one job makes; `name` is its rule, `section` their section in the report.

    `message` is shown while the job runs; ``{item}`` in it is the item's name if `each`. `inputs`
    are arguments that are paths or lists of paths, or a function that returns them from the item's
    name if `each`, else from "". ``<results>/`` begins paths of results, ``<workflow>/`` paths of
    the workflow's files. `params` are further arguments, in the same form. `maker` is the function,
    as module:name. If `each`, every item has a separate job, whose function receives its name as
    ``item``. `words` has title and note of the tables, and texts, by item: templates that their
    facts fill. If `written_out`, the workflow has an explicit rule, because it computes. `memory`
    (MB) and `minutes` are minimum resources of its jobs.
    """

    name: str
    section: str
    items: Iterable[Item]
    message: str = ""
    inputs: Mapping[str, Any] | Callable[[str], Mapping[str, Any]] = field(default_factory=dict)
    params: Mapping[str, Any] | Callable[[str], Mapping[str, Any]] = field(default_factory=dict)
    maker: str = ""
    each: bool = False
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    written_out: bool = False
    memory: int = 0
    minutes: int = 0

    @property
    def captions(self) -> dict[str, str]:
        """Text for Snakemake's report, by item: the captions of all items that its job makes.

        Snakemake does not say which file of a job it shows. So names precede the captions if there
        are several.
        """
        names: dict[str, list[str]] = {}
        for item in self.items:
            if item.caption:
                names.setdefault(item.caption, []).append(item.name)
        single = self.each or len(names) < 2
        joined = "\n\n".join(f"**{', '.join(same)}**: {text}" for text, same in names.items())
        return {name: text if single else joined for text, same in names.items() for name in same}


@dataclass(frozen=True)
class Study:
    """Study as it is run: the input of its list of items.

    `key` is the paper, or another study. `rows` of its sheet are as they run; `sheet` has all rows
    unchanged, including those that the configuration leaves out. `locate` returns the path of a
    file in the working directory, or else of the workflow's file. `models` has the processors of
    every registered model; every other source is a log.
    """

    key: str
    rows: tuple[Any, ...]
    config: Mapping[str, Any]
    locate: Callable[[str], str]
    sheet: tuple[Any, ...] = ()
    models: Mapping[str, int] = field(default_factory=dict)

    def of_item(self, item: str) -> list[Any]:
        """Return the rows whose column ``item`` has this name, in the sheet's order."""
        return [row for row in self.rows if row.item == item]

    def row(self, experiment: str) -> Any:
        """Return the row of an experiment."""
        return next(row for row in self.rows if row.experiment == experiment)

    @property
    def names(self) -> dict[str, str]:
        """Names of the models that replace logs, by what tables have in their place.

        That is the label of a row, the log, the model, and the reason why a number is not
        compared. A model that replaces several logs has one name with all of them.
        """
        planned = {row.experiment: row for row in self.sheet}
        replaced = [row for row in self.rows if getattr(row, "stand_in", "")]
        labels = {row.label: row.name for row in replaced if row.label != row.name}
        logs: dict[str, dict[str, str]] = {}
        for row in replaced:
            logs.setdefault(row.source, {})[planned[row.experiment].source] = row.stand_in
        models = {
            model: name_of_stand_in(self.models[model], joined(names))
            for model, names in logs.items()
        }
        reasons = {f"ran on {model}": f"ran on {name}" for model, name in models.items()}
        of_logs: dict[str, str] = {}
        for model, names in logs.items():
            of_logs |= names
            reasons |= {
                f"ran on the model {model}, not on {log}": f"ran on {name}"
                for log, name in names.items()
            }
        return models | of_logs | reasons | labels

    def results(self, kind: str, experiments: Iterable[str]) -> list[str]:
        """Return the paths of a kind of result files of experiments."""
        return [f"<results>/simulations/{self.key}/{one}.{kind}.parquet" for one in experiments]

    def results_of(self, item: str, kind: str) -> list[str]:
        """Return the paths of a kind of result files of the rows of an item."""
        return self.results(kind, (row.experiment for row in self.of_item(item)))

    @property
    def logs(self) -> list[str]:
        """Logs that the rows run, in order; empty if models replace all logs."""
        if self.config["source"] == "models":
            return []
        return sorted({row.source for row in self.rows})

    def resource(self, name: str) -> str:
        """Return the path of a file that belongs to the paper."""
        return f"<workflow>/resources/{self.key}/{name}"

    def shown(self, file: str) -> str:
        """Return the path of a file of the study's items."""
        return f"<results>/figures/{self.key}/{file}"


@dataclass(frozen=True)
class From:
    """What a parameter of a marked function is read from, by ``Annotated[<type>, From(...)]``.

    `of` returns from the study and the name of the item a path or a list of paths, as `Group` has
    them; None if the function is to use its default. `read` gets what it returns.
    """

    of: Callable[[Study, str], Any]
    read: Callable[[Any], Any] = read_parquet


@dataclass(frozen=True)
class Given:
    """What a parameter of a marked function is told, by ``Annotated[<type>, Given(...)]``.

    `of` returns it from the study and the name of the item, as numbers, texts, lists and dicts of
    them; the function gets what `read` makes of it.
    """

    of: Callable[[Study, str], Any]
    read: Callable[[Any], Any] = lambda value: value


def each(read: Callable[[str], Any]) -> Callable[[Iterable[str]], list[Any]]:
    """Return what reads a list of paths one by one."""
    return lambda paths: [read(path) for path in paths]


def resource(name: str) -> Callable[[Study, str], str]:
    """Return what has the path of a file that belongs to the paper."""
    return lambda study, _: study.resource(name)


#: names of items, items, or what returns them from the study
Listed = str | Item | Callable[[Study], Iterable[str | Item]]


def item(
    *listed: Listed,
    section: str,
    kind: str = "table",
    rule: str = "",
    apart: bool = False,
    message: str = "",
    memory: int = 0,
    minutes: int = 0,
) -> Callable[[FunctionType], FunctionType]:
    """Mark a function as what makes items, under the rule of its name unless `rule` differs.

    Its parameters are annotated by `From` or `Given`; one named ``item`` gets the item's name, one
    named ``words`` the titles, notes and sentences of the group. It returns a part of
    `schedlab.report.parts`, several of them, or a dict of them by item. What is `listed` are items,
    names of items of `kind`, or functions that return them from the study. If `apart`, every item
    has a job of its own: `Group.each`. The others are as for `Group`.
    """

    def group_of(function: FunctionType, study: Study) -> Group:
        found = [one for each in listed for one in (each(study) if callable(each) else [each])]
        items = [one if isinstance(one, Item) else Item(one, kind) for one in found]
        name, ways = rule or function.__name__, _inputs_of(function)

        def values(kind: type) -> Any:
            of_item = partial(
                _values, {key: way for key, way in ways.items() if type(way) is kind}, study
            )
            return of_item if apart or not items else of_item(items[0].name)

        making = message or f"Making {'{item}' if apart else _some(items)} of {study.key}"
        maker = f"{function.__module__}:{function.__name__}"
        return Group(
            name, section, items, making, values(From), values(Given), maker, apart,
            memory=memory, minutes=minutes,
        )  # fmt: skip

    def mark(function: FunctionType) -> FunctionType:
        function.group_of = lambda study: group_of(function, study)
        return function

    return mark


def _some(items: Iterable[Item]) -> str:
    """Return the names of items, or the first and the count if there are many."""
    names = [one.name for one in items]
    return joined(names) if len(names) < 4 else f"{names[0]} and {len(names) - 1} more"


def _values(ways: Mapping[str, From | Given], study: Study, name: str) -> dict[str, Any]:
    """Return the paths or values of parameters for an item, without those that are None."""
    values = {key: way.of(study, name) for key, way in ways.items()}
    return {key: value for key, value in values.items() if value is not None}


def _inputs_of(function: FunctionType) -> dict[str, From | Given]:
    hints = get_type_hints(function, include_extras=True)
    return {
        name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")
    }


def groups_of(study: Study, *listed: ModuleType | Group) -> list[Group]:
    """Return groups in order: those of the marked functions of modules, and those given.

    A group given is made by a rule that is written out. Groups without items are left out.
    """
    groups = []
    for one in listed:
        if isinstance(one, Group):
            groups.append(one)
            continue
        own = [value for value in vars(one).values() if hasattr(value, "group_of")]
        groups += [each.group_of(study) for each in own if each.__module__ == one.__name__]
    return [group for group in groups if group.items]


def function_of(maker: str) -> FunctionType:
    """Return the function of a group from its name as module:name."""
    module, _, name = maker.partition(":")
    return getattr(import_module(module), name)


def make(maker: str, values: Mapping[str, Any]) -> Any:
    """Return what a marked function makes from paths and given values by parameter.

    The values ``item`` and ``words`` are for a function that asks for them.
    """
    function = function_of(maker)
    ways, asked = _inputs_of(function), signature(function).parameters
    read = {
        name: ways[name].read(value) if name in ways else value
        for name, value in values.items()
        if name not in ("item", "words") or name in asked
    }
    return function(**read)


def names_of(groups: Iterable[Group], kind: str) -> list[str]:
    """Return the names of the items of a kind."""
    return [item.name for group in groups for item in group.items if kind in item.kinds]


def with_words(
    groups: Iterable[Group], study: Study, facts: Callable[[str], Mapping[str, Any]] = lambda _: {}
) -> list[Group]:
    """Return groups with the captions, texts, titles and notes of tables of a study's words.yaml.

    The file has Jinja templates: captions, and titles, notes and sentences of tables by item, or by
    group for items that share them; texts by item; and phrases that captions and texts include,
    with those of another study, ``phrases_of``. Items of your policies, and of the learned ones,
    have those of the item without the ending ``_own`` or ``_learned`` if they have no others.
    `facts` maps an item to facts that fill its caption, next to item (its name) and models (whether
    models replace the logs). The fact ``text`` names a caption that items share.

    Raises KeyError if a table or figure has no caption, jinja2.UndefinedError if a caption names a
    fact that there is not.
    """
    words = read_words(study.key, study.locate)
    captions, texts = words["captions"], words.get("texts", {})
    loader = DictLoader(captions | words.get("phrases", {}))
    environment = Environment(loader=loader, undefined=StrictUndefined)
    models = study.config.get("source") == "models"

    def captioned(group: Group, item: Item) -> Item:
        if {*REPORTED}.isdisjoint(item.kinds):
            return item
        known = {"item": item.name, "models": models} | facts(item.name)
        name = _name_in(captions, known.get("text", item.name), item.name, group.name)
        text = environment.get_template(name).render(known)
        return replace(item, caption=" ".join(text.split()))

    def of_items(group: Group) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for item in group.items:
            found[item.name] = {"text": texts[item.name]} if item.name in texts else {}
            if "md" in item.suffixes:
                label = METRICS[item.name].label if item.name in METRICS else item.name
                found[item.name] |= {"title": label.replace("_", " ").capitalize()}
                for kind in ("title", "note", "sentence"):
                    known = words.get(f"{kind}s", {})
                    if name := _name_in(known, item.name, group.name, needed=False):
                        found[item.name][kind] = known[name]
        return {name: texts for name, texts in found.items() if texts}

    return [
        replace(
            group, items=[captioned(group, each) for each in group.items], words=of_items(group)
        )
        for group in groups
    ]


def read_words(key: str, locate: Callable[[str], str]) -> dict[str, Any]:
    """Read a study's words.yaml; its texts have their phrases in place of ``{% include %}``."""
    words = read_yaml(locate(f"resources/{key}/words.yaml"))
    phrases = dict(words.get("phrases", {}))
    if other := words.get("phrases_of"):
        phrases |= read_yaml(locate(f"resources/{other}/words.yaml"))["phrases"]

    def whole(text: str) -> str:
        return re.sub(r'{% include "(\w+)" %}', lambda name: whole(phrases[name[1]]), text)

    texts = {name: whole(text) for name, text in words.get("texts", {}).items()}
    return words | {"phrases": phrases, "texts": texts}


def heading_of(study: Study) -> dict[str, str]:
    """Return title, authors, venue and summary of a study's page from its words.yaml."""
    words = read_yaml(study.locate(f"resources/{study.key}/words.yaml")).get("page", {})
    models = study.config.get("source") == "models"
    cells = ("title", "authors", "venue", "summary")
    return {cell: Template(words.get(cell, "")).render(models=models).strip() for cell in cells}


def _name_in(texts: Mapping[str, str], *names: str, needed: bool = True) -> str:
    """Return the first of the names, with or without an ending, that has a text; "" or KeyError."""
    for name in names:
        for ending in ("", "_own", "_learned"):
            if name.removesuffix(ending) in texts:
                return name.removesuffix(ending)
    if needed:
        raise KeyError(f"words.yaml: captions: none for {names[0]!r}")
    return ""


def maker_of(groups: Iterable[Group], name: str) -> Group | None:
    """Return the group that makes an item; None if no group of the list does."""
    return next((group for group in groups if name in {item.name for item in group.items}), None)


def experiments_of(study: Study, groups: Iterable[Group], name: str) -> list[str]:
    """Return the experiments whose results an item is made from, in the order of the sheet.

    Results are found among the inputs of the item's group, and of the items that these inputs are.
    """
    groups, names, waiting, seen = list(groups), set(), [name], {name}
    while waiting:
        item = waiting.pop()
        if (group := maker_of(groups, item)) is None:
            continue
        inputs = group.inputs
        if callable(inputs):
            inputs = inputs(item if group.each else "")
        for path in _paths(inputs):
            parts = path.split("/")
            if parts[:3] == ["<results>", "figures", study.key]:
                needed = parts[-1].rpartition(".")[0]
                waiting += [] if needed in seen else [needed]
                seen.add(needed)
            else:
                names.add(parts[-1].partition(".")[0])
    return [row.experiment for row in study.sheet if row.experiment in names]


def _paths(inputs: Any) -> list[str]:
    if isinstance(inputs, str):
        return [inputs]
    values = inputs.values() if isinstance(inputs, Mapping) else inputs
    return [path for value in values for path in _paths(value)]
