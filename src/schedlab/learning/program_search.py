"""Genetic search of policies as expressions, with constants tuned by xNES.

The result is a front: for each size the expression with the best score, if no smaller one is as
good. A search is saved after each generation and resumes there; random streams are keyed by
generation, so that an interrupted search, or one on more threads, has the same result.
"""

import json
import logging
import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
from cmaes import XNES

from schedlab.core.streams import generator
from schedlab.files.io import write_text
from schedlab.files.progress import counted
from schedlab.files.threads import processes
from schedlab.learning.program_scores import REFUSED, ProgramScores, Score
from schedlab.policies.grammar import (
    Grammar,
    Tree,
    canonical,
    places_of,
    replaced,
    rounded,
    size_of,
    text_of,
    type_of,
)

logger = logging.getLogger(__name__)

#: expressions that a process scores at a time
CHUNK = 4
#: expressions that compete to be a parent; attempts at an acceptable child
COMPETING, ATTEMPTS = 4, 10
#: shares of parents from the front, of children by crossover and by a new subtree; the others
#: have another constant
FROM_FRONT, CROSSED, MUTATED = 0.2, 0.65, 0.3
#: candidates of a generation of xNES, and standard deviation of decimal logarithms of constants
CANDIDATES, SIGMA = 16, 0.4
FRONT = {"size": "int64", "expression": "str", "score": "float64"}
HISTORY = {"generation": "int64", "evaluations": "int64", "distinct": "int64", "score": "float64"}


@dataclass(frozen=True)
class ProgramSettings:
    """Settings of a search.

    Parameters
    ----------
    size : int
        Most variables, constants and operations of an expression.
    population, generations : int
        Expressions of a generation, and generations.
    tune_every : int
        After so many generations the constants of expressions of the front are tuned.
    tuning : int
        Candidates that xNES tries for each of them.

    Raises
    ------
    ValueError
        A setting is out of range.
    """

    size: int
    population: int
    generations: int
    tune_every: int
    tuning: int

    def __post_init__(self) -> None:
        Grammar(self.size)
        for name, least in (("population", 2), ("generations", 1), ("tune_every", 1)):
            if getattr(self, name) < least:
                raise ValueError(
                    f"search of programs: {name} is {getattr(self, name)}, must be at least {least}"
                )


