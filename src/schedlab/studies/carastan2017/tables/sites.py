"""Compare policies learned on one site's log with others on every site, in tables and sentences."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.intervals import LEVEL, holm, interval
from schedlab.files.io import read_parquet
from schedlab.learning.regimes import FEWEST_WINDOWS, PAPERS, REFERENCES, REGIMES
from schedlab.learning.transfer import (
    ALL_TUPLES,
    NO,
    NO_POLICY,
    OPEN,
    YES,
    Replicates,
    answer,
    chance,
    references,
)
from schedlab.report.items import From, Given, Item, Study, each, item
from schedlab.report.parts import Table, Words
from schedlab.report.tables import show
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.report.words import filled
from schedlab.studies.carastan2017.inputs import (
    COMPARING,
    Draws,
    Fewest,
    Frames,
    Resampled,
    Resamples,
    of_sites,
    sites_of,
)
from schedlab.studies.carastan2017.names import BEST, KEY_OF_WINDOWS, label_of_site

# The fixed alternative, chosen without hindsight: the policy that the paper finds best.
FIXED = ("f1",)
MATRIX = ["regime", "trained", "tested", "policy", "windows", "median", "ratio", "low", "high",
          "resampled", "status"]  # fmt: skip
SUMMARY = ["regime", "sites", "windows", "ratio", "low", "high", "fixed", "fixed_low", "fixed_high",
           "better", "worse", "undecided", "verdicts", "adjusted", "foreign", "pays"]  # fmt: skip
NONE = "none"
DECIMALS = {"share_dropped": 3, "effective_tasks": 1, "rank_error": 6, "K": 0}


@item(
    *("sites", "sites_policies", "sites_summary", "sites_tuples", Item("sites_sentence", "text")),
    section="Site policies", **COMPARING,
)  # fmt: skip
def make_sites(
    draws: Draws,
    fits: Annotated[
        Frames, From(of_sites("<results>/policies/sites/{site}.parquet"), each(read_parquet))
    ],
    policies: Resampled,
    measured: Annotated[
        Frames,
        From(
            of_sites("<results>/simulations/carastan2017/sites/{site}.parquet"), each(read_parquet)
        ),
    ],
    sites: Annotated[
        Sequence[str],
        Given(lambda study, _: [label_of_site(study, one) for one in sites_of(study)["names"]]),
    ],
    fewest: Fewest,
    resamples: Resamples,
    words: Words,
) -> dict[str, Table | str]:
    """Return the matrix of policies learned on sites, its summary, the tuples and the policies."""

    def by_site(frames: Frames) -> dict[str, pd.DataFrame]:
        return dict(zip(sites, frames, strict=True))

    tuples = tuple_table(pd.concat(draws, ignore_index=True), fewest)
    trained = pd.concat([references(), *policies])
    replicates = Replicates(trained, by_site(measured), resamples, KEY_OF_WINDOWS)
    table = matrix(replicates, dict(zip(sites, tuples["status"], strict=True)))
    totals = summary(replicates, sites)
    finding = sentence(totals, words["sites"]["sentence"])
    paragraphs = finding.replace("\n", "\n\n")

    facts = {"resamples": f"{resamples:,}", "fewest_windows": FEWEST_WINDOWS}
    return {
        "sites": Table(table, DECIMALS, facts, paragraphs, shown(table)),
        "sites_summary": Table(totals, DECIMALS, facts, paragraphs),
        "sites_tuples": Table(tuples, DECIMALS, {"quiet": quiet_sites(tuples)}),
        "sites_policies": Table(policy_table(by_site(fits)), DECIMALS),
        "sites_sentence": finding,
    }


def _measured_with_own(study: Study, _item: str) -> list[str]:
    """Return the results of every site, then those of your policies in the same order."""
    folders = ["", *(f"{name}/" for name in study.config["policies"])]
    return [
        f"<results>/simulations/{study.key}/{folder}sites/{site}.parquet"
        for folder in folders
        for site in sites_of(study)["names"]
    ]


@item(
    lambda study: ["sites_own"] if study.config["policies"] else [],
    section="Site policies", **COMPARING,
)  # fmt: skip
def make_sites_own(
    draws: Draws,
    policies: Resampled,
    measured: Annotated[Frames, From(_measured_with_own, each(read_parquet))],
    sites: Annotated[
        Sequence[str],
        Given(lambda study, _: [label_of_site(study, one) for one in sites_of(study)["names"]]),
    ],
    own: Annotated[Mapping[str, str], Given(lambda study, _: dict(study.config["policies"]))],
    fewest: Fewest,
    resamples: Resamples,
) -> Table:
    """Return the matrix with your policies."""
    trained = pd.concat([references(own), *policies])
    # A user-defined policy may equal one that runs anyway.
    runs = {
        label: pd.concat(measured[place :: len(sites)]).drop_duplicates(
            ["policy", "regime", "window"]
        )
        for place, label in enumerate(sites)
    }
    replicates = Replicates(trained, runs, resamples, KEY_OF_WINDOWS)
    statuses = tuple_table(pd.concat(draws, ignore_index=True), fewest)["status"]
    table = matrix(replicates, dict(zip(runs, statuses, strict=True)), own)
    return Table(table, readable=shown(table))


def tuple_table(draws: pd.DataFrame, fewest: int) -> pd.DataFrame:
    """Return how many tuples were drawn, contended and dropped at every site."""
    dropped = draws["drawn"] - draws["contended"]
    return draws.assign(
        dropped=dropped,
        share_dropped=dropped / draws["drawn"].where(draws["drawn"] > 0),
        status=np.select(
            [draws["jobs"] == 0, draws["contended"] < fewest], [NOT_AVAILABLE, NO_POLICY], ""
        ),
    )


def quiet_sites(table: pd.DataFrame) -> list[str]:
    """Return the sites at which most tuples carry no information, with their share."""
    quiet = table[table["share_dropped"] > 0.5]
    return [f"{row.site} ({row.share_dropped:.0%})" for row in quiet.itertuples()]


def policy_table(fits: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the four best functions of every site that has any."""
    columns = {"site": "site", "rank": "rank", "formula": "function", "K": "K"}
    columns |= {"rank_error": "rank_error", "policy": "policy"}
    frames = [fit.head(BEST).assign(site=site) for site, fit in fits.items() if len(fit)]
    if not frames:
        return pd.DataFrame(columns=list(columns.values()))
    return pd.concat(frames, ignore_index=True)[list(columns)].rename(columns=columns)


