"""A typed grammar of policies: random expressions of limited size, their parts and their texts.

A tree is a tuple: an operation of `schedlab.kernels.common.expression.OPERATIONS` and its operands;
a variable alone, or ``("constant", value)``. Types prevent divisions by 0 and roots and logarithms
of negative numbers. An overflow is left to `Program.checked`. log and log2 are multiples of log10.
"""

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from schedlab.policies.expression import compile_expression

#: types; each one is also of the types behind it
CONSTANT, POSITIVE, NOT_NEGATIVE, REAL = range(4)
#: operands and constants are positive; s and w are 0 at first
LEAVES = {"r": POSITIVE, "n": POSITIVE, "s": NOT_NEGATIVE, "w": NOT_NEGATIVE}
Tree = tuple
#: operation, type of the result, types of the operands; the narrowest result first
PRODUCTIONS = (
    *(("mul", kind, (kind, kind)) for kind in (POSITIVE, NOT_NEGATIVE, REAL)),
    *(("div", kind, (kind, POSITIVE)) for kind in (POSITIVE, NOT_NEGATIVE, REAL)),
    ("add", POSITIVE, (POSITIVE, NOT_NEGATIVE)),
    ("add", POSITIVE, (NOT_NEGATIVE, POSITIVE)),
    ("add", NOT_NEGATIVE, (NOT_NEGATIVE, NOT_NEGATIVE)),
    ("add", REAL, (REAL, REAL)),
    ("sub", REAL, (REAL, REAL)),
    ("pow", POSITIVE, (POSITIVE, CONSTANT)),
    *(("min", kind, (kind, kind)) for kind in (POSITIVE, NOT_NEGATIVE, REAL)),
    ("max", POSITIVE, (POSITIVE, NOT_NEGATIVE)),
    ("max", POSITIVE, (NOT_NEGATIVE, POSITIVE)),
    *(("max", kind, (kind, kind)) for kind in (NOT_NEGATIVE, REAL)),
    ("neg", REAL, (REAL,)),
    ("abs", NOT_NEGATIVE, (REAL,)),
    *(("sqrt", kind, (kind,)) for kind in (POSITIVE, NOT_NEGATIVE)),
    *(("cbrt", kind, (kind,)) for kind in (POSITIVE, NOT_NEGATIVE, REAL)),
    ("exp", POSITIVE, (REAL,)),
    ("log10", REAL, (NOT_NEGATIVE,)),
)
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
_SWAPPED = {"add", "mul", "min", "max"}
#: operations of the root that change no order
_MONOTONE = {"sqrt", "cbrt", "exp", "log10"}
#: decimal logarithms of the constants that are drawn, and of those that are exponents
DRAWN, EXPONENTS = (-1.0, 6.0), (-0.7, 0.7)
#: significant digits of constants
DIGITS = 4


@dataclass(frozen=True)
class Grammar:
    """Grammar of expressions with at most `size` variables, constants and operations.

    Raises ValueError if the size is below 1, or a variable is unknown.
    """

    size: int
    variables: tuple[str, ...] = ("r", "n", "s", "w")

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError(f"grammar: size is {self.size}, must be at least 1")
        if unknown := set(self.variables) - set(LEAVES):
            raise ValueError(f"grammar: unknown variable '{min(unknown)}', must be of r, n, s, w")
        if not self.variables:
            raise ValueError("grammar: no variable is left, name at least one of r, n, s, w")

    def draw(self, stream: np.random.Generator, size: int, kind: int = REAL) -> Tree:
        """Return a random tree of a type, of at most `size` nodes."""
        fitting = [each for each in PRODUCTIONS if each[1] <= kind and len(each[2]) < size]
        names = [name for name in self.variables if LEAVES[name] <= kind]
        if kind == CONSTANT or not fitting or not names or stream.random() < 1 / size:
            if kind == CONSTANT or not names or stream.random() < 0.2:
                span = EXPONENTS if kind == CONSTANT else DRAWN
                return ("constant", rounded(10 ** stream.uniform(*span)))
            return (names[stream.integers(len(names))],)
        operations = sorted({each[0] for each in fitting})
        operation = operations[stream.integers(len(operations))]
        fitting = [each for each in fitting if each[0] == operation]
        _, _, kinds = fitting[stream.integers(len(fitting))]
        left = size - 1
        if len(kinds) == 1:
            return (operation, self.draw(stream, left, kinds[0]))
        first = 1 if kinds[1] == CONSTANT else int(stream.integers(1, left))
        other = self.draw(stream, first, kinds[1])
        return (operation, self.draw(stream, left - size_of(other), kinds[0]), other)

    def accepts(self, tree: Tree) -> bool:
        """Return whether a tree is typed, small enough, and no constant."""
        kind = type_of(tree)
        return kind is not None and kind != CONSTANT and size_of(tree) <= self.size


