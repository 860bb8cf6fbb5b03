"""How often is a language model wrong, if all we have is an imperfect judge?

    python judge.py

ALL DATA ARE SIMULATED. Three versions of a model have given 20,000 answers each. A judge, itself a language model, has
scored every answer from 0 (surely right) to 10 (surely wrong). People have labelled 300 other answers of the first
version, which the judge has scored too. The versions differ in how often they are wrong, not in the judge's scores of
right and of wrong answers: that is the assumption (prior probability shift). An estimate has a warning if its scores
contradict the assumption; here none does. An audit, with labels of a version's own answers, does without it.
"""

import numpy as np
from numpy.typing import NDArray

import truecount as tc

SHARES = {"v1": 0.24, "v2": 0.12, "v3": 0.04}
ANSWERS, LABELLED, FLAGGED = 20_000, 300, 5.0
SIMULATIONS = 200


def judge_scores(wrong: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.float64]:
    """Returns scores of a judge who is often unsure and sometimes mistaken, in both directions."""
    suspicion = np.where(wrong, rng.normal(0.9, 1.3, wrong.shape), rng.normal(-1.3, 1.1, wrong.shape))
    return np.round(10.0 / (1.0 + np.exp(-suspicion)), 1)


def simulate(rng: np.random.Generator) -> tuple[tc.Model, NDArray[np.float64], NDArray[np.bool_]]:
    """Returns a fitted model, the scores of each version's answers, and which answers are wrong."""
    labels = rng.random(LABELLED) < SHARES["v1"]
    model = tc.Model.fit(judge_scores(labels, rng), labels)
    wrong = rng.random((len(SHARES), ANSWERS)) < np.array(list(SHARES.values()))[:, None]
    return model, judge_scores(wrong, rng), wrong


def main() -> None:
    rng = np.random.default_rng(1)
    model, scores, wrong = simulate(rng)
    truth = wrong.mean(axis=1)
    # In the form of a log: a column of scores, and a column with the version.
    estimates = model.estimate(scores.ravel(), by={"version": np.repeat(list(SHARES), ANSWERS)})
    flagged = np.mean(scores >= FLAGGED, axis=1)

    print("version   flagged   truecount   95 % interval   truth")
    for row, (lower, upper) in enumerate(estimates.interval):
        name, prevalence = estimates["version"][row], estimates.prevalence[row]
        print(f"{name:7}   {flagged[row]:7.3f}   {prevalence:9.3f}   {lower:.3f} – {upper:.3f}   {truth[row]:5.3f}")
    falls = flagged[0] - flagged[2], estimates.raw[0] - estimates.raw[2], truth[0] - truth[2]
    print(f"v1 − v3   {falls[0]:7.3f}   {falls[1]:9.3f}   {'':13}   {falls[2]:5.3f}")
    print(f"\nThe flags show {falls[0] / falls[2]:.0%} of the progress from v1 to v3.")
    print("Warnings:", "; ".join(text for warnings in estimates.warnings for text in warnings) or "none")
    audited = rng.choice(ANSWERS, LABELLED, replace=False)
    print(f"\nPeople label {LABELLED} answers of v3 itself, drawn at random:")
    print(tc.audit(scores[2], scores[2, audited], wrong[2, audited], model=model))

    errors, covered = [], []
    for _ in range(SIMULATIONS):
        model, scores, wrong = simulate(rng)
        truth = wrong.mean(axis=1)
        estimates = model.estimate_each(scores)
        lower, upper = estimates.interval.T
        errors.append([np.abs(np.mean(scores >= FLAGGED, axis=1) - truth), np.abs(estimates.prevalence - truth)])
        covered.append((lower <= truth) & (truth <= upper))
    off = np.mean(errors, axis=(0, 2))
    print(f"\nThe same {SIMULATIONS} times: the flags are off by {off[0]:.3f} on average, truecount by {off[1]:.3f};")
    print(f"{100 * np.mean(covered):.0f} % of its 95 % intervals hold the truth.")


if __name__ == "__main__":
    main()
