"""continuous_sweep_estimates.json: Continuous Sweep of the data sets with fitted normals.

sweep.py and datasets.py have the formulas. `estimate` integrates (CC − F−)/D step by step.
V is the double integral; the variances of g are integrals against the class densities. Results of the R
package contisweep are quoted, not recomputed.
"""

from functools import partial

from mpmath import mp

from datasets import clipped, data_sets, estimate

NOT_RECOMPUTED = {
    "inputs": ["id", "name", "desc"],
    "words": ["what", "explanation", "note", "boundaries"],
    "quoted from R": ["R", "R_comparison", "conditions"],
    "read by no test": [
        *(f"{name}_f64" for name in ("pDelta", "theta_l", "theta_r", "estimate", "estimate_clipped")),
        *("estimate_by_identity", "identity_absdiff", "n_left", "n_inside", "n_right"),
        *("estimate_R_segment_rule_exact_integrals", "var_identity_absdiff", "V_alpha_0_5"),
    ],
    "rounding errors of the first making": [
        "max_identity_absdiff_mean_g_minus_c",
        "max_relative_diff_variance_identity",
        "var_quadrature_convergence",
    ],
    "seconds of the first making": ["seconds"],
}

text = partial(mp.nstr, n=25)


def compute(file):
    unbiased, ml = data_sets(ddof=1), data_sets(ddof=0)
    return {"cases": [compute_case(inputs, unbiased[inputs["id"]], ml[inputs["id"]]) for inputs in file["cases"]]}


def compute_case(inputs, unbiased, ml):
    return {
        "n_test": len(unbiased.test),
        "n_pos": len(unbiased.positive),
        "n_neg": len(unbiased.negative),
        "variants": {"sd_n_minus_1": variant(unbiased), "sd_ml": variant(ml)},
    }


def variant(data):
    s = data.separation
    return {
        "mean_pos": text(s.positive.mean),
        "sd_pos": text(s.positive.sd),
        "mean_neg": text(s.negative.mean),
        "sd_neg": text(s.negative.sd),
        "theta_max": text(s.theta_max),
        "max_D": text(s.max_d),
        **{threshold: entry(data, sweep) for threshold, sweep in data.sweeps.items()},
    }


def entry(data, sweep):
    if sweep is None:
        return {"pDelta": "0.25", "estimate": None}
    raw, n = estimate(sweep, data.steps(sweep)), len(data.test)
    (_, var_pos), (_, var_neg) = sweep.moments
    return {
        "pDelta": text(sweep.p),
        "theta_l": text(sweep.left),
        "theta_r": text(sweep.right),
        "estimate": text(raw),
        "c": text(sweep.c),
        "g_max": text(sweep.g_max),
        "Var_pos_g": text(var_pos),
        "Var_neg_g": text(var_neg),
        "V_at_clipped_estimate": text(sweep.variance(clipped(raw)) / n),
    }
