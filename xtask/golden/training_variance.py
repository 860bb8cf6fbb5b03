"""training_variance.json: variance of Continuous Sweep from fitting the normals, by the delta
method.

With z = (x − μ)/σ and a the clipped estimate:

    A± = 1/W ∫_R f±/D          B± = 1/W ∫_R f± z±/D
    V_train_closed_form = a² σ₊²/n₊ (A₊² + B₊²/2) + (1−a)² σ₋²/n₋ (A₋² + B₋²/2)

The other variances replace aA₊, aB₊, (1−a)A₋ and (1−a)B₋ by the derivatives of the estimate, where
R moves with the parameters so that D = p at its ends. The "numeric gradient" belongs to the exact
estimate; the file has it from finite differences of doubles. The "full delta" belongs to
contisweep's estimate, but with the exact CC at the ends of R; the file has it from quadrature in
doubles.
"""

from mpmath import mp

from comparison import Approximate
from datasets import clipped, data_sets, estimate, stepped_integral

NOT_RECOMPUTED = {
    "inputs": ["id", "name", "boundaries"],
    "words": ["what"],
    "quoted from R": ["V_train_contisweep_as_coded"],
}


def compute(file):
    data = data_sets(ddof=1)
    return {"rows": [compute_row(inputs, data[inputs["id"]]) for inputs in file["rows"]]}


def compute_row(inputs, data):
    sweep = data.sweeps[inputs["boundaries"]]
    steps = data.steps(sweep)
    raw = estimate(sweep, steps)
    a, pieces = clipped(raw), projections(sweep)
    closed_form = variance(data, [w * v for w, v in zip((a, a, 1 - a, 1 - a), pieces)])
    values = {
        "pDelta": float(sweep.p),
        "theta_l": float(sweep.left),
        "theta_r": float(sweep.right),
        "estimate": float(raw),
        "n_pos": len(data.positive),
        "n_neg": len(data.negative),
        "n_test": len(data.test),
        "V_test_at_clipped_estimate": float(sweep.variance(a) / len(data.test)),
        "A_pos,B_pos,A_neg,B_neg": [mp.nstr(value, 20) for value in pieces],
        "V_train_closed_form": Approximate(closed_form, 1e-15 * closed_form),
    }
    end_shares = steps[0][0], steps[-1][0]
    if (key := "V_train_full_delta_with_boundary_terms") in inputs:
        r_steps = data.contisweep_steps(sweep)
        v = variance(data, gradient(sweep, r_steps, end_shares)) if r_steps else None
        values[key] = v if v is None else Approximate(v, 1e-12 * v + 1e-20)
    if (key := "numeric_gradient_(mean_pos,sd_pos,mean_neg,sd_neg)") in inputs:
        derivatives = gradient(sweep, steps, end_shares)
        v = variance(data, derivatives)
        values[key] = [Approximate(value, 1e-7) for value in derivatives]
        values["V_train_numeric_gradient"] = Approximate(v, 1e-6 * v)
    return values


def rate_derivatives(sweep):
    """Yields the derivatives ∂F/∂η of the class's F, for η = μ₊, σ₊, μ₋ and σ₋.

    Each comes with the sign of F in D, as values at the nodes and as a function.
    """
    s = sweep.separation
    for sign, pdf, normal in ((1, sweep.f_pos, s.positive), (-1, sweep.f_neg, s.negative)):
        yield sign, pdf, normal.pdf
        at_nodes = [f * normal.z(x) for f, x in zip(pdf, sweep.panels.points)]
        yield sign, at_nodes, lambda x, normal=normal: normal.pdf(x) * normal.z(x)


def projections(sweep):
    """Returns A₊, B₊, A₋ and B₋."""
    return [sweep.panels.integral(sweep.over_d(rate)) / sweep.width for _, rate, _ in rate_derivatives(sweep)]


def gradient(sweep, steps, end_shares):
    """Derivatives of the estimate 1/W ∫_R AC by μ₊, σ₊, μ₋ and σ₋.

    AC changes by −(∂F₋ + AC ∂D)/D, and an end θ of R by −∂D/D'(θ). `end_shares` are the values of
    CC at the ends of R.
    """
    s, raw = sweep.separation, estimate(sweep, steps)

    def boundary_term(end, share, d_end):
        return ((share - s.negative.sf(end)) / s.d(end) - raw) * -d_end / s.slope(end)

    derivatives = []
    for sign, rate, rate_function in rate_derivatives(sweep):
        d = sweep.over_d(sweep.over_d([sign * value for value in rate]))
        inside = sweep.panels.integral([neg * v for neg, v in zip(sweep.F_neg, d)]) - stepped_integral(sweep, steps, d)
        if sign < 0:
            inside -= sweep.panels.integral(sweep.over_d(rate))
        left, right = (
            boundary_term(end, share, sign * rate_function(end))
            for end, share in zip((sweep.left, sweep.right), end_shares)
        )
        derivatives.append((inside + right - left) / sweep.width)
    return derivatives


def variance(data, derivatives):
    """Variance of the estimate from its derivatives by μ₊, σ₊, μ₋ and σ₋.

    The parameters have Var μ̂ = σ²/n and Var σ̂ = σ²/2n.
    """
    by_mean_pos, by_sd_pos, by_mean_neg, by_sd_neg = derivatives
    positive = data.separation.positive.sd**2 / len(data.positive) * (by_mean_pos**2 + by_sd_pos**2 / 2)
    return positive + data.separation.negative.sd**2 / len(data.negative) * (by_mean_neg**2 + by_sd_neg**2 / 2)
