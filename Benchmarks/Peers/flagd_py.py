"""flagd's Python evaluator: one task per line of standard input, answered by its nanoseconds of processor time."""

import logging
import sys
import time

from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext

logging.disable(logging.CRITICAL)
CONTEXT = EvaluationContext(
    targeting_key="01HZX3K9Q7W4E6R8T0Y2U1I5",
    attributes={
        "product": "messenger",
        "appVersion": "6.2.1",
        "region": "eu-west",
        "email": "ann@mail.example",
    },
)


def main():
    core = FlagdCore()
    with open(sys.argv[1], encoding="utf-8") as file:
        core.set_flags(file.read())
    names = [f"feature.{index}" for index in range(64)]
    check = core.resolve_boolean_value
    tasks = {
        "static": lambda: [check(names[index % 64], False, CONTEXT) for index in range(10_000)],
        "targeted": lambda: [check("targeted", False, CONTEXT) for _ in range(10_000)],
        "fractional": lambda: [check("fractional", False, CONTEXT) for _ in range(10_000)],
    }
    print("ready", flush=True)
    for line in sys.stdin:
        task = tasks[line.strip()]
        start = time.thread_time_ns()
        task()
        print(time.thread_time_ns() - start, flush=True)


main()
