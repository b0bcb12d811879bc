"""Asks flagd's Python evaluator about random flags files, for `DifferentialTests.swift`.

Needs `openfeature-flagd-core==1.0.0` (bucketing v2). Writes JSON lines to standard output: a line
{"file": TEXT} begins a file, every other line is one evaluation of it. `touched` names the known
differences that the evaluation came by (see `KnownDifference`); `raw` is what the targeting gave.

usage: differential.py SEED [FILES]
"""

import json
import logging
import math
import random
import sys
import types

from json_logic import builtins
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.contrib.tools.flagd.core import flagd_core
from openfeature.contrib.tools.flagd.core.targeting import custom_ops
from openfeature.contrib.tools.flagd.core.targeting import targeting as targeting_function
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import OpenFeatureError

# The function hides the module of the same name.
targeting_module = sys.modules[targeting_function.__module__]
targeting_module.time = types.SimpleNamespace(time=lambda: 0)
operators = targeting_module.OPERATORS
logging.disable(logging.CRITICAL)

touched = set()


# What the evaluator does on the way, noted without changing it.


def strictly_equal(a, b):
    """Equality in which a boolean is no number."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(strictly_equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(strictly_equal(a[key], b[key]) for key in a)
    return a == b


def watch(name, note):
    original = operators[name]

    def wrapped(data=None, *args):
        result = original(data, *args)
        note(result, *args)
        return result

    operators[name] = wrapped


def note_strict(result, a=None, b=None, *_):
    if (a == b) != strictly_equal(a, b):
        touched.add("booleanIsNumber")


def note_loose(result, a=None, b=None, *_):
    if isinstance(a, (list, dict)) and a is b:
        touched.add("identity")


def note_in(result, needle=None, haystack=None, *_):
    if isinstance(haystack, list) and any(
        (needle == item) != strictly_equal(needle, item) for item in haystack
    ):
        touched.add("booleanIsNumber")


def note_number(result, *args):
    if isinstance(result, bool):
        touched.add("booleanIsNumber")
    if isinstance(result, int) and abs(result) >= 2**53:
        touched.add("largeNumber")


for name in ["===", "!=="]:
    watch(name, note_strict)
for name in ["==", "!="]:
    watch(name, note_loose)
watch("in", note_in)
for name in ["+", "-", "*", "/", "%", "max", "min"]:
    watch(name, note_number)

original_text = builtins.to_string


def noted_text(value):
    if isinstance(value, bool):
        touched.add("booleanIsNumber")
    return original_text(value)


builtins.to_string = noted_text
original_fraction = custom_ops._parse_fraction


def noted_fraction(arg):
    if isinstance(arg, (list, tuple)) and len(arg) == 2:
        if isinstance(arg[1], float) and arg[1].is_integer():
            touched.add("integralWeight")
    return original_fraction(arg)


custom_ops._parse_fraction = noted_fraction

raw = {}
original_targeting = flagd_core.targeting


def noted_targeting(key, rule, context=None):
    raw["value"] = original_targeting(key, rule, context)
    return raw["value"]


flagd_core.targeting = noted_targeting


# Random rules.

TEXTS = ["", "a", "b", "on", "x-1", "eu-west", "eu-", "é", "e\u0301", "😀b", "10", "2.5", " 7 ", "1.2.3",
         "v2.0.0-rc.1", "user@corp.example", "true", "name"]
NUMBERS = [0, 1, 2, 3, -1, -7, 10, 100, 0.5, 2.5, -0.25, 10.0, 1e6]
PATHS = ["n", "x", "t", "flag", "list", "people", "nested.a.b", "nested", "nothing", "nope", "version",
         "targetingKey", "$flagd.flagKey", "list.0", "list.length", "t.1", ""]
VERSIONS = ["1.0.0", "v1.2", "2", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0+build", "01.0.0", "1.2.3.4", "", "2.0.0-rc"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.static = set()

    def pick(self, items):
        return self.random.choice(items)

    def literal(self):
        r = self.random.random()
        if r < 0.35:
            return self.pick(TEXTS)
        if r < 0.7:
            return self.pick(NUMBERS)
        if r < 0.8:
            return self.pick([True, False])
        if r < 0.87:
            return None
        return [self.pick(TEXTS + NUMBERS) for _ in range(self.random.randrange(4))]

    def variable(self, inside=False):
        path = self.pick(["", "name", "age", "current", "accumulator"] if inside else PATHS)
        if self.random.random() < 0.2:
            return {"var": [path, self.literal()]}
        return {"var": path}

    def operand(self, depth, inside=False):
        r = self.random.random()
        if depth <= 0 or r < 0.25:
            return self.literal()
        if r < 0.55:
            return self.variable(inside)
        return self.rule(depth - 1, inside)

    def operands(self, depth, inside, low, high):
        return [self.operand(depth, inside) for _ in range(self.random.randint(low, high))]

    def items(self, depth, inside):
        return self.pick([{"var": "list"}, {"var": "people"}, [1, 2, 3], self.operand(depth, inside)])

    def rule(self, depth, inside=False):
        kind = self.pick(
            ["if", "and", "or", "==", "===", "!=", "!==", "<", "<=", ">", ">=", "!", "!!", "+", "-", "*", "/", "%",
             "max", "min", "cat", "in", "substr", "merge", "missing", "missing_some", "map", "filter", "all",
             "some", "none", "reduce", "fractional", "starts_with", "ends_with", "sem_ver", "unknown"])
        o = lambda low, high: self.operands(depth, inside, low, high)
        if kind in ("==", "===", "!=", "!==", "in", "starts_with", "ends_with"):
            return {kind: o(2, 2) if self.random.random() < 0.9 else o(0, 3)}
        if kind in ("<", "<=", ">", ">="):
            return {kind: o(2, 3)}
        if kind in ("/", "%", "-"):
            return {kind: o(2, 2)}
        if kind in ("!", "!!"):
            return {kind: o(1, 1)}
        if kind == "substr":
            return {kind: [self.operand(depth, inside)] + [self.pick(NUMBERS[:9]) for _ in range(self.random.randint(1, 2))]}
        if kind == "missing":
            return {kind: [self.pick(PATHS) for _ in range(self.random.randrange(4))]}
        if kind == "missing_some":
            return {kind: [self.pick([0, 1, 2]), [self.pick(PATHS) for _ in range(3)]]}
        if kind in ("map", "filter", "all", "some", "none"):
            return {kind: [self.items(depth, inside), self.operand(depth, True)]}
        if kind == "reduce":
            start = self.literal()
            if self.random.random() < 0.1:
                start = self.variable(inside)
                self.static.add("reduceStart")
            return {kind: [self.items(depth, inside), self.operand(depth, True), start]}
        if kind == "fractional":
            return self.fractional(depth, inside)
        if kind == "sem_ver":
            version = lambda: self.pick([{"var": "version"}, self.pick(VERSIONS), self.pick(NUMBERS)])
            return {kind: [version(), self.pick(["=", "!=", "<", "<=", ">", ">=", "^", "~", "=="]), version()]}
        if kind == "unknown":
            return {self.pick(["bogus", "?", "Var"]): o(0, 2)} if self.random.random() < 0.3 else self.variable(inside)
        return {kind: o(0, 4)}

    def fractional(self, depth=1, inside=False):
        key = self.pick([
            [], [{"cat": ["seed:", {"var": "targetingKey"}]}], [{"var": "t"}], [{"var": "nope"}], [{"var": "n"}],
            ["fixed"], [""]])
        def weight():
            if self.random.random() < 0.06:
                return self.pick([10.0, 1.5, True, "3", -4])
            if self.random.random() < 0.06:
                return self.operand(depth, inside)
            return self.random.randrange(0, 100)
        shares = [[self.pick(["a", "b", "c"]), weight()] for _ in range(self.random.randint(1, 4))]
        if self.random.random() < 0.1:
            shares[0] = shares[0][:1]
        return {"fractional": key + shares}

    def targeting(self):
        r = self.random.random()
        if r < 0.1:
            return None
        if r < 0.15:
            return {}
        if r < 0.35:
            return self.fractional()
        if r < 0.45:
            return {"$ref": self.pick(["one", "two", "none"])}
        if r < 0.75:
            branches = []
            for _ in range(self.random.randint(1, 3)):
                branches += [self.operand(3), self.pick(["a", "b", "c", None, "purple"])]
            return {"if": branches + ([self.pick(["a", "b", None])] if self.random.random() < 0.5 else [])}
        return self.rule(3)

    def evaluator(self):
        """A shared rule in ASCII: the evaluator replaces references in the text, with a template of
        regular expressions that stumbles over the escapes of anything else."""
        while True:
            rule = self.rule(2)
            if "\\" not in json.dumps(rule):
                return rule

    def variants(self):
        names = ["a", "b", "c", "true", "false", "1"]
        kind = self.pick(["boolean", "string", "integer", "float", "object"])
        make = {
            "boolean": lambda: self.pick([True, False]),
            "string": lambda: self.pick(TEXTS),
            "integer": lambda: self.random.randrange(-10**6, 10**6),
            "float": lambda: self.pick([0.5, 2.25, self.random.random(), 10.0]),
            "object": lambda: {"max": self.random.randrange(9), "tags": ["x", None]},
        }[kind]
        chosen = names[: self.random.randint(2, len(names))]
        return kind, {name: make() for name in chosen}

    def flag(self):
        kind, variants = self.variants()
        flag = {"state": "DISABLED" if self.random.random() < 0.05 else "ENABLED", "variants": variants}
        r = self.random.random()
        if r < 0.85:
            flag["defaultVariant"] = self.pick(list(variants))
        elif r < 0.95:
            flag["defaultVariant"] = self.pick([None, ""])
        self.static = set()
        targeting = self.targeting()
        if targeting is not None or self.random.random() < 0.5:
            flag["targeting"] = targeting
        return kind, flag, sorted(self.static)

    def context(self):
        attributes = {}
        for name, make in {
            "n": lambda: self.pick(NUMBERS), "x": lambda: self.literal(), "t": lambda: self.pick(TEXTS),
            "flag": lambda: self.pick([True, False]), "nothing": lambda: None,
            "list": lambda: [self.pick(TEXTS + NUMBERS) for _ in range(self.random.randrange(4))],
            "people": lambda: [{"name": "ann", "age": self.random.randrange(80)} for _ in range(self.random.randrange(3))],
            "nested": lambda: {"a": {"b": self.literal()}}, "version": lambda: self.pick(VERSIONS),
        }.items():
            if self.random.random() < 0.75:
                attributes[name] = make()
        key = self.pick([None, "", "user-1", "é", "e\u0301"]) if self.random.random() < 0.2 else f"user-{self.random.randrange(10**6)}"
        return key, attributes


DEFAULTS = {"boolean": False, "string": "CODE_DEFAULT", "integer": -1, "float": -1.0, "object": {}}


def finite(value):
    """NaN and infinities as null, which is how the other side writes them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [finite(item) for item in value]
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    return value


