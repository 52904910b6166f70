"""Tables of ``sacctmgr show assoc|qos|user -P`` and ``sshare -a -P``, with a line of names.

References
----------
Slurm, sacctmgr(1), sshare(1).
"""

from collections.abc import Iterator

from schedlab.traces.slurm.accounts import Accounts
from schedlab.traces.slurm.conf_text import Setting, SiteFileError, text_of


def read_table(path: str, accounts: Accounts, cluster: str) -> None:
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
