"""The ways in which one piece of code is changed: a syntax tree comes in, nodes with another text go out."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

Change = tuple[Any, str, str]  # the node, the kind of change, the text in the node's place

OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add, ast.Div), ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,), ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,),
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
FLOWING = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def changes(top: ast.AST) -> Iterator[Change]:
    """Every change to every node below ``top``."""
    for node in _code(top):
        for name, make in _MAKERS:
            if isinstance(node, name):
                yield from make(node)


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is below it, without annotations, decorators, texts and formatted texts."""
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases", "keywords") and not isinstance(node, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _code(child)


def _with(node: Any, **fields: Any) -> str:
    """The node with other fields, as text that stands anywhere."""
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    text = ast.unparse(ast.fix_missing_locations(made))
    return f"({text})" if isinstance(node, ast.expr) else text


def _binary(node: ast.BinOp) -> Iterator[Change]:
    for operator in OPERATORS.get(type(node.op), ()):
        yield node, "operator", _with(node, op=operator())
    if isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv)):
        yield node, "operands swapped", _with(node, left=node.right, right=node.left)
    if isinstance(node.op, FLOWING):
        for operand in (node.left, node.right):
            if not isinstance(operand, (ast.Constant, ast.UnaryOp, ast.List, ast.ListComp)):
                yield operand, "cut from the graph", f"_cut({ast.unparse(operand)})"


def _augmented(node: ast.AugAssign) -> Iterator[Change]:
    for operator in OPERATORS.get(type(node.op), ()):
        yield node, "operator", _with(node, op=operator())
    yield node, "operator", f"{ast.unparse(node.target)} = {ast.unparse(node.value)}"
    yield node.value, "cut from the graph", f"_cut({ast.unparse(node.value)})"


def _comparison(node: ast.Compare) -> Iterator[Change]:
    if len(node.ops) == 1:
        for operator in COMPARISONS[type(node.ops[0])]:
            yield node, "comparison", _with(node, ops=[operator()])


def _boolean(node: ast.BoolOp) -> Iterator[Change]:
    yield node, "comparison", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _constant(node: ast.Constant) -> Iterator[Change]:
    number = node.value
    if isinstance(number, bool):
        yield node, "constant", str(not number)
    elif isinstance(number, int):
        yield node, "constant", str(number + 1)
        yield node, "constant", f"({number - 1})"
    elif isinstance(number, float):
        yield node, "constant", repr(number * 2 if number else 1.0)
        yield node, "constant", f"(-{number!r})" if number else "(-1.0)"


def _sign(node: ast.UnaryOp) -> Iterator[Change]:
    if isinstance(node.op, ast.USub):
        yield node, "constant", f"({ast.unparse(node.operand)})"


def _subscript(node: ast.Subscript) -> Iterator[Change]:
    index = node.slice
    if isinstance(index, ast.Slice):
        for field, sign in (("lower", "+"), ("upper", "-")):
            bound = getattr(index, field)
            if bound is not None:
                yield bound, "index", f"{ast.unparse(bound)} {sign} 1"
                changed = ast.Slice(**{**{f: getattr(index, f) for f in ("lower", "upper", "step")}, field: None})
                yield node, "index", ast.unparse(ast.Subscript(node.value, changed, node.ctx))
        if index.step is not None:
            yield node, "index", ast.unparse(ast.Subscript(node.value, ast.Slice(index.lower, index.upper), node.ctx))
    elif not isinstance(index, (ast.Constant, ast.Tuple, ast.UnaryOp)):
        yield index, "index", f"{ast.unparse(index)} - 1"


def _call(node: ast.Call) -> Iterator[Change]:
    if isinstance(node.func, ast.Name) and node.func.id == "range" and node.args:
        stop = node.args[0 if len(node.args) == 1 else 1]
        yield stop, "loop bound", f"{ast.unparse(stop)} - 1"
        yield stop, "loop bound", f"{ast.unparse(stop)} + 1"
        if len(node.args) == 1:
            yield node, "loop bound", f"range(1, {ast.unparse(stop)})"
    for i in range(len(node.args) - 1):
        if not any(isinstance(argument, ast.Starred) for argument in node.args[i : i + 2]):
            swapped = [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]
            yield node, "arguments swapped", _with(node, args=swapped)
    for keyword in node.keywords:
        yield node, "argument dropped", _with(node, keywords=[other for other in node.keywords if other is not keyword])


def _condition(node: ast.If | ast.While | ast.IfExp | ast.Assert) -> Iterator[Change]:
    yield node.test, "condition negated", f"(not ({ast.unparse(node.test)}))"
    if isinstance(node, ast.IfExp):
        yield node, "branch taken always", f"({ast.unparse(node.body)})"
        yield node, "branch taken always", f"({ast.unparse(node.orelse)})"


def _filter(node: ast.comprehension) -> Iterator[Change]:
    for test in node.ifs:
        yield test, "condition negated", f"(not ({ast.unparse(test)}))"


def _statement(node: ast.stmt) -> Iterator[Change]:
    yield node, "statement dropped", "pass"


def _assignment(node: ast.Assign) -> Iterator[Change]:
    """Without a first assignment the name is missing, which anyone sees; others are worth dropping."""
    targets = [leaf for target in node.targets for leaf in ast.walk(target)]
    used = {name.id for name in ast.walk(node.value) if isinstance(name, ast.Name)}
    again = any(isinstance(leaf, ast.Name) and leaf.id in used for leaf in targets)
    if again or any(isinstance(leaf, (ast.Attribute, ast.Subscript)) for leaf in targets):
        yield node, "statement dropped", "pass"


def _expression(node: ast.Expr) -> Iterator[Change]:
    if not isinstance(node.value, ast.Constant):
        yield node, "statement dropped", "pass"


def _return(node: ast.Return) -> Iterator[Change]:
    if node.value is not None and not isinstance(node.value, ast.Constant):
        yield node.value, "cut from the graph", f"_cut({ast.unparse(node.value)})"


_MAKERS: tuple[tuple[Any, Any], ...] = (
    (ast.BinOp, _binary),
    (ast.AugAssign, _augmented),
    (ast.Compare, _comparison),
    (ast.BoolOp, _boolean),
    (ast.Constant, _constant),
    (ast.UnaryOp, _sign),
    (ast.Subscript, _subscript),
    (ast.Call, _call),
    ((ast.If, ast.While, ast.IfExp, ast.Assert), _condition),
    (ast.comprehension, _filter),
    ((ast.AugAssign, ast.For, ast.If, ast.Assert, ast.Raise, ast.Break, ast.Continue), _statement),
    (ast.Assign, _assignment),
    (ast.Expr, _expression),
    (ast.Return, _return),
)
