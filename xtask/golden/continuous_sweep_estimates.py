"""continuous_sweep_estimates.json: Continuous Sweep of the data sets with fitted normals.

sweep.py and datasets.py have the formulas. `estimate` integrates (CC − F−)/D step by step, `estimate_by_identity` is
the mean of g over the test scores less c; V is the double integral, the variances of g are integrals over its
density. What R's package contisweep says is quoted, not made anew.
"""

from functools import partial

from mpmath import mp

from comparison import Rounding
from datasets import clipped, data_sets, estimate

KEPT = {
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


def made(file):
    usual, likely = data_sets(1), data_sets(0)
    return {"cases": [case(given, usual[given["id"]], likely[given["id"]]) for given in file["cases"]]}


def case(given, usual, likely):
    variants = {"sd_n_minus_1": variant(usual), "sd_ml": variant(likely)}
    return {
        "n_test": len(usual.test),
        "n_pos": len(usual.positive),
        "n_neg": len(usual.negative),
        "variants": variants,
        "R_comparison": {
            threshold: beside_r(given["R"], threshold, variants["sd_n_minus_1"][threshold])
            for threshold in given["R_comparison"]
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
    found, n = estimate(sweep, data.steps(sweep)), len(data.test)
    g = sweep.panels.antiderivative(sweep.inverse)
    identity = mp.fsum(map(g, data.test)) / (n * sweep.width) - sweep.c
    (_, var_pos), (_, var_neg) = sweep.moments
    as_r = data.contisweep_steps(sweep)
    return {
        "pDelta": text(sweep.p),
        "pDelta_f64": float(sweep.p),
        "theta_l": text(sweep.left),
        "theta_r": text(sweep.right),
        "theta_l_f64": float(sweep.left),
        "theta_r_f64": float(sweep.right),
        "estimate": text(found),
        "estimate_f64": float(found),
        "estimate_clipped_f64": float(clipped(found)),
        "estimate_by_identity": text(identity),
        "identity_absdiff": Rounding(identity - found),
        "c": text(sweep.c),
        "g_max": text(sweep.g_max),
        "n_left": sum(s < sweep.left for s in data.test),
        "n_inside": sum(sweep.left <= s <= sweep.right for s in data.test),
        "n_right": sum(s > sweep.right for s in data.test),
        "estimate_R_segment_rule_exact_integrals": text(estimate(sweep, as_r)) if as_r else None,
        "Var_pos_g": text(var_pos),
        "Var_neg_g": text(var_neg),
        "var_identity_absdiff": Rounding(sweep.identity_error),
        "V_alpha_0_5": text(sweep.variance(0.5) / n),
        "V_at_clipped_estimate": text(sweep.variance(clipped(found)) / n),
    }


def beside_r(quoted, threshold, entry):
    """R's estimate, a double of 15 digits, less the exact one and less its own rule's."""
    r, exact = quoted[f"CS_exact_barriers_{threshold}"]["value"], entry["estimate_f64"]
    return {
        "exact": exact,
        "R_minus_exact": None if r is None else r - exact,
        "R_minus_Rrule_exact_integrals": (
            None if r is None else r - float(entry["estimate_R_segment_rule_exact_integrals"])
        ),
    }
