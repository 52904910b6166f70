"""Accounts, users and QOS as files of sacctmgr and sshare have them.

A script has commands, with ``sacctmgr -i`` before them or without. A flat file is from ``sacctmgr
dump``. Tables, with a line of names, are from ``sacctmgr show assoc|qos|user -P`` and ``sshare -a
-P``.

References
----------
Slurm, sacctmgr(1), sshare(1).
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path

from schedlab.core.slurm_site import ROOT
from schedlab.files.io import printable
from schedlab.traces.slurm.accounts import TOP, Accounts
from schedlab.traces.slurm.conf_text import Setting, SiteFileError, logical_lines, text_of

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
        _read_table(str(path), accounts, cluster)
    elif any(_FLAT.fullmatch(line) for _, line in lines[:1]):
        _read_flat(str(path), lines, accounts)
    else:
        is_shell = any("sacctmgr" in line.split() for _, line in lines)
        for number, line in lines:
            if not is_shell or "sacctmgr" in line.split():
                _command(str(path), number, line, accounts)


# -------------------------------------------------------------------------------------- scripts


def _command(path: str, number: int, line: str, accounts: Accounts) -> None:
    """Change accounts by a line of a script."""
    try:
        tokens = shlex.split(line)
    except ValueError as problem:
        raise SiteFileError(f"{path}: line {number}: {problem}; close the quotes") from None
    if "sacctmgr" in tokens:
        tokens = tokens[tokens.index("sacctmgr") + 1 :]
    tokens = [token for token in tokens if not token.startswith("-")]
    verb, entity, *rest = [*tokens, "", ""]
    verb, rest = verb.casefold(), [token for token in rest if token]
    if not verb or verb in _SHOWN:
        return
    kind = _ENTITIES.get(entity.casefold())
    if verb not in (*ADD, *MODIFY, *REMOVE) or not (kind or entity.casefold() in _OTHERS):
        raise SiteFileError(
            f"{path}: line {number}: '{printable(line.strip()[:80])}' is no command of sacctmgr; "
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
        for place in product(of or defaults, names, partitions or [""]):
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


# --------------------------------------------------------------------------------------- tables


def _rows(path: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and the cells of a table's rows, by names in lower case without spaces."""
    names: list[str] = []
    for number, line in enumerate(text_of(path).splitlines(), start=1):
        cells = line.split("|")
        if not names:
            if "|" in line:
                names = [cell.replace(" ", "").casefold() for cell in cells]
        elif line.strip():
            if len(cells) != len(names):
                raise SiteFileError(
                    f"{path}: line {number}: has {len(cells)} cells, {len(names)} names; write "
                    "the file with option -P"
                )
            yield number, {name: cell for name, cell in zip(names, cells, strict=True) if name}


def _read_table(path: str, accounts: Accounts, cluster: str) -> None:
    """Change accounts by a table of associations, QOS, users or usage."""
    rows = list(_rows(path))
    clusters = {row["cluster"] for _, row in rows if row.get("cluster")}
    if len(clusters) > 1 and cluster not in clusters:
        raise SiteFileError(
            f"{path}: clusters {', '.join(sorted(clusters))}: which one is not known; set "
            "ClusterName in slurm.conf"
        )
    if rows and "account" not in rows[0][1] and "name" in rows[0][1]:
        # a table has all QOS of a database
        accounts.qos.clear()
    accounts_of = [row["account"] for _, row in rows if "account" in row]
    if rows and not {"parentname", "rawusage"} & rows[0][1].keys():
        accounts.note_parents(path, accounts_of)
    ancestors: list[tuple[int, str]] = []
    for number, row in rows:
        if len(clusters) > 1 and row.get("cluster") != cluster:
            continue
        user, account = (row.get(name, "").strip() for name in ("user", "account"))
        settings = [
            Setting(path, number, key, cell.strip())
            for key, cell in row.items()
            if key not in ("name", "account", "user", "partition")
        ]
        if "rawusage" in row:
            accounts.set_usage(account, user, Setting(path, number, "RawUsage", row["rawusage"]))
        elif account:
            if not user and (parent := _parent(row["account"], ancestors)):
                settings.append(Setting(path, number, "Parent", parent))
            place = (account, user, row.get("partition", "").strip())
            accounts.set_association(place, settings)
        elif user:
            default = row.get("defacct", row.get("defaultaccount", ""))
            if default:
                accounts.default_accounts[user] = default
        elif "name" in row:
            accounts.set_qos(row["name"].strip(), settings)
        else:
            raise SiteFileError(
                f"{path}: no column Account, User or Name; write the file with sacctmgr show "
                "assoc|qos|user -P, or sshare -a -P"
            )


def _parent(text: str, ancestors: list[tuple[int, str]]) -> str:
    """Return the parent of an account by the spaces before it, which `tree` writes; "" if none.

    `ancestors` are levels and names of the accounts above the next row.
    """
    level = len(text) - len(text.lstrip())
    while ancestors and ancestors[-1][0] >= level:
        ancestors.pop()
    parent = ancestors[-1][1] if ancestors else ""
    ancestors.append((level, text.strip()))
    return parent
