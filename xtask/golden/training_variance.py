"""training_variance.json: what the fit of the normals adds to the variance of Continuous Sweep, by the delta method.

With z = (x − μ)/σ and a the estimate, clipped:

    A± = 1/W ∫_R f±/D          B± = 1/W ∫_R f± z±/D
    V_train_closed_form = a² σ₊²/n₊ (A₊² + B₊²/2) + (1−a)² σ₋²/n₋ (A₋² + B₋²/2)

The other variances have the derivatives of the estimate in place of aA₊, aB₊, (1−a)A₋ and (1−a)B₋, the region R
moving with the parameters so that D = p at its ends. The "numeric gradient" is of the exact estimate: the file has it
from differences between doubles. The "full delta" is of contisweep's estimate, but with the exact share of scores at
the ends of R: the file has it from quadrature in doubles.
"""

from mpmath import mp

from comparison import Approximate
from datasets import clipped, data_sets, estimate, stepped_integral

KEPT = {
    "inputs": ["id", "name", "boundaries"],
    "words": ["what"],
    "quoted from R": ["V_train_contisweep_as_coded"],
}


def made(file):
    data = data_sets(1)
    return {"rows": [row(given, data[given["id"]]) for given in file["rows"]]}


def row(given, data):
    sweep = data.sweeps[given["boundaries"]]
    s, steps = sweep.separation, data.steps(sweep)
    found = estimate(sweep, steps)
    a, pieces = clipped(found), projections(sweep)
    closed_form = variance(data, [w * v for w, v in zip((a, a, 1 - a, 1 - a), pieces)])
    values = {
        "pDelta": float(sweep.p),
        "theta_l": float(sweep.left),
        "theta_r": float(sweep.right),
        "estimate": float(found),
        "n_pos": len(data.positive),
        "n_neg": len(data.negative),
        "n_test": len(data.test),
        "V_test_at_clipped_estimate": float(sweep.variance(a) / len(data.test)),
        "A_pos,B_pos,A_neg,B_neg": [mp.nstr(value, 20) for value in pieces],
        "V_train_closed_form": Approximate(closed_form, 1e-15 * closed_form),
    }
    ends = steps[0][0], steps[-1][0]
    if (key := "V_train_full_delta_with_boundary_terms") in given:
        as_r = data.contisweep_steps(sweep)
        v = variance(data, gradient(sweep, as_r, ends)) if as_r else None
        values[key] = v if v is None else Approximate(v, 1e-12 * v + 1e-20)
    if (key := "numeric_gradient_(mean_pos,sd_pos,mean_neg,sd_neg)") in given:
        derivatives = gradient(sweep, steps, ends)
        v = variance(data, derivatives)
        values[key] = [Approximate(value, 1e-7) for value in derivatives]
        values["V_train_numeric_gradient"] = Approximate(v, 1e-6 * v)
    return values


def rates(sweep):
    """For η = μ₊, σ₊, μ₋ and σ₋: the sign of its class's F in D, and ∂F/∂η at the nodes and as a function."""
    s = sweep.separation
    for sign, pdf, normal in ((1, sweep.f_pos, s.positive), (-1, sweep.f_neg, s.negative)):
        yield sign, pdf, normal.pdf
        at_nodes = [f * normal.z(x) for f, x in zip(pdf, sweep.panels.points)]
        yield sign, at_nodes, lambda x, normal=normal: normal.pdf(x) * normal.z(x)


def projections(sweep):
    """A₊, B₊, A₋ and B₋."""
    return [sweep.panels.integral(sweep.over_d(rate)) / sweep.width for _, rate, _ in rates(sweep)]


def gradient(sweep, steps, shares):
    """The derivatives of the estimate 1/W ∫_R AC by μ₊, σ₊, μ₋ and σ₋: AC changes by −(∂F₋ + AC ∂D)/D, and an end θ
    of R by −∂D/D'(θ). `shares` are those of the test scores at or above the two ends."""
    s, whole = sweep.separation, estimate(sweep, steps)

    def moved(end, share, d_end):
        return ((share - s.negative.sf(end)) / s.d(end) - whole) * -d_end / s.slope(end)

    derivatives = []
    for sign, rate, at in rates(sweep):
        d = sweep.over_d(sweep.over_d([sign * value for value in rate]))
        inside = sweep.panels.integral([neg * v for neg, v in zip(sweep.F_neg, d)]) - stepped_integral(sweep, steps, d)
        if sign < 0:
            inside -= sweep.panels.integral(sweep.over_d(rate))
        left, right = (moved(end, share, sign * at(end)) for end, share in zip((sweep.left, sweep.right), shares))
        derivatives.append((inside + right - left) / sweep.width)
    return derivatives


def variance(data, derivatives):
    """Of the estimate, whose derivatives by μ₊, σ₊, μ₋ and σ₋ these are: Var μ̂ = σ²/n and Var σ̂ = σ²/2n."""
    by_mean_pos, by_sd_pos, by_mean_neg, by_sd_neg = derivatives
    positive = data.separation.positive.sd**2 / len(data.positive) * (by_mean_pos**2 + by_sd_pos**2 / 2)
    return positive + data.separation.negative.sd**2 / len(data.negative) * (by_mean_neg**2 + by_sd_neg**2 / 2)
