"""A typed grammar of policies: random expressions of limited size, their parts and their texts.

A tree is a tuple: an operation of `schedlab.kernels.common.expression.OPERATIONS` and its operands;
a variable alone, or ``("constant", value)``. Types prevent divisions by 0 and roots and logarithms
of negative numbers; an overflow is left to `Program.checked`.
"""

import ast
import math
from collections.abc import Iterator

import numpy as np

from schedlab.policies.expression import compile_expression

Tree = tuple
#: types: constants, positive, not negative, real; each one is also of the types behind it
CONSTANT, POSITIVE, NOT_NEGATIVE, REAL = TYPES = "CPNR"
LEAVES = {"r": POSITIVE, "n": POSITIVE, "s": NOT_NEGATIVE, "w": NOT_NEGATIVE}
#: operations with types of operands and result, the narrowest result first; log and log2 are
#: multiples of log10
_RULES = """
    mul PPP NNN RRR; div PPP NPN RPR; add PNP NPP NNN RRR; sub RRR; pow PCP; min PPP NNN RRR;
    max PNP NPP NNN RRR; neg RR; abs RN; sqrt PP NN; cbrt PP NN RR; exp RP; log10 NR
"""
PRODUCTIONS = [
    (name, tuple(types[:-1]), types[-1])
    for name, *rules in map(str.split, _RULES.split(";"))
    for types in rules
]
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
_SWAPPED = {"add", "mul", "min", "max"}
#: operations of the root that change no order
_MONOTONE = {"sqrt", "cbrt", "exp", "log10"}
#: decimal logarithms of the constants that are drawn, and of those that are exponents
DRAWN, EXPONENTS = (-1.0, 6.0), (-0.7, 0.7)
#: share of constants among leaves; significant digits of constants
CONSTANTS, DIGITS = 0.2, 4


def _fits(kind: str | None, wanted: str) -> bool:
    return kind is not None and TYPES.index(kind) <= TYPES.index(wanted)


def draw_tree(stream: np.random.Generator, size: int, kind: str = REAL) -> Tree:
    """Return a random tree of a type, of at most `size` variables, constants and operations."""
    if size < 1:
        raise ValueError(f"grammar: the size of expressions is {size}, must be at least 1")
    fitting = [each for each in PRODUCTIONS if _fits(each[2], kind) and len(each[1]) < size]
    if not fitting or stream.random() < 1 / size:
        names = [name for name in LEAVES if _fits(LEAVES[name], kind)]
        if names and stream.random() >= CONSTANTS:
            return (names[stream.integers(len(names))],)
        span = EXPONENTS if kind == CONSTANT else DRAWN
        return ("constant", rounded(10 ** stream.uniform(*span)))
    names = sorted({name for name, _, _ in fitting})
    operation = names[stream.integers(len(names))]
    kinds = [each[1] for each in fitting if each[0] == operation]
    first, *others = kinds[stream.integers(len(kinds))]
    operands, left = [], size - 1
    for other in others:
        part = 1 if other == CONSTANT else int(stream.integers(1, left))
        operands.append(draw_tree(stream, part, other))
        left -= size_of(operands[-1])
    return (operation, draw_tree(stream, left, first), *operands)


def type_of(tree: Tree) -> str | None:
    """Return the narrowest type of a tree; None if operands do not fit their operation."""
    name, *operands = tree
    if name == "constant":
        return CONSTANT if 0 < operands[0] < math.inf else None
    if name in LEAVES:
        return LEAVES[name]
    types = [type_of(operand) for operand in operands]
    for operation, kinds, result in PRODUCTIONS:
        if operation == name and all(map(_fits, types, kinds)):
            return result
    return None


def size_of(tree: Tree) -> int:
    """Return the number of variables, constants and operations of a tree."""
    return 1 if tree[0] == "constant" else 1 + sum(map(size_of, tree[1:]))


def places_of(tree: Tree, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Tree]]:
    """Yield every subtree with its place: the number of the operand at each level."""
    yield place, tree
    for number, operand in enumerate(() if tree[0] == "constant" else tree[1:], 1):
        yield from places_of(operand, (*place, number))


def replaced(tree: Tree, place: tuple[int, ...], new: Tree) -> Tree:
    """Return a tree with another subtree at a place."""
    if not place:
        return new
    number, *deeper = place
    return (*tree[:number], replaced(tree[number], tuple(deeper), new), *tree[number + 1 :])


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
    while tree[0] in _MONOTONE or tree[0] in _SIGNS:
        name, *operands = tree
        constants = [operand[0] == "constant" for operand in operands]
        if name in _MONOTONE or (constants[-1] and not constants[0]):
            tree = operands[0]
        elif name in ("add", "mul") and constants[0]:
            tree = operands[1]
        else:
            break
    return tree


def _folded(tree: Tree) -> Tree:
    if tree[0] == "constant" or tree[0] in LEAVES:
        return tree
    name, *operands = tree[0], *map(_folded, tree[1:])
    first = operands[0]
    if all(operand[0] == "constant" for operand in operands):
        value = float(compile_expression(_text((name, *operands))).scores(1, 1, 1)[0])
        if 0 < value < math.inf and rounded(value) > 0:
            return ("constant", rounded(value))
    if (
        (name in ("min", "max") and first == operands[1])
        or (name == "abs" and _fits(type_of(first), NOT_NEGATIVE))
    ):  # fmt: skip
        return first
    if name == first[0] == "neg":
        return first[1]
    return (name, *(sorted(operands, key=repr) if name in _SWAPPED else operands))


def text_of(tree: Tree) -> str:
    """Return a tree as an expression, with as few parentheses as possible."""
    return ast.unparse(ast.parse(_text(tree)))


def _text(tree: Tree) -> str:
    name, *operands = tree
    if name == "constant":
        return f"{operands[0]:.{DIGITS}g}"
    texts = [_text(operand) for operand in operands]
    if name in _SIGNS:
        return f"({f' {_SIGNS[name]} '.join(texts)})"
    if name == "neg":
        return f"(-{texts[0]})"
    return f"{name}({', '.join(texts)})" if texts else name
