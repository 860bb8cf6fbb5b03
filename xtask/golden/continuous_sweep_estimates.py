"""continuous_sweep_estimates.json: Continuous Sweep of the data sets with fitted normals.

sweep.py and datasets.py have the formulas. `estimate` integrates (CC − F−)/D step by step;
`estimate_by_identity` is the mean of g over the test scores less c. V is the double integral; the
variances of g are integrals against the class densities. Results of the R package contisweep are
quoted, not recomputed.
"""

from functools import partial

from mpmath import mp

from comparison import Rounding
from datasets import clipped, data_sets, estimate

NOT_RECOMPUTED = {
    "inputs": ["id", "name", "desc"],
    "words": ["what", "explanation", "note", "boundaries"],
    "quoted from R": ["R", "conditions"],
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
    variants = {"sd_n_minus_1": variant(unbiased), "sd_ml": variant(ml)}
    return {
        "n_test": len(unbiased.test),
        "n_pos": len(unbiased.positive),
        "n_neg": len(unbiased.negative),
        "variants": variants,
        "R_comparison": {
            threshold: r_comparison(inputs["R"], threshold, variants["sd_n_minus_1"][threshold])
            for threshold in inputs["R_comparison"]
        },
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
    g = sweep.panels.antiderivative(sweep.inverse)
    identity = mp.fsum(map(g, data.test)) / (n * sweep.width) - sweep.c
    (_, var_pos), (_, var_neg) = sweep.moments
    r_steps = data.contisweep_steps(sweep)
    return {
        "pDelta": text(sweep.p),
        "pDelta_f64": float(sweep.p),
        "theta_l": text(sweep.left),
        "theta_r": text(sweep.right),
        "theta_l_f64": float(sweep.left),
        "theta_r_f64": float(sweep.right),
        "estimate": text(raw),
        "estimate_f64": float(raw),
        "estimate_clipped_f64": float(clipped(raw)),
        "estimate_by_identity": text(identity),
        "identity_absdiff": Rounding(identity - raw),
        "c": text(sweep.c),
        "g_max": text(sweep.g_max),
        "n_left": sum(s < sweep.left for s in data.test),
        "n_inside": sum(sweep.left <= s <= sweep.right for s in data.test),
        "n_right": sum(s > sweep.right for s in data.test),
        "estimate_R_segment_rule_exact_integrals": text(estimate(sweep, r_steps)) if r_steps else None,
        "Var_pos_g": text(var_pos),
        "Var_neg_g": text(var_neg),
        "var_identity_absdiff": Rounding(sweep.identity_error),
        "V_alpha_0_5": text(sweep.variance(0.5) / n),
        "V_at_clipped_estimate": text(sweep.variance(clipped(raw)) / n),
    }


def r_comparison(quoted, threshold, entry):
    """R's estimate (15 digits) less the exact estimate, and less the exact value of R's own rule."""
    r, exact = quoted[f"CS_exact_barriers_{threshold}"]["value"], entry["estimate_f64"]
    return {
        "exact": exact,
        "R_minus_exact": None if r is None else r - exact,
        "R_minus_Rrule_exact_integrals": (
            None if r is None else r - float(entry["estimate_R_segment_rule_exact_integrals"])
        ),
    }
