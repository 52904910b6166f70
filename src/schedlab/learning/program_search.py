"""Genetic search of policies as expressions, with constants tuned by xNES.

The result is a front: for each size the expression of the best score, if no smaller one is as good.
Random streams are keyed by generation, and the state is saved after each one. So a search that was
interrupted, or runs on more processes, has the same result.
"""

import json
import logging
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
from schedlab.policies import grammar
from schedlab.policies.grammar import Tree, canonical, places_of, replaced, size_of, text_of

logger = logging.getLogger(__name__)

#: expressions that a process scores at a time, and that compete to be a parent; attempts at a child
CHUNK, COMPETING, ATTEMPTS = 4, 4, 10
#: shares of parents from the front, of children by crossover and by a new subtree; the others
#: have another constant
FROM_FRONT, CROSSED, MUTATED = 0.2, 0.65, 0.3
#: candidates of a generation of xNES, and standard deviation of decimal logarithms of constants
CANDIDATES, SIGMA = 16, 0.4
FRONT = {"size": "int64", "expression": "str", "score": "float64", "evaluations": "int64"}


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
        A setting is too small.
    """

    size: int
    population: int
    generations: int
    tune_every: int
    tuning: int

    def __post_init__(self) -> None:
        for name, least in zip(asdict(self), (1, 2, 1, 1, 0), strict=True):
            if (value := getattr(self, name)) < least:
                raise ValueError(f"search of programs: {name} is {value}, must be at least {least}")

    def accepts(self, tree: Tree) -> bool:
        """Return whether a tree is typed, small enough, and no constant."""
        return size_of(tree) <= self.size and grammar.type_of(tree) not in (None, grammar.CONSTANT)


@dataclass(eq=False)
class ProgramSearch:
    """State of a search, which `search_programs` runs.

    `scores` has the score of each behavior (`ProgramScores.behavior`), so that equal expressions
    are simulated once; `evaluations` counts simulated windows, `each_of` is a map. `front` has a
    tree and its value by size.
    """

    scorer: ProgramScores
    settings: ProgramSettings
    key: Sequence[str | int]
    each_of: Callable[..., Iterable] = map
    code: str = ""
    done: int = 0
    evaluations: int = 0
    population: list[Tree] = field(default_factory=list)
    scores: dict[str, Score] = field(default_factory=dict)
    front: dict[int, tuple[Tree, float]] = field(default_factory=dict)

    def evaluate(self, trees: Sequence[Tree]) -> list[Score]:
        """Return the score of each tree; only behaviors without one are simulated."""
        behaviors = {text: self.scorer.behavior(text) for text in map(text_of, trees)}
        new = {behavior: text for text, behavior in reversed(behaviors.items())}
        new = {key: text for key, text in new.items() if key and key not in self.scores}
        texts = list(new.values())
        chunks = [texts[first : first + CHUNK] for first in range(0, len(texts), CHUNK)]
        found = chain.from_iterable(self.each_of(self.scorer.score_all, chunks))
        self.scores |= dict(zip(new, found, strict=True))
        self.evaluations += len(new) * len(self.scorer.windows)
        scores = [self.scores.get(behaviors[text_of(tree)], REFUSED) for tree in trees]
        for tree, score in zip(trees, scores, strict=True):
            self._offer(tree, score)
        return scores

    def _offer(self, tree: Tree, score: Score) -> None:
        """Put a tree on the front if no smaller or equal one there is as good."""
        size, value = size_of(tree), score.value
        if score.excess or any(
            other <= size and known <= value for other, (_, known) in self.front.items()
        ):
            return
        self.front = {
            other: entry
            for other, entry in self.front.items()
            if other < size or entry[1] < value
        } | {size: (tree, value)}  # fmt: skip

    def begin(self) -> None:
        """Draw the first generation."""
        stream, most = generator(*self.key, "first"), self.settings.size
        while len(self.population) < self.settings.population:
            tree = canonical(grammar.draw_tree(stream, int(stream.integers(1, most + 1))))
            if self.settings.accepts(tree):
                self.population.append(tree)

    def breed(self, number: int) -> None:
        """Replace the population by its children, which behave newly; the front survives."""
        stream, count = generator(*self.key, "generation", number), self.settings.population
        totals = [score.value + score.excess for score in self.evaluate(self.population)]
        sizes = map(size_of, self.population)
        order = [place for *_, place in sorted(zip(totals, sizes, range(count), strict=True))]
        best = [tree for tree, _ in self.front.values()]

        def parent() -> Tree:
            if best and stream.random() < FROM_FRONT:
                return best[stream.integers(len(best))]
            return self.population[order[stream.integers(count, size=COMPETING).min()]]

        children, known = best[:count], set(self.scores)
        while len(children) < count:
            for _ in range(ATTEMPTS):
                child = self._child(stream, parent(), parent())
                if (behavior := self.scorer.behavior(text_of(child))) not in known:
                    break
            known.add(behavior)
            children.append(child)
        self.population = children

    def _child(self, stream: np.random.Generator, tree: Tree, other: Tree) -> Tree:
        """Return a child of two trees, or the first one if no attempt gives another."""
        parts, gifts = list(places_of(tree)), [part for _, part in places_of(other)]
        constants = [place for place, part in parts if part[0] == "constant"]
        for _ in range(ATTEMPTS):
            place, part = parts[stream.integers(len(parts))]
            how = stream.random()
            if how < CROSSED:
                child = replaced(tree, place, gifts[stream.integers(len(gifts))])
            elif how < CROSSED + MUTATED or not constants:
                room = self.settings.size - size_of(tree) + size_of(part)
                size = int(stream.integers(1, room + 1))
                kind = grammar.type_of(part) or grammar.REAL
                child = replaced(tree, place, grammar.draw_tree(stream, size, kind))
            else:
                place = constants[stream.integers(len(constants))]
                child = _scaled(tree, [place], stream.normal(0, SIGMA, 1))
            child = canonical(child)
            if self.settings.accepts(child) and child != tree:
                return child
        return tree

    def tune(self) -> None:
        """Tune the constants of the front by xNES; once more, an expression has the same ones."""
        for tree, _ in list(self.front.values()):
            places = [place for place, part in places_of(tree) if part[0] == "constant"]
            if not places:
                continue
            seed = int(generator(*self.key, "tune", text_of(tree)).integers(2**32))
            start = np.zeros(max(len(places), 2))  # xNES has at least two dimensions
            xnes = XNES(start, SIGMA, seed=seed, population_size=CANDIDATES)
            for _ in range(self.settings.tuning // CANDIDATES):
                points = [xnes.ask() for _ in range(CANDIDATES)]
                scores = self.evaluate([_scaled(tree, places, point) for point in points])
                totals = [min(score.value + score.excess, 9.0) for score in scores]
                xnes.tell(list(zip(points, totals, strict=True)))
                if xnes.should_stop():
                    break

    def run(self, path: Path) -> None:
        """Run the generations that are left, and save the state after each."""
        last, begun, before = self.settings.generations, time.monotonic(), self.evaluations
        if not self.done:
            self.begin()
        with counted("generations", last, self.done) as advance:
            while self.done < last:
                self.done += 1
                self.breed(self.done)
                if self.done % self.settings.tune_every == 0 or self.done == last:
                    self.evaluate(self.population)
                    self.tune()
                write_text(json.dumps(self.state()), path)
                advance()
                rate = 60 * (self.evaluations - before) / (time.monotonic() - begun)
                logger.info(
                    "generation %d of %d: score %.4f, %d evaluations, %.0f a minute",
                    *(self.done, last, min((value for _, value in self.front.values()), default=0)),
                    *(self.evaluations, rate),
                )

    def state(self) -> dict:
        """Return what a resumed search needs, as JSON."""
        names = ("done", "evaluations", "population")
        return {name: getattr(self, name) for name in names} | {
            "about": [asdict(self.settings), list(self.key), self.scorer.about(), self.code],
            "scores": {name: [each.value, each.excess] for name, each in self.scores.items()},
            "front": list(self.front.items()),
        }

    def resume(self, path: Path) -> None:
        """Read a saved state, unless it is of another search or damaged."""
        if not path.exists():
            return
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            if saved["about"] != json.loads(json.dumps(self.state()["about"])):
                raise ValueError("it is of another search")
            self.population = [_tree(each) for each in saved["population"]]
            self.scores = {name: Score(*each) for name, each in saved["scores"].items()}
            self.front = {size: (_tree(tree), value) for size, (tree, value) in saved["front"]}
            self.done, self.evaluations = saved["done"], saved["evaluations"]
        except (ValueError, KeyError, TypeError) as error:
            logger.warning("%s cannot be resumed, the search starts again: %s", path, error)


def search_programs(
    scorer: ProgramScores,
    settings: ProgramSettings,
    key: Sequence[str | int],
    state: str | os.PathLike[str],
    threads: int = 1,
    code: str = "",
) -> pd.DataFrame:
    """Search expressions that order a queue well, and return the best of each size.

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
        Processes that simulate; the result does not depend on it.
    code : str
        Digest of the code; the state of other code is not used.

    Returns
    -------
    DataFrame
        `FRONT`, the smallest first. score is the mean logarithm of the ratio to EASY, simulated for
        the expression itself; evaluations are simulated windows of the whole search.
    """
    with processes(threads) as each_of:
        search = ProgramSearch(scorer, settings, key, each_of, code)
        search.resume(Path(state))
        search.run(Path(state))
    rows = []
    for size, (tree, _) in sorted(search.front.items()):
        score = scorer.score(text_of(tree))
        if not score.excess:
            rows.append((size, text_of(tree), score.value, search.evaluations))
    return pd.DataFrame(rows, columns=list(FRONT)).astype(FRONT)


def _scaled(tree: Tree, places: Sequence[tuple[int, ...]], exponents: np.ndarray) -> Tree:
    """Return a tree with its constants multiplied by powers of ten."""
    parts = dict(places_of(tree))
    for place, exponent in zip(places, np.clip(exponents, -3, 3).tolist(), strict=False):
        value = grammar.rounded(parts[place][1] * 10**exponent)
        tree = replaced(tree, place, ("constant", value))
    return tree


def _tree(nested: list) -> Tree:
    """Return a tree from the lists that JSON makes of it."""
    return tuple(_tree(each) if isinstance(each, list) else each for each in nested)
