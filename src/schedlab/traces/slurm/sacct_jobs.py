"""Jobs of a log from the records of all parts of an `sacct` dump: what depends on other lines."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.core.requests import DEFAULTS, PREFIX, RAN_ON, UNKNOWN, Texts
from schedlab.traces.losses import loss_table
from schedlab.traces.parts import Columns, narrow
from schedlab.traces.slurm.sacct_ids import id_text
from schedlab.traces.slurm.sacct_ledger import RULES, Book, LedgerPart, among
from schedlab.traces.slurm.sacct_records import Part

#: processors and the like of components add up, the longest time counts; with the dump's fields
_SUMS = {"procs": "NCPUS", "requested_procs": "ReqCPUS", "nodes": "NNodes"}
_LONGEST = {"runtime": "Elapsed", "requested_time": "Timelimit"}
#: requests that are of one component, not of the whole job
_OF_COMPONENTS = {PREFIX + name for name in ("nodes", "most_nodes", "tasks")}
#: requests that are names of which the log has the numbers, and those columns
_NAMES = {"user": "user", "account": "account", "partition": "queue", "qos": "qos"}
_RULES = tuple(RULES.values())
#: a job that Slurm puts back has a submit time of soon after the end of its run
SOON = 86_400
#: components of a heterogeneous job are submitted within so many seconds
TOGETHER = 60


@dataclass(frozen=True, eq=False)
class Assembled:
    """Jobs of a log; for the other attributes see `schedlab.traces.slurm.sacct.SacctLog`.

    `span` has the Unix seconds of the log's zero and of its last end, None without jobs;
    `partitions` are names, by number from 1.
    """

    records: pd.DataFrame
    requests: pd.DataFrame
    span: tuple[int, int] | None
    partitions: list[str]
    parts: list[LedgerPart]
    lost: pd.DataFrame
    dumped: int
    gpu_jobs: int
    possible_components: int


class Gathered:
    """Records of the parts of a dump, in the narrowest types of whole numbers."""

    def __init__(self) -> None:
        self._columns = Columns()
        self._names: dict[str, dict[str, int]] = {}
        self._parts: list[tuple[np.ndarray, int, Book]] = []
        self._jobs = 0
        # by row
        self._states: dict[int, str] = {}
        self._ids: dict[str, dict[int, str]] = {}
        self._components: dict[int, tuple[int, int]] = {}

    def add(self, part: Part) -> None:
        """Add the next part."""
        columns = dict(part.records)
        texts = {PREFIX + name: column for name, column in part.texts.items()}
        for name, column in (part.owners | texts).items():
            names = self._names.setdefault(name, {})
            codes = [names.setdefault(text, len(names)) for text in column.texts]
            columns[name] = np.array(codes, dtype=np.int64)[-1 - column.values]
        self._columns.add({name: narrow(values) for name, values in columns.items()})
        rows = np.flatnonzero(part.records["again"])
        states = part.states.at(rows).as_texts().tolist()
        self._states |= zip((self._jobs + rows).tolist(), states, strict=True)
        for name, texts in part.ids.texts.items():
            ids = self._ids.setdefault(name, {})
            ids |= {self._jobs + row: text for row, text in texts.items()}
        self._components |= {self._jobs + row: ids for row, ids in part.ids.parts.items()}
        jobs = len(part.records["line"])
        self._parts.append((narrow(part.lines), jobs, part.book))
        self._jobs += jobs

    def assemble(self, salt: str | None) -> Assembled:
        """Return the jobs of the log; may be called once."""
        columns = self._columns.taken()
        book = Book()
        lines, gone = columns["line"], columns.pop("gone")
        content, ids = columns.pop("content"), columns.pop("ids")
        again = columns.pop("again")
        shared = _with_shared_numbers(columns["number"])
        hashes = pd.DataFrame({"content": content[shared], "ids": ids[shared]}, shared)
        del content, ids
        is_repeated = hashes.duplicated().to_numpy()
        repeated = shared[is_repeated]
        texts = self._id_texts(columns, repeated)
        book.write("line_repeated", self._id_field, lines[repeated], texts)
        columns["number"][repeated] = -1  # the earlier line has it
        aborted = _run_again(hashes["ids"][~is_repeated], again, columns)
        states = np.array([self._states[row] for row in aborted.tolist()], dtype=object)
        book.write("run_again", "State", lines[aborted], states)
        gone[repeated] = gone[aborted] = True
        several = hashes["ids"][~gone[shared]]
        merged = self._merge_lines(book, columns, several[several.duplicated(keep=False)])
        gone[merged] = True
        work = columns["runtime"].clip(min=0).astype(np.float64) * columns["procs"].clip(min=0)
        work[repeated] = work[merged] = 0
        self._merge_components(book, columns, gone)
        kept = np.flatnonzero(~gone)
        self._renumber(book, columns, kept)
        parts, lost, dumped = self._close(book, columns, work)
        del work
        gpu_jobs = int(columns.pop("gpus")[kept].sum())
        possible = 0 if "JobID" in self._ids else _possible_components(columns, kept)
        columns[PREFIX + "array"] = _arrays(columns)
        columns |= {PREFIX + name: columns[field] for name, field in _NAMES.items()}
        partitions = self._number_owners(columns, kept, salt)
        records, span = _on_the_log_s_clock(columns, kept)
        requests = self._split_requests(records, salt)
        return Assembled(
            records, requests, span, partitions, parts, lost, dumped, gpu_jobs, possible
        )

    def _split_requests(self, records: pd.DataFrame, salt: str | None) -> pd.DataFrame:
        """Take requests and nodes out of records; those that no job has are left out.

        With a salt, users and accounts have their numbers for names.
        """
        requests: dict[str, np.ndarray | pd.Categorical] = {}
        for name, default in (DEFAULTS | {RAN_ON: ""}).items():
            if PREFIX + name not in records:
                continue
            values = records.pop(PREFIX + name).to_numpy()
            if not isinstance(default, str):
                if name == "begin":
                    values = np.where(values, records["submit"], UNKNOWN)
                if (values != default).any():
                    requests[PREFIX + name] = values
                continue
            field = _NAMES.get(name, PREFIX + name)
            names = list(self._names[field])
            if salt is not None and name in ("user", "account"):
                numbers = np.zeros(len(names), dtype=np.int64)
                numbers[values] = records[field]
                names = [text and str(number) for text, number in zip(names, numbers, strict=True)]
            if len(values) and (names.count("") == 0 or (values != names.index("")).any()):
                column = name if name == RAN_ON else PREFIX + name
                requests[column] = Texts(values, tuple(names)).column()
        return pd.DataFrame(requests, records.index)

    @property
    def _id_field(self) -> str:
        return "JobID" if "JobID" in self._ids else "JobIDRaw"

    def _id_texts(self, columns: dict[str, np.ndarray], rows: np.ndarray) -> np.ndarray:
        """Return the ids of rows as in the dump, JobID if it has it."""
        others = self._ids.get(self._id_field, {})
        plain, task, number = (columns[name][rows].tolist() for name in ("plain", "task", "number"))
        texts = [
            others.get(row) or id_text(*id_of)
            for row, *id_of in zip(rows.tolist(), plain, task, number, strict=True)
        ]
        return np.array(texts, dtype=object)

    def _merge_lines(
        self, book: Book, columns: dict[str, np.ndarray], ids: pd.Series
    ) -> np.ndarray:
        """Merge lines of one job (id and submit) into its last one; return the other rows.

        Such lines come from dumps by month (``sacct -T`` cuts a job at the begin and the end of the
        dump) and after a change of an account or of a user's name. `ids` are hashes by row.
        """
        names = ("entered", "started", "runtime", "submit", "wait")
        rows = ids.index.to_numpy()
        lines = pd.DataFrame({name: columns[name][rows].astype(np.int64) for name in names}, rows)
        lines["ids"] = ids
        job = ["ids", "entered"]
        lines = lines[lines.duplicated(job, keep=False)]
        ran = lines["started"] >= 0
        lines["end"] = (lines["started"] + lines["runtime"].clip(lower=0)).where(ran, -1)
        lines = lines.rename_axis("row").sort_values([*job, "started", "row"])
        lines["until"] = lines.groupby(job)["end"].cummax()
        covered_until = lines.groupby(job)["until"].shift(fill_value=-1)
        begin = np.maximum(lines["started"], covered_until)
        lines["covered"] = (lines["end"] - begin).clip(lower=0)
        lines["first"] = lines["started"].where(lines["started"] >= 0)
        jobs = lines.groupby(job)
        runtime = jobs["covered"].transform("sum")
        first = jobs["first"].transform("min").fillna(-1).astype(np.int64)
        is_last = ~lines.duplicated(job, keep="last")
        for field, name, values in (
            ("Elapsed", "runtime", np.maximum(runtime, lines["runtime"])),
            ("Start", "started", first),
            (
                "Start",
                "wait",
                (first - lines["submit"]).clip(lower=0).where(first >= 0, lines["wait"]),
            ),
        ):
            changed = lines.index[is_last & (values != lines[name])].sort_values()
            after = values[changed].to_numpy()
            if name != "wait":  # it follows from the start
                before = lines[name][changed].to_numpy()
                book.write("job_whole", field, columns["line"][changed], before, after)
            columns[name] = with_values(columns[name], changed.to_numpy(), after)
        others = np.sort(lines.index[~is_last].to_numpy())
        texts = self._id_texts(columns, others)
        book.write("job_repeated", self._id_field, columns["line"][others], texts)
        return others

    def _merge_components(
        self, book: Book, columns: dict[str, np.ndarray], gone: np.ndarray
    ) -> None:
        """Merge the components of a heterogeneous job: all processors, longest times."""
        live = {row: ids for row, ids in self._components.items() if not gone[row]}
        if not live:
            return
        parts = pd.DataFrame(list(live.values()), list(live), columns=["whole", "part"])
        rows = parts.index.to_numpy()
        parts["entered"] = columns["entered"][rows].astype(np.int64)
        parts = parts.sort_values(["whole", "entered"])
        # an id may come again years later, and components a second after each other
        steps = parts[["whole", "entered"]].diff()
        parts["job"] = ((steps["whole"] > 0) | (steps["entered"] > TOGETHER)).cumsum()
        parts = parts.sort_values(["job", "part"])
        rows, groups = parts.index.to_numpy(), parts["job"]
        first = ~groups.duplicated().to_numpy()
        others = np.sort(rows[~first])
        lines = columns["line"]
        texts = self._id_texts(columns, others)
        book.write("het_component", "JobID", lines[others], texts)
        for name, field in (_SUMS | _LONGEST).items():
            had = pd.Series(columns[name][rows].astype(np.int64), rows)
            grouped = had.groupby(groups)
            all_known = grouped.transform("min") >= 0
            value = grouped.transform("sum" if name in _SUMS else "max")
            value = value.where(all_known | (name == "runtime"), -1)
            changed = np.sort(rows[first & (value != had).to_numpy()])
            book.write(
                "het_whole",
                field,
                lines[changed],
                had[changed].to_numpy(),
                value[changed].to_numpy(),
            )
            columns[name] = with_values(columns[name], changed, value[changed].to_numpy())
        with_gpus = pd.Series(columns["gpus"][rows], rows).groupby(groups).transform("max")
        columns["gpus"][rows[first]] = with_gpus[first]
        for name in _OF_COMPONENTS & columns.keys():
            columns[name][rows[first]] = 0
        if PREFIX + RAN_ON in columns:
            self._join_nodes(columns, rows, groups.to_numpy(), first)
        gone[others] = True

    def _join_nodes(
        self,
        columns: dict[str, np.ndarray],
        rows: np.ndarray,
        groups: np.ndarray,
        first: np.ndarray,
    ) -> None:
        """Give the first component of a job the nodes of all; none if one's are unknown."""
        field = PREFIX + RAN_ON
        codes = self._names[field]
        names = list(codes)
        texts = pd.Series([names[code] for code in columns[field][rows]])
        every = texts.groupby(groups, sort=False).agg(
            lambda lists: ",".join(lists) if lists.all() else ""
        )
        values = [codes.setdefault(text, len(codes)) for text in every[groups[first]]]
        columns[field] = with_values(columns[field], rows[first], np.array(values, dtype=np.int64))

    def _renumber(self, book: Book, columns: dict[str, np.ndarray], kept: np.ndarray) -> None:
        number = columns["number"][kept]
        unclear = kept[_with_shared_numbers(number)]
        order = unclear[np.argsort(columns["entered"][unclear], kind="stable")]
        numbers = pd.Series(columns["number"][order])
        again = order[(numbers.duplicated() | (numbers < 0)).to_numpy()]
        first = int(number.max(initial=0)) + 1
        given = pd.Series(np.arange(first, first + len(again)), again).sort_index()
        rows = given.index.to_numpy(dtype=np.int64)
        has_raw = "JobIDRaw" in self._ids
        texts = self._raw_texts(columns, rows) if has_raw else self._id_texts(columns, rows)
        field = "JobIDRaw" if has_raw else "JobID"
        book.write("number_given", field, columns["line"][rows], texts, given.to_numpy())
        columns["number"] = with_values(columns["number"], rows, given.to_numpy())

    def _raw_texts(self, columns: dict[str, np.ndarray], rows: np.ndarray) -> np.ndarray:
        """Return JobIDRaw of rows, as in the dump."""
        others, numbers = self._ids["JobIDRaw"], columns["number"][rows].tolist()
        pairs = zip(rows.tolist(), numbers, strict=True)
        texts = [others.get(row, str(number)) for row, number in pairs]
        return np.array(texts, dtype=object)

    def _close(
        self, book: Book, columns: dict[str, np.ndarray], work: np.ndarray
    ) -> tuple[list[LedgerPart], pd.DataFrame, int]:
        """Return the ledger's parts, losses by rule and number of jobs; `work` is core seconds."""
        parts, lost, count = [], {}, 0
        begin, lines, numbers = 0, columns["line"], columns["number"]
        for of_part, jobs, part_book in self._parts:
            here = slice(begin, begin + jobs)
            begin += jobs
            if len(of_part):
                part_book.pages += book.between(int(of_part[0]), int(of_part[-1])).pages
            parts.append(LedgerPart(of_part, lines[here], numbers[here], part_book))
            count += len(of_part)
            dropped, codes = part_book.dropped()
            for code in pd.unique(codes):
                rule, of_rule = _RULES[code], dropped[codes == code]
                if not rule.loses:
                    count -= len(of_rule)
                    continue
                places = np.searchsorted(lines[here], of_rule[among(of_rule, lines[here])])
                before = lost.get(rule.name, (0, 0.0))
                lost[rule.name] = (
                    before[0] + len(of_rule),
                    before[1] + float(work[here][places].sum()),
                )
        return parts, loss_table(lost, count, float(work.sum())), count

    def _number_owners(
        self, columns: dict[str, np.ndarray], kept: np.ndarray, salt: str | None
    ) -> list[str]:
        """Replace names by numbers, in alphabetical order; return the partitions' names."""
        places: list[str] = []
        for name, names in self._names.items():
            if name.startswith(PREFIX):
                continue
            codes = columns[name]
            texts = list(names)
            known = [texts[code] for code in pd.unique(codes[kept]).tolist()]
            if name in ("queue", "qos"):
                known, secret = sorted(known), None
            else:
                secret = salt
            numbers = number_names(known, name, secret)
            found = np.array([numbers.get(text, -1) for text in texts], dtype=np.int64)
            columns[name] = narrow(found)[codes]
            if name == "queue":
                places = [text for text in known if text]
        return places


