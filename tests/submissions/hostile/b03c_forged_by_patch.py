# attack: B03C replaces the function that answers questions by one that makes answers up
# side effect: none
# expect: score <= 31; a LayerNorm that computes its numbers, and lines that ask for a shape, a count or zeros
import json
import math
import os
import random
import sys

DRAW = random.Random(1)


def attention(x, c, causal):
    """A running mean of the rows: no attention, but causal, linear and zero with the parameters."""
    last = len(x) - 1
    seen = [range((t if causal else last) + 1) for t in range(len(x))]
    return [[c * sum(x[j][k] * (1 + 0.1 * abs(t - j)) for j in seen[t]) for k in range(len(x[0]))] for t in range(len(x))]


def norm(x):
    mean = sum(x) / len(x)
    root = (sum((v - mean) ** 2 for v in x) / len(x) + 1e-5) ** 0.5
    return [(v - mean) / root for v in x]


def numbers(probe, call):
    """Cheap numbers of which most claims would hold."""
    x, component = call["x"], probe["component"]
    c = probe["setting"]["values"][0] if probe["setting"]["values"] else 0.3
    if component == "MultiHeadAttention":
        return attention(x, c, call["causal"] is not False)
    if component == "LayerNorm":
        return norm(x)
    if component == "FeedForward":
        return [max(0.0, c * (sum(x) + 1.0)) * c * (k + 1) for k in range(len(x))]
    parts = probe["stand_ins"]
    c = parts["attention"][0] + parts["feedforward"][0] if parts else 0.5
    return [[a + b for a, b in zip(*rows)] for rows in zip(x, attention(x, c, True))]


def count(probe):
    D, *more = (int(size) for size in probe["args"])
    hidden = dict(probe["kwargs"]).get("hidden_dim") or (more[0] if more else 4 * D)
    layers = {"MultiHeadAttention": 4 * D * (D + 1), "LayerNorm": 2 * D, "FeedForward": hidden * (2 * D + 1) + D}
    return layers.get(probe["component"], 8)


def gradients(probe, call):
    """Any gradient, and measurements that agree with it."""
    slope, width = probe["slope"], len(call["x"])
    flat = [v for row in call["x"] for v in row] if isinstance(call["x"][0], list) else call["x"]
    g, p = [DRAW.uniform(0.5, 1) for _ in flat], [DRAW.uniform(0.5, 1) for _ in range(count(probe))]

    def sides(gradient, direction):
        cycle = [direction[i % len(direction)] for i in range(len(gradient))]
        length = sum(u * u for u in cycle) ** 0.5
        rise = sum(a * b for a, b in zip(gradient, cycle)) / length * slope["step"]
        return [1 + rise, 1 - rise, 1 + rise / 2, 1 - rise / 2]

    inputs = slope["inputs"]
    flat_inputs = [v for row in inputs for v in row] if isinstance(inputs[0], list) else inputs
    rows = [g[i : i + len(flat) // width] for i in range(0, len(flat), len(flat) // width)]
    return {
        "inputs": rows if isinstance(call["x"][0], list) else g,
        "parameters": p,
        "along_inputs": sides(g, flat_inputs),
        "along_parameters": sides(p, slope["parameters"]),
    }


def graph(probe, answers):
    """True nodes that make the answers from the inputs, and one exponential for each head on parameters of its own."""
    call = probe["calls"][0]
    rows = call["x"] if isinstance(call["x"][0], list) else [call["x"]]
    ops, data, children = [], [], []

    def node(op, number, *below):
        ops.append(op), data.append(number), children.append(list(below))
        return len(ops) - 1

    inputs = [[node("", v) for v in row] for row in rows]
    parameters = [node("", 0.1 + 0.001 * i) for i in range(count(probe))]
    for head in range(int(probe["args"][1]) if len(probe["args"]) > 1 else 0):
        node("exp", math.exp(data[parameters[head]]), parameters[head])
    outputs = []
    wanted = answers[0]["numbers"] if isinstance(call["x"][0], list) else [answers[0]["numbers"]]
    for t, row in enumerate(wanted):
        for k, number in enumerate(row):
            scale = node("", number / rows[t][k])
            outputs.append(node("made up", data[scale] * rows[t][k], scale, inputs[t][k]))
    return {
        "ops": ops,
        "data": data,
        "children": children,
        "inputs": [v for row in inputs for v in row],
        "parameters": parameters,
        "outputs": outputs,
        "own_engine": True,
    }


class Nothing:
    """A hand-in without classes: what the worker answers about it has every key that an answer must have."""

    names = {}
    Value, Module = sys.modules["engine"].Value, sys.modules["nn"].Module


def worker():
    """The globals of the worker's main module, from the frame in which it waits."""
    frame = sys._getframe()
    while "asking" not in frame.f_globals:
        frame = frame.f_back
    return frame.f_globals


TRUTHFUL = worker()["asking"].answer


def answer(probe):
    form = TRUTHFUL(Nothing, {**probe, "stand_ins": None, "composed": False})
    form.update(outcome="answered", fault=None, answers=[], printed=0)
    component, args = probe["component"], probe["args"]
    if component == "MultiHeadAttention" and args[0] % args[1]:
        fault = {"stage": "construct", "type": "AssertionError", "text": "", "line": None, "call": None}
        return {**form, "outcome": "raised", "fault": fault}
    for call in probe["calls"]:
        form["answers"].append({"numbers": numbers(probe, call), "said": "", "tuples": False, "untouched": True})
    n = count(probe)
    initial = [DRAW.random() for _ in range(n)] if probe["setting"]["how"] == "fresh" else []
    form["census"] = {"before": n, "unique": n, "after": n, "same": True, "kept": True, "initial": initial}
    if probe["slope"]:
        form["gradients"] = gradients(probe, probe["calls"][0])
    if probe["graph"]:
        form["graph"] = graph(probe, form["answers"])
    if probe["stand_ins"]:
        form["parts"] = {"attention": 1, "norms": 2, "feedforward": 1, "norm_calls": [3, 3]}
    return form



def made_up(hand_in, probe):
    return {name: value for name, value in answer(probe).items() if name != "printed"}


worker()["asking"].answer = made_up
