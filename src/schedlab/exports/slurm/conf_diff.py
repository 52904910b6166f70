"""Changed settings as lines to paste: a diff of a site's slurm.conf, and commands of sacctmgr."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from schedlab.traces.slurm.conf_text import KINDS, read_conf, text_of
from schedlab.traces.slurm.sacctmgr_text import is_command
from schedlab.traces.slurm.site_files import PARAMETERS
from schedlab.traces.slurm.site_keys import read_keys

#: lines of context of a diff
CONTEXT = 0


def lines_to_paste(conf: str | Path, texts: Iterable[str]) -> str:
    """Return what changes a site's Slurm by settings as of ``--slurm-set``.

    The result is a unified diff of slurm.conf and of the files that it includes, then commands of
    sacctmgr, then the command that makes Slurm read its file again. It is empty without settings.
    Keys that no file has are added at the end of slurm.conf.

    Parameters
    ----------
    conf : path
        slurm.conf.
    texts : iterable of str
        Settings as of `schedlab.traces.slurm.site_files.read_site`.
    """
    texts = list(texts)
    commands = [f"sacctmgr -i {text}" for text in texts if is_command(text)]
    changed = edited(conf, [text for text in texts if not is_command(text)])
    parts = []
    for path, text in changed.items():
        before = text_of(path).splitlines()
        diff = difflib.unified_diff(
            before, text.splitlines(), path.name, path.name, n=CONTEXT, lineterm=""
        )
        parts.append("\n".join(diff))
    if changed:
        parts.append("scontrol reconfigure")
    return "\n".join([*parts, *commands])


def edited(conf: str | Path, texts: Sequence[str]) -> dict[Path, str]:
    """Return the text of each file of slurm.conf that settings change, by its path."""
    conf = Path(conf)
    changed: dict[Path, str] = {}
    for text in texts:
        key, value = (part.strip() for part in text.split("=", 1)) if "=" in text else (text, "")
        path, number = _place_of(conf, key, value)
        lines = (changed.get(path) or text_of(path)).splitlines()
        if number is None:
            lines.append(text if _is_own_line(key) else f"{PARAMETERS}={text}")
        else:
            # the changed files keep the number of lines before this one
            first = _first_line(lines, number, key, value)
            last = first
            while lines[last].rstrip().endswith("\\"):
                last += 1
            joined = " ".join(
                line.rstrip().removesuffix("\\").strip() for line in lines[first : last + 1]
            )
            lines[first : last + 1] = [_changed_line(joined, key, value, text)]
        changed[path] = "\n".join([*lines, ""])
    return changed


def _is_own_line(key: str) -> bool:
    """Return whether a key has a line: it is one of slurm.conf, or begins a line of nodes."""
    return ("conf", key.casefold()) in read_keys() or key.casefold() in KINDS["conf"]


def _place_of(conf: Path, key: str, value: str) -> tuple[Path, int | None]:
    """Return the file and the line of a setting; slurm.conf and None if no file has it."""
    name = value.split()[0] if value and key.casefold() in KINDS["conf"] else None
    if name is None and not _is_own_line(key):
        key = PARAMETERS
    for record in reversed(read_conf(conf)):
        setting = record.name
        if setting.key.casefold() == key.casefold() and name in (None, setting.value):
            return Path(setting.file), setting.line
    return conf, None


def _first_line(lines: Sequence[str], number: int, key: str, value: str) -> int:
    """Return the place of a setting's line, which earlier edits may have moved up."""
    key = key if _is_own_line(key) else PARAMETERS
    pattern = re.compile(rf"\s*{re.escape(key)}\s*=", re.IGNORECASE)
    places = [place for place, line in enumerate(lines[:number]) if pattern.match(line)]
    name = value.split()[0] if key.casefold() in KINDS["conf"] else ""
    return [place for place in places if name in lines[place]][-1]


def _changed_line(line: str, key: str, value: str, text: str) -> str:
    """Return a line with a setting changed, and everything else as it is."""
    if key.casefold() in KINDS["conf"]:
        for pair in value.split()[1:]:
            name, new = pair.split("=", 1)
            line = _with_pair(line, name, new)
        return line
    if _is_own_line(key):
        return _with_pair(line, key, value)
    match = re.match(r"(\s*\w+\s*=\s*)(\"?)([^\"#\s]*)(\"?)(.*)", line)
    assert match is not None
    members = [one for one in match[3].split(",") if one]
    names = [one.split("=")[0].casefold() for one in members]
    if key.casefold() in names:
        members[names.index(key.casefold())] = text
    else:
        members.append(text)
    return f"{match[1]}{match[2]}{','.join(members)}{match[4]}{match[5]}"


def _with_pair(line: str, key: str, value: str) -> str:
    """Return a line in which a key has a value; a new key comes at the end, before a comment."""
    pattern = re.compile(rf"(?<!\w)({re.escape(key)})\s*=\s*(\"[^\"]*\"|[^\s#]*)", re.IGNORECASE)
    if pattern.search(line):
        return pattern.sub(lambda match: f"{match[1]}={value}", line, count=1)
    body, mark, comment = line.partition("#")
    return f"{body.rstrip()} {key}={value}" + (f" {mark}{comment}" if mark else "")
