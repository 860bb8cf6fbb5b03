"""The data sets, normals fitted to them, and the Continuous Sweep estimate of their test scores.

CC(θ), the share of the test scores at or above θ, is a step function, so that

    α̂ = 1/W ∫_R (CC − F−)/D = 1/W Σ_steps share ∫_step 1/D − c

The scores in datasets.json are inputs: they cannot be generated again.
"""

from functools import cached_property

from mpmath import mp

from distributions import Normal
from files import read
from sweep import Separation, at_threshold, optimal


class DataSet:
    """Labelled scores with a normal fitted to each class, and test scores.

    Variances divide by n − `ddof`: 1 is unbiased, 0 is maximum likelihood.
    """

    def __init__(self, scores, ddof):
        self.positive, self.negative, self.test = (
            sorted(map(mp.mpf, scores[sample])) for sample in ("train_pos", "train_neg", "test")
        )
        self.separation = Separation(fit(self.positive, ddof), fit(self.negative, ddof))

    @cached_property
    def sweeps(self):
        """Sweep by the name of the threshold, or `None` if D does not reach the threshold."""
        return {
            "p=0.25": at_threshold(self.separation, 0.25) if self.separation.max_d > 0.25 else None,
            "opt": optimal(self.separation, 0.5),
        }

    def steps(self, sweep):
        """Steps of CC on R from left to right, as (share, begin, end)."""
        inside = [s for s in self.test if sweep.left < s < sweep.right]
        beyond = sum(s >= sweep.right for s in self.test)
        shares = [mp.mpf(k + beyond) / len(self.test) for k in range(len(inside), -1, -1)]
        return list(zip(shares, [sweep.left, *inside], [*inside, sweep.right]))


def fit(scores, ddof):
    mean = mp.fsum(scores) / len(scores)
    return Normal(mean, mp.sqrt(mp.fsum((s - mean) ** 2 for s in scores) / (len(scores) - ddof)))


def stepped_integral(sweep, steps, values):
    """∫_R CC f, for a function f with these values at the nodes."""
    antiderivative = sweep.panels.antiderivative(values)
    integrals = [antiderivative(steps[0][1]), *(antiderivative(end) for _, _, end in steps)]
    return mp.fsum(share * (b - a) for (share, _, _), a, b in zip(steps, integrals, integrals[1:]))


def estimate(sweep, steps):
    return stepped_integral(sweep, steps, sweep.inverse) / sweep.width - sweep.c


def clipped(value):
    return min(max(value, mp.zero), mp.one)


def data_sets(ddof):
    return {scores["id"]: DataSet(scores, ddof) for scores in read("datasets")}
