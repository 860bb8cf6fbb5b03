"""skew_normal_sweep.json: regions, integrals, variances and optimal thresholds for the paper's
skew-normals.

The fit to LeQua has the parameters that the paper prints. In the paper's third simulation the
positives have mean 1, the negatives have mean 0, and both are skewed towards each other.
"""

from functools import partial

from mpmath import mp

from distributions import SkewNormal
from sweep import Separation, at_threshold, optimal

NOT_RECOMPUTED = {
    "rounding errors of the first making": ["conv", "grad"],
    "read by no test": ["roots_on_grid"],
    "seconds of the first making": ["seconds"],
}

text = partial(mp.nstr, n=25)


def compute(_):
    return [compute_case(*setting) for setting in settings()]


def settings():
    """Yields the name, the positives and the negatives of each setting."""
    yield (
        "LeQua, parameters as printed in the paper (text: optimal pDelta 0.400)",
        SkewNormal("1.0309", "1.4119", "1.0068"),
        SkewNormal("0.8425", "1.6677", "-1.7983"),
    )
    for shape, sd_pos, sd_neg in (
        (1, 0.5, 0.5),
        (1, 1.5, 0.5),
        (1, 1.5, 1.5),
        (2, 0.5, 1.5),
        (2, 1.5, 0.5),
        (4, 0.5, 0.5),
        (4, 0.5, 1.5),
        (4, 1.5, 1.5),
    ):
        positive, negative = SkewNormal.centred(1, sd_pos, -shape), SkewNormal.centred(0, sd_neg, shape)
        yield f"simulation 3: shape={shape} sd+={sd_pos} sd-={sd_neg}", positive, negative


def compute_case(name, positive, negative):
    s = Separation(positive, negative)
    best = optimal(s, 0.5)
    return {
        "name": name,
        **parameters("pos", positive),
        **parameters("neg", negative),
        "theta_max": text(s.theta_max),
        "max_D": text(s.max_d),
        "p=0.25": entry(at_threshold(s, 0.25)),
        "opt_alpha=0.5": {
            "pDelta": text(best.p),
            **entry(best),
        },
    }


def parameters(name, family):
    return {f"xi_{name}": text(family.xi), f"omega_{name}": text(family.omega), f"alpha_{name}": text(family.alpha)}


def entry(sweep):
    (_, var_pos), (_, var_neg) = sweep.moments
    return {
        "theta_l": text(sweep.left),
        "theta_r": text(sweep.right),
        "c": text(sweep.c),
        "Var_pos_g": text(var_pos),
        "Var_neg_g": text(var_neg),
        "V": {f"n=100,alpha={alpha}": text(sweep.variance(mp.mpf(alpha)) / 100) for alpha in ("0.3", "0.5", "0.9")},
    }