def matrix(
    replicates: Replicates, statuses: Mapping[str, str], custom: Iterable[str] = ()
) -> pd.DataFrame:
    """Return the ratios of site policies and reference policies, tested on every site."""
    rows = []
    available = set(replicates.trained())
    names = [*REFERENCES.values(), *custom, *statuses]
    for regime in (one.name for one in REGIMES):
        for trained in names:
            for tested in statuses:
                row = {"regime": regime, "trained": trained, "tested": tested, "status": ""}
                if not replicates.is_available(regime, tested):
                    rows.append(row | {"windows": 0, "status": NOT_AVAILABLE})
                elif trained not in available:
                    rows.append(row | {"windows": 0, "status": statuses.get(trained) or NO_POLICY})
                else:
                    rows.append(row | _cell(replicates, regime, tested, trained))
    return pd.DataFrame(rows, columns=MATRIX)


def _cell(replicates: Replicates, regime: str, tested: str, trained: str) -> dict:
    median = replicates.median(regime, tested, trained)
    low, high = interval(replicates.ratios(regime, tested, trained))
    return {
        "policy": replicates.policies[trained, ALL_TUPLES],
        "windows": replicates.count(regime, tested),
        "median": median,
        "ratio": median / replicates.best_of(regime, tested),
        "low": low,
        "high": high,
        "resampled": "tuples and windows" if replicates.is_own(tested, trained) else "windows",
    }


