"""Simulates an evaluation: two judges' marks of answers, and people's labels of some. Needs numpy."""

import json
from datetime import datetime, timedelta, timezone

import numpy as np

RNG = np.random.default_rng(20261122)
RIGHT, WRONG = [0.02, 0.05, 0.13, 0.30, 0.50], [0.30, 0.27, 0.22, 0.14, 0.07]  # probabilities of the marks 1 to 5
PASS = 0.9, 0.3  # the other judge's probabilities of a pass, for right and wrong answers


def answers(model, number, share, fooled=0.0):
    """Returns answers of a model. A share `fooled` of the wrong answers gets marks like right answers."""
    right = RNG.permutation(np.arange(number) < round(number * share))
    seems_right = right | (RNG.random(number) < fooled)
    mark = np.where(seems_right, RNG.choice(5, number, p=RIGHT), RNG.choice(5, number, p=WRONG)) + 1
    passed = RNG.random(number) < np.where(seems_right, *PASS)
    rows = zip(right.tolist(), mark.tolist(), passed.astype(int).tolist())
    return [
        ({"id": f"{model}-{i:04}", "model": model, "judge": {"mark": m, "pass": p}}, r)
        for i, (r, m, p) in enumerate(rows)
    ]


def write(name, rows):
    with open(name, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def graded(rows):
    return [{**row, "human": {"right": right}} for row, right in rows]


write("graded.jsonl", graded(answers("old", 300, 0.7)))
models = [answers("A", 1000, 0.8), answers("B", 1000, 0.7, fooled=0.5)]
write("answers.jsonl", [row for model in models for row, _ in model])
write(
    "audited.jsonl",
    [row for model in models for row in graded([model[i] for i in sorted(RNG.choice(1000, 150, False))])],
)
# A log of the first 400 answers of each version, one every 45 minutes, with the hour of Central Europe.
START, STEP = datetime(2026, 3, 2, 6, tzinfo=timezone(timedelta(hours=1))), timedelta(minutes=45)
log = [row for pair in zip(*(model[:400] for model in models)) for row, _ in pair]
write("log.jsonl", [{"at": (START + i * STEP).isoformat(), **row} for i, row in enumerate(log)])
