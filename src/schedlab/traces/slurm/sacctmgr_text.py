"""Accounts, users and QOS as files of sacctmgr and sshare have them.

A script has commands, with ``sacctmgr -i`` before them or without. A flat file is from ``sacctmgr
dump``. Tables have a line of names (`accounts_table`).

References
----------
Slurm, sacctmgr(1).
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, product
from pathlib import Path

from schedlab.core.slurm_site import ROOT
from schedlab.files.io import printable
from schedlab.traces.slurm.accounts import TOP, Accounts
from schedlab.traces.slurm.accounts_table import read_table
from schedlab.traces.slurm.conf_text import Setting, SiteFileError, logical_lines

ADD, MODIFY, REMOVE = ("add", "create"), ("modify", "update"), ("remove", "delete")
#: commands that change nothing
_SHOWN = ("list", "show", "dump", "exit", "quit", "version", "help", "archive", "clear")
_ENTITIES = {
    **dict.fromkeys(("account", "accounts", "acct", "accts"), "account"),
    **dict.fromkeys(("user", "users"), "user"),
    **dict.fromkeys(("cluster", "clusters"), "cluster"),
    **dict.fromkeys(("qos", "qoses"), "qos"),
}
#: other entities, which decide nothing here
_OTHERS = frozenset({"coordinator", "coord", "wckey", "wckeys", "tres", "event", "events", "job"})
#: keys that choose what a command changes, and what they name
_CHOICES = {
    **dict.fromkeys(("name", "names"), "name"),
    **dict.fromkeys(("account", "accounts", "acct", "accts"), "account"),
    **dict.fromkeys(("user", "users"), "user"),
    **dict.fromkeys(("cluster", "clusters"), "cluster"),
    **dict.fromkeys(("partition", "partitions"), "partition"),
}
SACCTMGR = "sacctmgr"
#: where a command ends in a line of a shell, and where its output goes
_SEPARATORS = frozenset({"&&", "||", ";", "|"})
_REDIRECTION = re.compile(r"\s\d?>>?(?:&\d|\s*\S+)")
_TOKEN = re.compile(r"(\w+)\s*(\+=|-=|=)(.*)", re.DOTALL)
_FLAT = re.compile(r"\s*(QOS|Cluster|Parent|Account|User)\s+-\s+'?([^':]*)'?(?::(.*))?")
#: a colon before a key; those in the names of GPUs are not
_FLAT_PAIR = re.compile(r":(?=[A-Z][A-Za-z]*[+-]?=)")


def read_accounts(path: str | Path, accounts: Accounts, cluster: str = "") -> None:
    """Change accounts by a file; of tables with several clusters, only by the rows of `cluster`.

    Raises `SiteFileError` if a line cannot be read.
    """
    lines = list(logical_lines(path))
    first = lines[0][1] if lines else ""
    if "|" in first:
        read_table(str(path), accounts, cluster)
    elif _FLAT.fullmatch(first):
        _read_flat(str(path), lines, accounts)
    else:
        commands = list(_commands(str(path), lines))
        is_shell = any(SACCTMGR in tokens for _, tokens in commands)
        for number, tokens in commands:
            if SACCTMGR in tokens:
                tokens = tokens[tokens.index(SACCTMGR) + 1 :]
            elif is_shell:
                continue
            _command(str(path), number, tokens, accounts)


# -------------------------------------------------------------------------------------- scripts


def is_command(text: str) -> bool:
    """Return whether a text is a command that changes accounts: ``modify qos …``."""
    return text.split(maxsplit=1)[:1] != [] and text.split()[0].casefold() in (*ADD, *MODIFY)


def change_accounts(place: str, text: str, accounts: Accounts) -> None:
    """Change accounts by one command; `SiteFileError`, which names the place, if it is wrong."""
    try:
        tokens = shlex.split(text)
    except ValueError as problem:
        raise SiteFileError(f"{place}: {text}: {problem}; close the quotes") from None
    _command(place, 0, tokens, accounts)


def _commands(path: str, lines: list[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the words of each command; a line of a shell may have several."""
    for number, line in lines:
        try:
            tokens = shlex.split(_REDIRECTION.sub("", line))
        except ValueError as problem:
            raise SiteFileError(f"{path}: line {number}: {problem}; close the quotes") from None
        for ends, part in groupby(tokens, _SEPARATORS.__contains__):
            if not ends:
                yield number, list(part)