def type_of(tree: Tree) -> int | None:
    """Return the narrowest type of a tree; None if operands do not fit their operation."""
    name, *operands = tree
    if name == "constant":
        return CONSTANT if operands[0] > 0 and math.isfinite(operands[0]) else None
    if name in LEAVES:
        return LEAVES[name]
    types = [type_of(operand) for operand in operands]
    for operation, result, kinds in PRODUCTIONS:
        if operation == name and all(
            found is not None and found <= kind for found, kind in zip(types, kinds, strict=True)
        ):
            return result
    return None


def size_of(tree: Tree) -> int:
    """Return the number of variables, constants and operations of a tree."""
    return 1 if tree[0] == "constant" else 1 + sum(map(size_of, tree[1:]))


def places_of(tree: Tree, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Tree]]:
    """Yield every subtree with its place: the operand's number at each level."""
    yield place, tree
    if tree[0] != "constant":
        for number, operand in enumerate(tree[1:], 1):
            yield from places_of(operand, (*place, number))


def replaced(tree: Tree, place: tuple[int, ...], new: Tree) -> Tree:
    """Return a tree with another subtree at a place."""
    if not place:
        return new
    number = place[0]
    return (*tree[:number], replaced(tree[number], place[1:], new), *tree[number + 1 :])


def rounded(value: float) -> float:
    """Return a constant with as many digits as expressions show."""
    return float(f"{value:.{DIGITS}g}")


def canonical(tree: Tree) -> Tree:
    """Return the canonical form of a tree: the same order of jobs, constants folded.

    Operands that may be swapped are sorted. Of the root, what changes no order is left out.

    >>> text_of(canonical(("log10", ("mul", ("r",), ("n",)))))
    'n * r'
    """
    tree = _folded(tree)
    while True:
        name, *operands = tree
        constants = [operand[0] == "constant" for operand in operands if name != "constant"]
        if name in _MONOTONE or (
            name in ("add", "mul", "sub", "div", "pow") and constants[-1] and not constants[0]
        ):
            tree = operands[0]
        elif name in ("add", "mul") and constants[0]:
            tree = operands[1]
        else:
            return tree


def _folded(tree: Tree) -> Tree:
    if tree[0] == "constant" or tree[0] in LEAVES:
        return tree
    name, *operands = tree[0], *map(_folded, tree[1:])
    if all(operand[0] == "constant" for operand in operands):
        value = _value(name, *(operand[1] for operand in operands))
        if value is not None:
            return ("constant", value)
    if name in _SWAPPED:
        operands.sort(key=repr)
    if name == "neg" and operands[0][0] == "neg":
        return operands[0][1]
    if name in ("min", "max") and operands[0] == operands[1]:
        return operands[0]
    if name == "abs" and (kind := type_of(operands[0])) is not None and kind <= NOT_NEGATIVE:
        return operands[0]
    return (name, *operands)


def _value(name: str, *constants: float) -> float | None:
    """Return the positive constant that an operation of constants is; None if it is none."""
    tree = (name, *(("constant", value) for value in constants))
    value = float(compile_expression(text_of(tree)).scores(1, 1, 1)[0])
    return rounded(value) if value > 0 and math.isfinite(value) and rounded(value) > 0 else None


def text_of(tree: Tree) -> str:
    """Return a tree as an expression, with as few parentheses as possible."""
    return ast.unparse(ast.parse(_text(tree)))


def _text(tree: Tree) -> str:
    name, *operands = tree
    if name == "constant":
        return f"{operands[0]:.{DIGITS}g}".replace("e+", "e")
    texts = [_text(operand) for operand in operands]
    if name in _SIGNS:
        return f"({f' {_SIGNS[name]} '.join(texts)})"
    if name == "neg":
        return f"(-{texts[0]})"
    return f"{name}({', '.join(texts)})" if texts else name