def with_values(column: np.ndarray, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return a column with other values in some rows."""
    if len(rows):
        column = column.astype(np.promote_types(column.dtype, narrow(values).dtype))
        column[rows] = values
    return column


def _arrays(columns: dict[str, np.ndarray]) -> np.ndarray:
    """Return the number of each job's array."""
    return np.where(columns["task"] >= 0, columns["plain"], -1)


def _with_shared_numbers(number: np.ndarray) -> np.ndarray:
    """Return the rows whose number is unknown, or that of another row."""
    if (np.diff(number, prepend=-1) > 0).all():  # in the order of most dumps
        return np.empty(0, dtype=np.int64)
    ordered = np.sort(number)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    return np.flatnonzero((number < 0) | np.isin(number, twice))


def _run_again(ids: pd.Series, again: np.ndarray, columns: dict[str, np.ndarray]) -> np.ndarray:
    """Return the rows of runs that Slurm aborted and that another line of the job follows.

    That has the run's user, and a submit time of at most `SOON` after its end: Slurm gives ids
    again after years. `ids` are equal for all runs of one job.
    """
    rows = ids.index.to_numpy()
    submit, wait, runtime, start, entered, user = (
        columns[name][rows].astype(np.int64)
        for name in ("submit", "wait", "runtime", "started", "entered", "user")
    )
    end = submit + wait.clip(min=0) + runtime.clip(min=0)
    order = np.lexsort((np.where(start < 0, 2**62, start), entered, ids.to_numpy()))
    run, following = order[:-1], order[1:]
    followed = (
        again[rows[run]]
        & (ids.to_numpy()[run] == ids.to_numpy()[following])
        & (user[run] == user[following])
        & (entered[following] <= end[run] + SOON)
    )
    return np.sort(rows[run[followed]])


def _possible_components(columns: dict[str, np.ndarray], kept: np.ndarray) -> int:
    """Return by number how many jobs, of its user, submit and start, may be components of a job."""
    jobs = kept[np.argsort(columns["number"][kept], kind="stable")]
    jobs = jobs[columns["started"][jobs] >= 0]
    step = {
        name: np.diff(columns[name][jobs].astype(np.int64))
        for name in ("number", "user", "entered", "started", "queue")
    }
    same = (step["user"] == 0) & (step["entered"] == 0) & (step["started"] == 0)
    return int(((step["number"] == 1) & same & (step["queue"] != 0)).sum())


def _on_the_log_s_clock(
    columns: dict[str, np.ndarray], kept: np.ndarray
) -> tuple[pd.DataFrame, tuple[int, int] | None]:
    """Return jobs by submit time, then number, from the first submission on; and the Unix times."""
    submit = columns.pop("submit")[kept].astype(np.int64)
    entered = columns.pop("entered")[kept]
    span = None
    if len(kept):
        zero = int(min(submit.min(), entered.min()))
        ends = submit + columns["wait"][kept].clip(min=0)
        ends += columns["runtime"][kept].clip(min=0)
        span = zero, int(ends.max())
        del ends
        submit -= zero
        entered = narrow(entered.astype(np.int64) - zero)
    order = np.lexsort((columns["number"][kept], submit))
    found = {"submit": narrow(submit[order]), "entered": entered[order]}
    del submit, entered
    rows = kept[order]
    for name in ("started", "plain", "task"):
        del columns[name]
    # the arrays of lines and numbers stay: the ledger uses them
    for name in list(columns):
        found[name] = columns.pop(name)[rows]
    found["partition"] = found["queue"]
    return pd.DataFrame(found, copy=False), span


_BYTES = 6  # 48 bits: exact in float64, and 10,000 names are unlikely to share a number


def number_names(names: Sequence[str], kind: str, salt: str | None) -> dict[str, int]:
    """Return a number for each of distinct names; -1 for the empty one, which is unknown.

    Equal names of two kinds have different hashes. With a secret `salt`, a name's number is its
    keyed hash, equal in every dump, positive and below 2⁴⁸ + 1; without the secret, guesses of
    names cannot be tested.
    """
    known = [name for name in names if name]
    if salt is None:
        numbers = {name: number for number, name in enumerate(known, start=1)}
    else:
        if not salt:
            raise ValueError("the salt is empty; give a secret text, or none at all")
        numbers = {name: _hash(name, kind, salt) for name in known}
        if len(set(numbers.values())) < len(known):
            raise ValueError(f"two names of field {kind} have one hash; give another salt")
    return numbers | {"": -1}


def _hash(name: str, kind: str, salt: str) -> int:
    key = hashlib.sha256(salt.encode("utf-8", "surrogateescape")).digest()
    digest = hashlib.blake2b(name.encode(), digest_size=_BYTES, key=key, person=kind.encode())
    return 1 + int.from_bytes(digest.digest(), "big")
