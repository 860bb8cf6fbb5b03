"""normal_known_parameters.json: regions, integrals, variances and optimal thresholds for known
normals.

sweep.py has the formulas; J± are the double integrals of V. `V_printed…` is the formula printed in
the paper, with survival functions for its distribution functions: it has F(min)(1 − F(max)) in
place of C(x, y).
"""

from functools import partial

from mpmath import mp

from comparison import Rounding
from distributions import Normal
from roots import root
from sweep import Separation, at_threshold, optimal

NOT_RECOMPUTED = {
    "inputs": ["mu_pos", "mu_neg", "sd_pos", "sd_neg"],
    "words": ["what", "digits", "roots"],
    "rounding errors of the first making": ["internal_checks_max_abs"],
}
SIZES, ALPHAS = (100, 1000), ("0.3", "0.5", "0.9")

text = partial(mp.nstr, n=30)


def compute(file):
    return {"cases": [compute_case(inputs) for inputs in file["cases"]]}


def compute_case(inputs):
    s = Separation(*(Normal(inputs[f"mu_{c}"], inputs[f"sd_{c}"]) for c in ("pos", "neg")))
    values = {
        "theta_max": text(s.theta_max),
        "max_D": text(s.max_d),
        "max_D_f64": float(s.max_d),
        "sign_changes_at_p_0.25_on_grid_-40_40": s.sign_changes(0.25, [mp.mpf(k) / 10 for k in range(-400, 401)]),
        "p=0.25": entry(at_threshold(s, 0.25), ALPHAS),
        "opt_alpha=0.5": optimum(s, "0.5", ALPHAS),
        "opt_alpha=0.3": optimum(s, "0.3", ["0.3"]),
        "opt_alpha=0.9": optimum(s, "0.9", ["0.9"]),
    }
    return values if s.positive.sd == s.negative.sd else values | minimum(s)


def minimum(s):
    theta_min = s.peak(-1)
    return {
        "theta_min": text(theta_min),
        "min_D": text(s.d(theta_min)),
        "zero_of_D": text(root(s.d, s.theta_max, theta_min)),
        "negative_tail": "right" if theta_min > s.theta_max else "left",
    }


def optimum(s, alpha, alphas):
    sweep = optimal(s, mp.mpf(alpha))
    return entry(sweep, alphas) | {
        "pDelta_opt": text(sweep.p),
        "pDelta_opt_f64": float(sweep.p),
        "pDelta_over_maxD": text(sweep.p / s.max_d),
        "dV_dp_at_opt_n1": Rounding(sweep.variance_slope(mp.mpf(alpha))),
    }


def entry(sweep, alphas):
    (mean_pos, var_pos), (mean_neg, var_neg) = sweep.moments
    j_pos, j_neg = sweep.double_integrals
    v = {(n, alpha): sweep.variance(mp.mpf(alpha)) / n for n in SIZES for alpha in alphas}
    return {
        "theta_l": text(sweep.left),
        "theta_r": text(sweep.right),
        "theta_l_f64": float(sweep.left),
        "theta_r_f64": float(sweep.right),
        "J_pos": text(j_pos),
        "J_neg": text(j_neg),
        "V": {f"n={n},alpha={alpha}": {"str": text(v), "f64": float(v)} for (n, alpha), v in v.items()},
        "V_printed_formula_read_with_survival_functions_n=100": {
            a: text(variance_as_printed(sweep, mp.mpf(a))) for a in alphas
        },
        "Var_pos_g": text(var_pos),
        "Var_neg_g": text(var_neg),
        "c": text(sweep.c),
        "E_pos_g_minus_c_minus_1": Rounding(mean_pos - sweep.c - 1),
        "E_neg_g_minus_c": Rounding(mean_neg - sweep.c),
        "identity_absdiff": Rounding(sweep.identity_error),
    }


def variance_as_printed(sweep, alpha):
    def double_integral(F):
        inner = sweep.panels.cumulative(sweep.over_d(F))
        return 2 * sweep.panels.integral(sweep.over_d([(1 - v) * i for v, i in zip(F, inner)]))

    pos, neg = double_integral(sweep.F_pos), double_integral(sweep.F_neg)
    return (alpha * pos + (1 - alpha) * neg) / (100 * sweep.width**2)