def summary(replicates: Replicates, sites: Sequence[str]) -> pd.DataFrame:
    """Summarize the results of each site's policy on the second half of its own log, by regime."""
    trained = set(replicates.trained())
    rows, verdicts = [], []
    for regime in (one.name for one in REGIMES):
        sites_tested = [
            site for site in sites if site in trained and replicates.is_available(regime, site)
        ]
        if not sites_tested:
            continue
        ratios, fixed = (
            np.array([replicates.ratios(regime, site, site, names) for site in sites_tested])
            for names in (PAPERS, FIXED)
        )
        windows = [replicates.count(regime, site) for site in sites_tested]
        enough = [count >= FEWEST_WINDOWS for count in windows]
        answers = [
            answer(*pair) if decided else OPEN
            for *pair, decided in zip(ratios, fixed, enough, strict=True)
        ]
        verdicts += [
            (regime, site, chance(*pair))
            for *pair, site, decided in zip(ratios, fixed, sites_tested, enough, strict=True)
            if decided
        ]
        over_all = answer(_geometric(ratios), _geometric(fixed))
        row = {"regime": regime, "sites": len(sites_tested), "windows": min(windows)}
        row |= _over_sites("", ratios, _own_ratios(replicates, regime, sites_tested, PAPERS))
        row |= _over_sites("fixed", fixed, _own_ratios(replicates, regime, sites_tested, FIXED))
        row |= {
            "better": _names(sites_tested, answers, YES),
            "worse": _names(sites_tested, answers, NO),
            "undecided": _names(sites_tested, answers, OPEN),
            "verdicts": sum(enough),
            "foreign": _foreign(replicates, regime, sites_tested),
            "pays": over_all if all(enough) else OPEN,
        }
        rows.append(row)
    adjusted = holm(np.array([its for *_, its in verdicts]))
    significant = [
        (regime, site)
        for (regime, site, _), its in zip(verdicts, adjusted, strict=True)
        if its <= 1 - LEVEL
    ]
    for row in rows:
        names = [site for regime, site in significant if regime == row["regime"]]
        row["adjusted"] = ", ".join(names) or NONE
    return pd.DataFrame(rows, columns=SUMMARY)


def _own_ratios(
    replicates: Replicates, regime: str, sites: Sequence[str], names: Sequence[str]
) -> np.ndarray:
    return np.array(
        [
            replicates.median(regime, site, site) / replicates.best_of(regime, site, names)
            for site in sites
        ]
    )


def _over_sites(name: str, resampled: np.ndarray, measured: np.ndarray) -> dict[str, float]:
    """Return the geometric mean of ratios over the sites with its interval, as three cells."""
    low, high = interval(_geometric(resampled))
    columns = (name, f"{name}_low", f"{name}_high") if name else ("ratio", "low", "high")
    return dict(zip(columns, (float(_geometric(measured)), low, high), strict=True))


def _foreign(replicates: Replicates, regime: str, sites: Sequence[str]) -> float:
    """Return the geometric mean ratio of other sites' policies; nan if there is no other site."""
    foreign = [
        replicates.median(regime, tested, trained) / replicates.best_of(regime, tested)
        for trained in sites
        for tested in sites
        if trained != tested
    ]
    return float(_geometric(np.array(foreign))) if foreign else np.nan


def _names(sites: Sequence[str], answers: Sequence[str], verdict: str) -> str:
    chosen = (site for site, its in zip(sites, answers, strict=True) if its == verdict)
    return ", ".join(chosen) or NONE


def _geometric(ratios: np.ndarray) -> np.ndarray:
    return np.exp(np.log(ratios).mean(axis=0))


def sentence(summaries: pd.DataFrame, text: str) -> str:
    """Fill the answers, one line per regime, and one on chance, from `summary`."""
    labels = {regime.name: regime.label for regime in REGIMES}
    decided = (summaries["better"] != NONE) | (summaries["worse"] != NONE)
    count = int(summaries["verdicts"].sum())
    facts = {"rows": summaries.to_dict("records"), "labels": labels, "fewest": FEWEST_WINDOWS}
    facts |= {"count": count, "wrong": (1 - LEVEL) * count, "decided": decided.any()}
    significant = summaries[summaries["adjusted"] != NONE].to_dict("records")
    return filled(text, facts | {"level": f"{LEVEL:.0%}", "significant": significant})


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """Arrange `matrix` for reading: one row per regime and policy, one column per tested site.

    Cells are such as ``12.3 = 0.91 [0.85, 1.02]`` (median, ratio and its interval), or the status.
    """
    cells = [_text(row) for row in table.itertuples()]
    wide = table.assign(cell=cells).pivot(
        index=["regime", "trained"], columns="tested", values="cell"
    )
    order = table[["regime", "trained"]].drop_duplicates()
    wide = wide.reindex(pd.MultiIndex.from_frame(order), columns=table["tested"].unique())
    return wide.reset_index().rename_axis(columns=None)


def _text(cell: tuple) -> str:
    if cell.status:
        return cell.status
    return f"{show(cell.median)} = {show(cell.ratio)} [{show(cell.low)}, {show(cell.high)}]"
