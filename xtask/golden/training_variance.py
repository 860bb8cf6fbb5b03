"""training_variance.json: variance of Continuous Sweep from fitting the normals, by the delta
method.

With z = (x − μ)/σ and a the clipped estimate:

    A± = 1/W ∫_R f±/D          B± = 1/W ∫_R f± z±/D
    V_train_closed_form = a² σ₊²/n₊ (A₊² + B₊²/2) + (1−a)² σ₋²/n₋ (A₋² + B₋²/2)
"""

from mpmath import mp

from comparison import Approximate
from datasets import clipped, data_sets, estimate

NOT_RECOMPUTED = {
    "inputs": ["id", "name", "boundaries"],
    "words": ["what"],
    "quoted from R": ["V_train_contisweep_as_coded"],
    "read by no test": [
        "V_train_full_delta_with_boundary_terms",
        "V_train_numeric_gradient",
        "numeric_gradient_(mean_pos,sd_pos,mean_neg,sd_neg)",
    ],
}


def compute(file):
    data = data_sets(ddof=1)
    return {"rows": [compute_row(inputs, data[inputs["id"]]) for inputs in file["rows"]]}


def compute_row(inputs, data):
    sweep = data.sweeps[inputs["boundaries"]]
    raw = estimate(sweep, data.steps(sweep))
    a, pieces = clipped(raw), [*projections(sweep)]
    closed_form = variance(data, [w * v for w, v in zip((a, a, 1 - a, 1 - a), pieces)])
    return {
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


def projections(sweep):
    """Returns A₊, B₊, A₋ and B₋."""

    def over_d(values):
        return sweep.panels.integral(sweep.over_d(values)) / sweep.width

    s = sweep.separation
    for pdf, normal in ((sweep.f_pos, s.positive), (sweep.f_neg, s.negative)):
        yield over_d(pdf)
        yield over_d([f * normal.z(x) for f, x in zip(pdf, sweep.panels.points)])


def variance(data, derivatives):
    """Variance of the estimate from its derivatives by μ₊, σ₊, μ₋ and σ₋.

    The parameters have Var μ̂ = σ²/n and Var σ̂ = σ²/2n.
    """
    by_mean_pos, by_sd_pos, by_mean_neg, by_sd_neg = derivatives
    positive = data.separation.positive.sd**2 / len(data.positive) * (by_mean_pos**2 + by_sd_pos**2 / 2)
    return positive + data.separation.negative.sd**2 / len(data.negative) * (by_mean_neg**2 + by_sd_neg**2 / 2)
