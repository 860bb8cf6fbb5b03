"""Compares the answers and the speed of truecount with QuaPy, mlquantify and quantificationlib on the same scores.

    python compare.py COMMAND…      COMMAND runs truecount's example `peer_times`

Agreement: random problems of many sizes, separations, spreads and shares, some with ties. All packages clip their
answers to [0, 1], so truecount's answers are clipped too. A difference beyond rounding must have an explanation
that is verified for that problem (see `rivals`), or this script fails.

Speed: aggregation only, with fitted methods, on one thread: 5000 sets of 250 scores and one set of a million. Slow
methods get a part of the sets, and their time is scaled. The script never fails because of times.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from problems import answers, random_problems, timed_problem
from rivals import MEASURED, RIVALS, ROUNDING, Case, failure_reason

PROBLEMS = 300
SEED = 20261120
SETS, SET_SIZE, ONE_SIZE = 5000, 250, 1_000_000
ROUNDS = 3
# Methods that are the mean of one function of the score.
ONE_PASS = ("cc", "ac", "t50", "max", "x", "smm", "pcc", "pacc")
SHORT = {"QuaPy": "QuaPy", "mlquantify": "mlq."}

UNEXPLAINED = "NOT EXPLAINED"


def judge(rival, problem, answer):
    """Returns the difference between the two answers (None if truecount fails), and its reason (None for rounding)."""
    if "error" in answer:
        return None, failure_reason(problem, rival.ours) or UNEXPLAINED
    train, test = rival.train(problem), rival.test(problem)
    fitted, aggregate = rival.fit(train, problem.labels)
    ours, theirs = float(np.clip(answer["raw"], 0.0, 1.0)), float(aggregate(test))
    difference = abs(ours - theirs)
    if difference <= ROUNDING:
        return difference, None
    case = Case(problem, train, test, ours, answer["parameters"], theirs, fitted)
    return difference, rival.explain(case) or UNEXPLAINED


def describe(reason, cases):
    """Returns a line with the number of sets, the largest difference and the reason."""
    largest = max((difference for _, difference in cases if difference is not None), default=None)
    by = "" if largest is None else f" by up to {largest:.2g}"
    which = f" (sets {', '.join(str(k) for k, _ in cases[:5])} …)" if reason == UNEXPLAINED else ""
    return f"    {len(cases)}{by}: {reason}{which}"


def compare(rival, problems, our_answers):
    """Prints the comparison with a rival, and returns the number of unexplained differences."""
    reasons = defaultdict(list)
    for k, (problem, answer) in enumerate(zip(problems, our_answers)):
        difference, reason = judge(rival, problem, answer[rival.ours])
        reasons[reason].append((k, difference))
    same = reasons.pop(None, [])
    largest = max((difference for _, difference in same), default=0.0)
    print(f"{rival.ours:12}{rival.package} {rival.name:{29 - len(rival.package)}}{len(same):9}{largest:12.1e}")
    for reason, cases in sorted(reasons.items()):
        print(describe(reason, cases))
    return len(reasons.get(UNEXPLAINED, []))


def agreement():
    """Prints the table of agreement, and returns the number of unexplained differences."""
    problems = random_problems(PROBLEMS, SEED)
    our_answers = answers(problems)
    print(f"{PROBLEMS} random sets: how many are equal but for rounding, and the largest difference;")
    print("below, how many are not, by how much, and why\n")
    print(f"{'ours':12}{'theirs':30}{'equal':>9}{'largest':>12}")
    unexplained = sum(compare(rival, problems, our_answers) for rival in RIVALS if rival.other_definition is None)
    print("\nnot compared, since they are defined otherwise:")
    for reason in dict.fromkeys(rival.other_definition for rival in RIVALS if rival.other_definition):
        names = [f"{SHORT[rival.package]} {rival.name}" for rival in RIVALS if rival.other_definition == reason]
        print(f"    {', '.join(names)}:\n        {reason}")
    return unexplained


def seconds(aggregate, sets):
    """Returns the median time of aggregating all sets."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for scores in sets:
            aggregate(scores)
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def cost(rival, problem):
    """Returns a rival's times in seconds for many small sets and for one large set."""
    _, aggregate = rival.fit(rival.train(problem), problem.labels)
    test = rival.test(problem)
    sets = [test[k * SET_SIZE : (k + 1) * SET_SIZE] for k in range(rival.many)]
    many = seconds(aggregate, sets) * SETS / rival.many
    return many, seconds(aggregate, [test[: rival.one]]) * ONE_SIZE / rival.one


def duration(value):
    """Formats a time with its unit."""
    unit, scale = next((u, s) for u, s in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)) if value >= s)
    return f"{value / scale:.3g} {unit}"


def ratio(ours, theirs, scaled):
    """Formats both times and their ratio."""
    times = theirs / ours
    return f"{duration(ours):>9}{'~' * scaled + duration(theirs):>10}{times:7.{int(times < 10)}f}"


def speed(command):
    """Prints the table of times."""
    problem = timed_problem(SETS * SET_SIZE, SEED)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problem"
        file.write_bytes(problem.to_bytes())
        times = json.loads(subprocess.run([*command, file], check=True, stdout=subprocess.PIPE).stdout)
    print("\naggregation alone, one thread; ~ scaled from a part of the sets or scores\n")
    print(f"{'':28}{f'{SETS} sets of {SET_SIZE}':>26}{f'one of {ONE_SIZE:,}':>26}")
    print(f"{'ours':11}{'theirs':17}" + 2 * f"{'ours':>9}{'theirs':>10}{'ratio':>7}")
    for rival in MEASURED:
        many, one = cost(rival, problem)
        ours = times["methods"][rival.ours]
        cells = ratio(ours["many"], many, rival.many < SETS) + ratio(ours["one"], one, rival.one < ONE_SIZE)
        name = f"{SHORT[rival.package]} {rival.name}"
        print(f"{rival.ours:11}{name:17}{cells}", flush=True)
    sweep = times["methods"]["t-ms"]["one"]
    print(f"\nt-ms on {ONE_SIZE:,} scores: {duration(sweep)}, {sweep / times['sort']:.2f} times sorting them")
    ratios = ", ".join(f"{name} {times['methods'][name]['one'] / times['sum']:.2f}" for name in ONE_PASS)
    print(f"times a plain sum of {ONE_SIZE:,} scores ({duration(times['sum'])}): {ratios}")


def main():
    """Prints both tables, and fails if a difference is not explained."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    command = sys.argv[1:]
    unexplained = agreement()
    speed(command)
    if unexplained:
        sys.exit(f"\n{unexplained} differences are not explained")


if __name__ == "__main__":
    main()