def _command(path: str, number: int, tokens: list[str], accounts: Accounts) -> None:
    """Change accounts by a command."""
    tokens = [token for token in tokens if not token.startswith("-")]
    line = printable(" ".join(tokens)[:80])
    place = f"{path}: line {number}" if number else path
    if "$" in line:
        raise SiteFileError(
            f"{place}: '{line}' has a variable of the shell; write the file with sacctmgr dump"
        )
    verb, entity, *rest = [*tokens, "", ""]
    verb, rest = verb.casefold(), [token for token in rest if token]
    if not verb or verb in _SHOWN:
        return
    kind = _ENTITIES.get(entity.casefold())
    if verb not in (*ADD, *MODIFY, *REMOVE) or not (kind or entity.casefold() in _OTHERS):
        raise SiteFileError(
            f"{place}: '{line}' is no command of sacctmgr; "
            "commands are like add user u1 Account=a, modify qos high set Priority=10"
        )
    if not kind:
        return
    choices: dict[str, list[str]] = {}
    settings: list[Setting] = []
    is_set = verb in ADD
    for token in rest:
        if token.casefold() in ("set", "where"):
            is_set = token.casefold() == "set"
            continue
        pair = _TOKEN.fullmatch(token)
        key, operator, value = pair.groups() if pair else ("name", "=", token)
        choice = _CHOICES.get(key.casefold())
        if choice and (not is_set or verb in ADD):
            choices.setdefault(choice, []).extend(value.split(","))
        elif is_set:
            settings.append(Setting(path, number, key, _signed(operator, value)))
        else:
            raise Setting(path, number, key, value).error(
                "no condition that is read; name accounts, users and partitions"
            )
    _CHANGES[kind](accounts, verb, choices, settings)


def _signed(operator: str, value: str) -> str:
    """Return a value in which names of a ``+=`` or ``-=`` have the sign."""
    sign = operator[:-1]
    return ",".join(sign + each for each in value.split(",")) if sign else value


Choices = dict[str, list[str]]


def _change_qos(accounts: Accounts, verb: str, choices: Choices, settings: list[Setting]) -> None:
    for name in choices.get("name") or _all(verb, accounts.qos):
        if verb in REMOVE:
            accounts.qos.pop(name, None)
            for fields in accounts.associations.values():
                if "association.qos" in fields:
                    fields["association.qos"] -= {name}
        else:
            accounts.set_qos(name, settings)


def _change_cluster(
    accounts: Accounts, verb: str, choices: Choices, settings: list[Setting]
) -> None:
    if verb not in REMOVE:
        accounts.set_association(TOP, settings)


def _change_account(
    accounts: Accounts, verb: str, choices: Choices, settings: list[Setting]
) -> None:
    known = [place[0] for place in accounts.associations if not place[1]]
    for name in choices.get("name", []) + choices.get("account", []) or _all(verb, known):
        if verb in REMOVE:
            accounts.remove([place for place in accounts.associations if place[0] == name])
        elif verb in ADD or name in known:
            accounts.set_association((name, "", ""), settings)
        else:
            raise _unknown(settings, f"account '{name}'")


def _change_user(accounts: Accounts, verb: str, choices: Choices, settings: list[Setting]) -> None:
    names = choices.get("name", []) + choices.get("user", [])
    of, partitions = choices.get("account"), choices.get("partition")
    if verb in ADD:
        defaults = [each.value for each in settings if each.key.casefold() == "defaultaccount"]
        # a default account that is none of the accounts has an association, too
        for place in product(dict.fromkeys([*defaults, *(of or ())]), names, partitions or [""]):
            accounts.set_association(place, settings)
        return
    places = [
        place
        for place in accounts.associations
        if place[1] in (names or [place[1]] if place[1] else [])
        and place[0] in (of or [place[0]])
        and place[2] in (partitions or [place[2]])
    ]
    if verb in REMOVE:
        accounts.remove(places)
        return
    if missing := set(names) - {place[1] for place in places}:
        raise _unknown(settings, f"user '{min(missing)}' in such an account")
    for place in places:
        accounts.set_association(place, settings)


_CHANGES: dict[str, Callable[[Accounts, str, Choices, list[Setting]], None]] = {
    "qos": _change_qos,
    "cluster": _change_cluster,
    "account": _change_account,
    "user": _change_user,
}


def _unknown(settings: list[Setting], what: str) -> SiteFileError:
    """Return the error of a command for something that no line before has added."""
    place = f"{settings[0].file}: line {settings[0].line}: " if settings else ""
    return SiteFileError(f"{place}{what} is not known; add it before this line")


def _all(verb: str, names: Iterable[str]) -> list[str]:
    """Return the names that a command without names is for: all, if it modifies."""
    return list(names) if verb in MODIFY else []


# ----------------------------------------------------------------------------------- flat files


def _read_flat(path: str, lines: list[tuple[int, str]], accounts: Accounts) -> None:
    """Change accounts by a file of ``sacctmgr dump``."""
    parent = ROOT
    for number, line in lines:
        if not (match := _FLAT.fullmatch(line)):
            raise SiteFileError(
                f"{path}: line {number}: '{printable(line.strip()[:80])}' is not like "
                "Account - 'a':Fairshare=1; write the file with sacctmgr dump"
            )
        kind, name, text = match.groups()
        settings = []
        for each in _FLAT_PAIR.split(text or ""):
            if pair := _TOKEN.fullmatch(each):
                value = _signed(pair[2], pair[3].strip("'\""))
                settings.append(Setting(path, number, pair[1], value))
        if kind == "Parent":
            parent = name
        elif kind == "QOS":
            accounts.set_qos(name, settings)
        elif kind == "Cluster":
            accounts.set_association(TOP, settings)
        elif kind == "Account":
            above = Setting(path, number, "Parent", parent)
            accounts.set_association((name, "", ""), [*settings, above])
        else:
            accounts.set_association((parent, name, ""), settings)