def show(value):
    print(json.dumps(value, ensure_ascii=False, allow_nan=False))


def main():
    seed = int(sys.argv[1])
    files = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    for number in range(files):
        generator = Generator(seed * 1_000_003 + number)
        flags = {f"flag-{index}": generator.flag() for index in range(6)}
        generator.static = set()
        document = {
            "flags": {key: flag for key, (_, flag, _) in flags.items()},
            "$evaluators": {"one": generator.evaluator(), "two": generator.evaluator()},
        }
        shared = sorted(generator.static)
        text = json.dumps(document, ensure_ascii=False)
        core = FlagdCore()
        core.set_flags(text)
        show({"file": text})
        for _ in range(6):
            key, attributes = generator.context()
            for flag, (kind, definition, static) in flags.items():
                asked = kind if generator.random.random() < 0.85 else generator.pick(list(DEFAULTS))
                touched.clear()
                touched.update(static, shared)
                raw.clear()
                row = {"flag": flag, "type": asked, "targetingKey": key, "context": attributes}
                if asked == "integer" and any(isinstance(value, float) for value in definition["variants"].values()):
                    touched.add("integralDouble")
                if asked == "float" and kind == "boolean":
                    touched.add("booleanIsNumber")
                try:
                    got = getattr(core, f"resolve_{asked}_value")(
                        flag, DEFAULTS[asked], EvaluationContext(targeting_key=key, attributes=attributes))
                    row.update(value=got.value, variant=got.variant, reason=getattr(got.reason, "value", got.reason))
                except OpenFeatureError as error:
                    row.update(value=DEFAULTS[asked], variant=None, reason="ERROR", errorCode=error.error_code.value)
                except Exception as error:  # The SDK around the evaluator makes GENERAL of it.
                    touched.add("raised")
                    row.update(value=DEFAULTS[asked], variant=None, reason="ERROR", errorCode="GENERAL",
                               raised=repr(error))
                if "value" in raw:
                    try:
                        row["raw"] = finite(raw["value"])
                    except RecursionError:  # `reduce` puts its own data into itself.
                        touched.add("cycle")
                show({**row, "touched": sorted(touched)})


main()
