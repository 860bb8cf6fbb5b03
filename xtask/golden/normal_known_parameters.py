"""normal_known_parameters.json: regions, integrals, variances and optimal thresholds for known
normals; sweep.py has the formulas.
"""

from functools import partial

from mpmath import mp

from distributions import Normal
from sweep import Separation, at_threshold, optimal

NOT_RECOMPUTED = {
    "inputs": ["mu_pos", "mu_neg", "sd_pos", "sd_neg"],
    "words": ["what", "digits", "roots"],
    "rounding errors of the first making": ["internal_checks_max_abs"],
    "read by no test": [
        *("max_D_f64", "theta_l_f64", "theta_r_f64", "pDelta_opt_f64", "pDelta_over_maxD", "dV_dp_at_opt_n1"),
        *("theta_min", "min_D", "zero_of_D", "negative_tail", "sign_changes_at_p_0.25_on_grid_-40_40"),
        *("J_pos", "J_neg", "E_pos_g_minus_c_minus_1", "E_neg_g_minus_c", "identity_absdiff"),
        "V_printed_formula_read_with_survival_functions_n=100",
    ],
}
SIZES, ALPHAS = (100, 1000), ("0.3", "0.5", "0.9")

text = partial(mp.nstr, n=30)


def compute(file):
    return {"cases": [compute_case(inputs) for inputs in file["cases"]]}


def compute_case(inputs):
    s = Separation(*(Normal(inputs[f"mu_{c}"], inputs[f"sd_{c}"]) for c in ("pos", "neg")))
    return {
        "theta_max": text(s.theta_max),
        "max_D": text(s.max_d),
        "p=0.25": entry(at_threshold(s, 0.25), ALPHAS),
        "opt_alpha=0.5": optimum(s, "0.5", ALPHAS),
        "opt_alpha=0.3": optimum(s, "0.3", ["0.3"]),
        "opt_alpha=0.9": optimum(s, "0.9", ["0.9"]),
    }


def optimum(s, alpha, alphas):
    sweep = optimal(s, mp.mpf(alpha))
    return entry(sweep, alphas) | {
        "pDelta_opt": text(sweep.p),
    }


def entry(sweep, alphas):
    (_, var_pos), (_, var_neg) = sweep.moments
    v = {(n, alpha): sweep.variance(mp.mpf(alpha)) / n for n in SIZES for alpha in alphas}
    return {
        "theta_l": text(sweep.left),
        "theta_r": text(sweep.right),
        "V": {f"n={n},alpha={alpha}": {"str": text(v), "f64": float(v)} for (n, alpha), v in v.items()},
        "Var_pos_g": text(var_pos),
        "Var_neg_g": text(var_neg),
        "c": text(sweep.c),
    }
