"""Single changes to a module, each of which gives one mutant.

Most are Cosmic Ray's. Three of our own are nearer to the slips that matter here: a bound a little
off, a condition that is left out, the least taken for the greatest.
"""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import parso
from cosmic_ray.ast import ast_nodes, get_ast, is_number
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.operators.provider import OperatorProvider

if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARY = (
    *("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ZeroIterationForLoop"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ExceptionReplacer"),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Eq_NotEq", "NotEq_Eq")),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Is_IsNot", "IsNot_Is")),
    *(f"ReplaceUnaryOperator_{pair}" for pair in ("USub_UAdd", "Delete_Not", "Delete_Invert")),
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul")),
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("FloorDiv_Div", "Mod_FloorDiv", "Pow_Mul")),
)
ONE_TENTH = 0.1


class NextNumber(Operator):
    """A whole number becomes the next or the one before, another one moves by a tenth of itself."""

    def mutation_positions(self, node):
        if is_number(node):
            yield from [(node.start_pos, node.end_pos)] * 2

    def mutate(self, node, index):
        value, sign = ast.literal_eval(node.value), (1, -1)[index]
        step = 1 if isinstance(value, int) else ONE_TENTH * (abs(value) or 1)
        return parso.python.tree.Number(repr(value + sign * step), node.start_pos, node.prefix)

    @classmethod
    def examples(cls):
        return (
            Example("x = 1", "x = 2"),
            Example("x = 1", "x = 0", occurrence=1),
            Example("x = 0.5", "x = 0.55"),
            Example("x = 0.5", "x = 0.45", occurrence=1),
        )


class OneOperandLess(Operator):
    """One operand of and, or, & and | is left out."""

    TYPES = ("and_test", "or_test", "and_expr", "expr")

    def mutation_positions(self, node):
        if node.type in self.TYPES:
            for operand in node.children[::2]:
                yield (operand.start_pos, operand.end_pos)

    def mutate(self, node, index):
        prefix = node.get_first_leaf().prefix
        cut = 2 * index
        left = node.children[:cut] + node.children[cut + 2 :]
        node.children = left if len(left) % 2 else left[:-1]
        node.get_first_leaf().prefix = prefix
        return node

    @classmethod
    def examples(cls):
        return (
            Example("x = a and b", "x = b"),
            Example("x = a and b", "x = a", occurrence=1),
            Example("x = a | b | c", "x = a | c", occurrence=1),
        )


PAIRS = (
    *(("min", "max"), ("any", "all"), ("idxmin", "idxmax"), ("argmin", "argmax")),
    *(("mean", "median"), ("floor", "ceil"), ("head", "tail"), ("minimum", "maximum")),
    *(("nanmin", "nanmax"), ("std", "var"), ("bfill", "ffill"), ("less", "less_equal")),
)
SIBLINGS = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}


class Sibling(Operator):
    """A function's sibling is called, as max for min, and `in` is `not in`."""

    def mutation_positions(self, node):
        following = node.get_next_leaf() if node.type == "name" else None
        called = following is not None and following.value == "("
        if (called and node.value in SIBLINGS) or self._is_membership(node):
            yield (node.start_pos, node.end_pos)

    def mutate(self, node, index):
        if node.type == "name":
            node.value = SIBLINGS[node.value]
        else:
            node.children[1] = parso.parse(" not in")
        return node

    @staticmethod
    def _is_membership(node):
        return node.type == "comparison" and getattr(node.children[1], "value", "") == "in"

    @classmethod
    def examples(cls):
        return (Example("x = min(y)", "x = max(y)"), Example("x in y", "x not in y"))


OWN = (NextNumber, OneOperandLess, Sibling)


@dataclass(frozen=True)
class Change:
    """One change of a module: lines that differ, their place, its statement, the code."""

    before: str
    after: str
    line: int
    first: int
    last: int
    code: str


def changes(source: str) -> Iterator[Change]:
    """Make every change of a module, in the order of the operators and of its lines."""
    statements = _statements(source)
    tree = get_ast(source)
    for kind in (*(OperatorProvider()[name] for name in LIBRARY), *OWN):
        operator = kind()
        positions = [
            start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node)
        ]
        for occurrence, (line, column) in enumerate(positions):
            place = _innermost(statements, line, column)
            if place is None:
                continue
            code = mutate_code(source, operator, occurrence)
            before, after = _difference(source, code)
            if before != after:
                yield Change(before, after, line, *place, code)


def _innermost(
    statements: list[tuple[int, int, list[tuple]]], line: int, column: int
) -> tuple[int, int] | None:
    """Lines of the least statement that holds a place; None where nothing depends on it."""
    place = None
    for first, last, idle in statements:
        if first <= line <= last:
            if any(begin <= (line, column) < end for begin, end in idle):
                return None
            place = (first, last)
    return place


def _statements(source: str) -> list[tuple[int, int, list[tuple]]]:
    """Statements (of compound ones the head) with the spans in them that nothing depends on."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt | ast.ExceptHandler):
            continue
        body = getattr(node, "body", None)
        last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
        idle = [_span(each) for each in (*_annotations(node), *_guards(node))]
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            idle.append(_span(node))
            last = node.end_lineno
        found.append((node.lineno, last, idle))
    return sorted(found, key=lambda each: (each[0], -each[1]))


def _annotations(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.AnnAssign):
        return [node.annotation]
    if not isinstance(node, ast.FunctionDef):
        return []
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    arguments += [each for each in (node.args.vararg, node.args.kwarg) if each]
    annotations = [each.annotation for each in arguments] + [node.returns]
    return [each for each in annotations if each]


def _guards(node: ast.stmt) -> list[ast.keyword]:
    return [
        each for each in ast.walk(node) if isinstance(each, ast.keyword) and each.arg == "strict"
    ]


def _span(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _difference(source: str, code: str) -> tuple[str, str]:
    """The lines that differ, joined and without indentation."""
    computed, changed = source.splitlines(), code.splitlines()
    for tag, a, b, c, d in difflib.SequenceMatcher(
        None, computed, changed, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            return _joined(computed[a:b]), _joined(changed[c:d])
    return "", ""


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
