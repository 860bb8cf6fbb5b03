"""Random quantification problems, and truecount's answers."""

from dataclasses import dataclass

import numpy as np

import truecount as tc


@dataclass(frozen=True)
class Problem:
    """Labelled scores and test scores, both with a classifier's probabilities."""

    scores: np.ndarray
    probabilities: np.ndarray
    labels: np.ndarray
    test_scores: np.ndarray
    test_probabilities: np.ndarray

    def rates(self, cut):
        """Returns the true and the false positive rate of the labelled scores at a cut."""
        above = self.scores >= cut
        return above[self.labels == 1].mean(), above[self.labels == 0].mean()

    def to_bytes(self):
        """Returns the file for truecount's example `peer_times`."""
        sizes = [len(self.scores), len(self.test_scores)]
        parts = [sizes, self.scores, self.labels, self.probabilities, self.test_scores, self.test_probabilities]
        return np.concatenate(parts).astype("<f8").tobytes()


def draw(rng, train, test, separation, spread, shares, noise):
    """Draws a problem with normal classes whose means differ by `separation`.

    `spread` is the positives' standard deviation in units of the negatives'. The probabilities are a logistic
    function of the score, calibrated except for `noise`.
    """
    labels, test_labels = (np.arange(n) < round(n * share) for n, share in zip((train, test), shares))
    scores, test_scores = (
        np.where(y, rng.normal(separation / 2, spread, len(y)), rng.normal(-separation / 2, 1.0, len(y)))
        for y in (labels, test_labels)
    )
    slope = 2.0 * separation / (1.0 + spread**2) * np.exp(rng.normal(0.0, noise))
    intercept = np.log(shares[0] / (1.0 - shares[0])) + rng.normal(0.0, noise)

    def logistic(s):
        return 1.0 / (1.0 + np.exp(-intercept - slope * s))

    return Problem(scores, logistic(scores), labels.astype(int), test_scores, logistic(test_scores))


def rounded(problem, score_digits, probability_digits):
    """Returns the problem with ties: rounded scores, and probabilities on the edges of bins."""
    return Problem(
        np.round(problem.scores, score_digits),
        np.round(problem.probabilities, probability_digits),
        problem.labels,
        np.round(problem.test_scores, score_digits),
        np.round(problem.test_probabilities, probability_digits),
    )


def random_problem(rng):
    """Draws a problem of any size, separation and share, with higher mean scores of positives; a third has ties."""
    train, test = np.exp(rng.uniform(np.log([50, 10]), np.log([2000, 1000]))).astype(int)
    shares = rng.uniform(0.1, 0.9), rng.choice([0.0, 1.0, rng.uniform()], p=[0.1, 0.1, 0.8])
    problem = draw(rng, train, test, rng.uniform(0.3, 3.0), np.exp(rng.normal(0.0, 0.4)), shares, noise=0.3)
    if rng.uniform() < 1 / 3:
        problem = rounded(problem, score_digits=1, probability_digits=2)
    means = (problem.scores[problem.labels == y].mean() for y in (1, 0))
    return problem if next(means) > next(means) else random_problem(rng)


def random_problems(number, seed):
    """Draws problems; the same seed gives the same problems."""
    rng = np.random.default_rng(seed)
    return [random_problem(rng) for _ in range(number)]


def timed_problem(test, seed):
    """Draws 1000 + 1000 labelled scores whose means differ by one standard deviation, and test scores in random order."""
    rng = np.random.default_rng(seed)
    problem = draw(rng, 2000, test, separation=1.0, spread=1.0, shares=(0.5, 0.4), noise=0.0)
    order = rng.permutation(test)
    shuffled = problem.test_scores[order], problem.test_probabilities[order]
    return Problem(problem.scores, problem.probabilities, problem.labels, *shuffled)


def answer(problem, method):
    """Returns a method's estimate and parameters; an error if it fails."""
    try:
        model = tc.Model.fit(problem.scores, problem.labels, method=method, train_probabilities=problem.probabilities)
        estimate = model.estimate(problem.test_scores, test_probabilities=problem.test_probabilities, check=False)
    except tc.TruecountError as error:
        return {"error": str(error)}
    return {"raw": estimate.raw, "parameters": model.parameters["methods"][method]}


def answers(problems):
    """Returns every method's answer to each of the problems."""
    return [{method: answer(problem, method) for method in tc.methods()} for problem in problems]
