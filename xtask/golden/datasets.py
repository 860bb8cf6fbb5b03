"""The data sets, normals fitted to them, and the steps of the share of test scores at or above a threshold.

    α̂ = 1/W ∫_R (CC − F−)/D = 1/W Σ_steps share ∫_step 1/D − c

The scores of datasets.json were drawn by a generator that is not kept: they are data.
"""

from functools import cached_property

from mpmath import mp

from distributions import Normal
from files import read
from sweep import Separation, at_threshold, optimal


class DataSet:
    """Variances divide by the number of scores less `freedom`: 1 is usual, 0 is maximum likelihood."""

    def __init__(self, scores, freedom):
        self.positive, self.negative, self.test = (
            sorted(map(mp.mpf, scores[sample])) for sample in ("train_pos", "train_neg", "test")
        )
        self.separation = Separation(fit(self.positive, freedom), fit(self.negative, freedom))

    @cached_property
    def sweeps(self):
        """By the name of the threshold; none where D does not reach it."""
        return {
            "p=0.25": at_threshold(self.separation, 0.25) if self.separation.max_d > 0.25 else None,
            "opt": optimal(self.separation, 0.5),
        }

    def steps(self, sweep):
        """(share of the test scores at or above, begin, end) from one end of R to the other."""
        inside = [s for s in self.test if sweep.left < s < sweep.right]
        beyond = sum(s >= sweep.right for s in self.test)
        shares = [mp.mpf(k + beyond) / len(self.test) for k in range(len(inside), -1, -1)]
        return list(zip(shares, [sweep.left, *inside], [*inside, sweep.right]))

    def contisweep_steps(self, sweep):
        """The steps of R's contisweep, which are those between two test scores. The first is stretched to the left end
        of the region and the last to the right end, even where the share is another beyond the outermost score."""
        steps = [
            [1 - mp.mpf(k) / len(self.test), a, b]
            for k, (a, b) in enumerate(zip(self.test, self.test[1:]), 1)
            if b >= sweep.left and a <= sweep.right
        ]
        if steps:
            steps[0][1], steps[-1][2] = sweep.left, sweep.right
        return steps


def fit(scores, freedom):
    mean = mp.fsum(scores) / len(scores)
    return Normal(mean, mp.sqrt(mp.fsum((s - mean) ** 2 for s in scores) / (len(scores) - freedom)))


def stepped_integral(sweep, steps, values):
    """∫_R CC f, for f of these values at the nodes."""
    upto = sweep.panels.antiderivative(values)
    integrals = [upto(steps[0][1]), *(upto(end) for _, _, end in steps)]
    return mp.fsum(share * (b - a) for (share, _, _), a, b in zip(steps, integrals, integrals[1:]))


def estimate(sweep, steps):
    return stepped_integral(sweep, steps, sweep.inverse) / sweep.width - sweep.c


def clipped(value):
    return min(max(value, mp.zero), mp.one)


def data_sets(freedom):
    return {scores["id"]: DataSet(scores, freedom) for scores in read("datasets")}