@dataclass(eq=False)
class ProgramSearch:
    """State of a search, which `search_programs` runs.

    `scores` has the score of each behavior (`ProgramScores.behavior`), so that equal expressions
    are simulated once; `evaluations` counts simulated windows, `each_of` is a map. `front` has a
    tree and its value by size, `tuned` the expressions whose constants were tuned.
    """

    scorer: ProgramScores
    settings: ProgramSettings
    key: Sequence[str | int]
    each_of: Callable[..., Iterable] = map
    evaluations: int = 0
    population: list[Tree] = field(default_factory=list)
    scores: dict[str, Score] = field(default_factory=dict)
    front: dict[int, tuple[Tree, float]] = field(default_factory=dict)
    tuned: set[str] = field(default_factory=set)
    history: list[tuple] = field(default_factory=list)

    def evaluate(self, trees: Sequence[Tree]) -> list[Score]:
        """Return the score of each tree; only behaviors without one are simulated."""
        texts = [text_of(tree) for tree in trees]
        behaviors = {text: self.scorer.behavior(text) for text in dict.fromkeys(texts)}
        new = {
            behavior: text
            for text, behavior in reversed(behaviors.items())
            if behavior and behavior not in self.scores
        }
        texts_new = list(new.values())
        chunks = [texts_new[first : first + CHUNK] for first in range(0, len(new), CHUNK)]
        found = chain.from_iterable(self.each_of(self.scorer.score_all, chunks))
        self.scores |= dict(zip(new, found, strict=True))
        self.evaluations += len(new) * len(self.scorer.windows)
        scores = [self.scores.get(behaviors[text], REFUSED) for text in texts]
        for tree, score in zip(trees, scores, strict=True):
            self._offer(tree, score)
        return scores

    def _offer(self, tree: Tree, score: Score) -> None:
        """Put a tree on the front if no smaller or equal one there is as good."""
        size = size_of(tree)
        if score.excess or any(
            value <= score.value for other, (_, value) in self.front.items() if other <= size
        ):
            return
        self.front[size] = (tree, score.value)
        for other in [each for each in self.front if each > size]:
            if self.front[other][1] >= score.value:
                del self.front[other]

    def begin(self, grammar: Grammar) -> None:
        """Draw the first generation."""
        stream = generator(*self.key, "first")
        while len(self.population) < self.settings.population:
            size = int(stream.integers(1, grammar.size + 1))
            tree = canonical(grammar.draw(stream, size))
            if grammar.accepts(tree):
                self.population.append(tree)

    def breed(self, grammar: Grammar, number: int) -> None:
        """Replace the population by its children; the front survives."""
        stream = generator(*self.key, "generation", number)
        totals = [score.total for score in self.evaluate(self.population)]
        ranks = sorted(
            range(len(totals)), key=lambda place: (totals[place], size_of(self.population[place]))
        )
        ranked = [self.population[place] for place in ranks]
        best = [tree for tree, _ in self.front.values()]

        def parent() -> Tree:
            if best and stream.random() < FROM_FRONT:
                return best[stream.integers(len(best))]
            return ranked[stream.integers(len(ranked), size=COMPETING).min()]

        children, known = best[: self.settings.population], set(self.scores)
        while len(children) < self.settings.population:
            for _ in range(ATTEMPTS):
                child = _child(grammar, stream, parent(), parent())
                if (behavior := self.scorer.behavior(text_of(child))) not in known:
                    break
            known.add(behavior)
            children.append(child)
        self.population = children

    def tune(self, number: int) -> None:
        """Tune the constants of the front by xNES, of each expression once."""
        for tree, _ in list(self.front.values()):
            places = [place for place, part in places_of(tree) if part[0] == "constant"]
            text = text_of(tree)
            if not places or text in self.tuned:
                continue
            self.tuned.add(text)
            seed = int(generator(*self.key, "tune", number, text).integers(2**32))
            start = np.zeros(max(len(places), 2))  # xNES has at least two dimensions
            xnes = XNES(start, SIGMA, seed=seed, population_size=CANDIDATES)
            for _ in range(self.settings.tuning // CANDIDATES):
                points = [xnes.ask() for _ in range(CANDIDATES)]
                trees = [_scaled(tree, places, point) for point in points]
                totals = [min(score.total, 9.0) for score in self.evaluate(trees)]
                xnes.tell(list(zip(points, totals, strict=True)))
                if xnes.should_stop():
                    break

    def run(self, path: Path) -> None:
        """Run the generations that are left, and save the state after each."""
        grammar, last = Grammar(self.settings.size), self.settings.generations
        done, begun, before = len(self.history), time.monotonic(), self.evaluations
        if not done:
            self.begin(grammar)
        with counted("generations", last, done) as advance:
            for number in range(done + 1, last + 1):
                self.breed(grammar, number)
                if number % self.settings.tune_every == 0 or number == last:
                    self.tune(number)
                best = min((value for _, value in self.front.values()), default=math.nan)
                self.history.append((number, self.evaluations, len(self.scores), best))
                write_text(json.dumps(self.state()), path)
                advance()
                seconds = max(time.monotonic() - begun, 1e-9)
                logger.info(
                    "generation %d of %d: score %.4f, %d evaluations, %.0f a minute",
                    *(number, last, best, self.evaluations),
                    60 * (self.evaluations - before) / seconds,
                )

    def state(self) -> dict:
        """Return what a resumed search needs, as JSON."""
        return {
            "about": self.about(),
            "population": self.population,
            "scores": {name: [each.value, each.excess] for name, each in self.scores.items()},
            "front": list(self.front.items()),
            "tuned": sorted(self.tuned),
            "history": self.history,
            "evaluations": self.evaluations,
        }

    def about(self) -> list:
        """Return what a search depends on: settings, key and windows."""
        windows = [
            [each.log, each.place, len(each.jobs), each.warm_up, int(each.jobs.submit[-1])]
            for each in self.scorer.windows
        ]
        bounds = [self.scorer.longest_wait, self.scorer.youth]
        return [asdict(self.settings), list(self.key), *bounds, windows]

    def resume(self, path: Path) -> None:
        """Read a saved state, unless it is of another search or damaged."""
        if not path.exists():
            return
        try:
            state = json.loads(path.read_text())
            if state["about"] != json.loads(json.dumps(self.about())):
                logger.warning("%s is of another search: restarted", path)
                return
        except (ValueError, KeyError, TypeError):
            logger.warning("%s is damaged: restarted", path)
            return
        self.population = [_tree(each) for each in state["population"]]
        self.scores = {name: Score(*each) for name, each in state["scores"].items()}
        self.front = {size: (_tree(tree), value) for size, (tree, value) in state["front"]}
        self.tuned, self.history = set(state["tuned"]), list(map(tuple, state["history"]))
        self.evaluations = state["evaluations"]


def search_programs(
    scorer: ProgramScores,
    settings: ProgramSettings,
    key: Sequence[str | int],
    state: str | os.PathLike[str],
    threads: int = 1,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Search expressions, and return the front and the history of the search.

    Parameters
    ----------
    scorer : ProgramScores
        Scores on the training windows.
    settings : ProgramSettings
        Size of expressions and of the search.
    key : sequence of str or int
        Key of the random streams, with the seed.
    state : path
        File of the state, written after each generation; a search of the same settings, key and
        windows resumes there. The caller removes it in the end.
    threads : int
        Expressions that are simulated at a time; the result does not depend on it.

    Returns
    -------
    front : DataFrame
        `FRONT`: size, expression and score, the smallest first. A score is the mean logarithm of
        the ratio to EASY, simulated for the expression itself.
    history : DataFrame
        `HISTORY`: after each generation, windows simulated so far, distinct expressions and the
        best score.
    """
    path = Path(state)
    with processes(threads) as each_of:
        search = ProgramSearch(scorer, settings, key, each_of)
        search.resume(path)
        search.run(path)
    texts = {size: text_of(tree) for size, (tree, _) in sorted(search.front.items())}
    exact = scorer.score_all(list(texts.values()))
    rows = [
        (size, text, score.value)
        for (size, text), score in zip(texts.items(), exact, strict=True)
        if not score.excess
    ]
    return (
        pd.DataFrame(rows, columns=list(FRONT)).astype(FRONT),
        pd.DataFrame(search.history, columns=list(HISTORY)).astype(HISTORY),
    )


def _child(grammar: Grammar, stream: np.random.Generator, tree: Tree, other: Tree) -> Tree:
    """Return a child of two trees, or a new tree if no attempt gives an acceptable one."""
    parts = list(places_of(tree))
    constants = [place for place, part in parts if part[0] == "constant"]
    for _ in range(ATTEMPTS):
        place, part = parts[stream.integers(len(parts))]
        how = stream.random()
        if how < CROSSED:
            gifts = list(places_of(other))
            child = replaced(tree, place, gifts[stream.integers(len(gifts))][1])
        elif how < CROSSED + MUTATED or not constants:
            room = grammar.size - size_of(tree) + size_of(part)
            size, kind = int(stream.integers(1, room + 1)), type_of(part)
            child = replaced(tree, place, grammar.draw(stream, size, kind or 0))
        else:
            place = constants[stream.integers(len(constants))]
            child = _scaled(tree, [place], stream.normal(0, SIGMA, 1))
        child = canonical(child)
        if grammar.accepts(child) and child != tree:
            return child
    while not grammar.accepts(child := canonical(grammar.draw(stream, grammar.size))):
        pass
    return child


def _scaled(tree: Tree, places: Sequence[tuple[int, ...]], exponents: np.ndarray) -> Tree:
    """Return a tree with its constants multiplied by powers of ten."""
    parts = dict(places_of(tree))
    for place, exponent in zip(places, exponents[: len(places)], strict=True):
        value = rounded(parts[place][1] * 10 ** float(np.clip(exponent, -3, 3)))
        tree = replaced(tree, place, ("constant", value))
    return tree


def _tree(nested: list) -> Tree:
    """Return a tree from the lists that JSON makes of it."""
    return tuple(_tree(each) if isinstance(each, list) else each for each in nested)
