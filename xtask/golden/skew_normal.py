"""skew_normal.json: densities, tails, Owen's T and maximum likelihood fits of skew-normals.

    T(h, a) = 1/2π ∫_0^a exp(−h²(1 + t²)/2)/(1 + t²) dt

Tails are integrals of the density. A fit is the zero of the likelihood's gradient, by Newton's
method from the quoted result of the R package sn.
"""

from functools import partial

from mpmath import mp

from distributions import ROOT_TWO, ROOT_TWO_PI, SkewNormal
from integrals import Panels

NOT_RECOMPUTED = {
    "inputs": ["xi", "omega", "alpha", "x", "h", "a", "mean", "sd", "shape", "n", "y"],
    "words": ["what", "note"],
    "quoted from R": ["R_msn_mle", "R_selm"],
    "rounding errors of the first making": ["check_cdf_vs_integrated_pdf_max_abs_|z|<=6", "check_T(h,1)"],
    "steps of the first making": ["iterations"],
    "read by no test": [
        *("owens_t_z_alpha", "max_abs_gradient", "hessian_eigenvalues", "multistart_best_logL"),
        *("halfnormal_limit_logL_plus", "halfnormal_limit_logL_minus"),
        "multistart_distinct_optima(logL,xi,omega,alpha)",
    ],
}

text = partial(mp.nstr, n=25)


def compute(file):
    return {
        "sets": [{"points": points(inputs)} for inputs in file["sets"]],
        "owens_t": [{"T": text(owens_t(mp.mpf(inputs["h"]), mp.mpf(inputs["a"])))} for inputs in file["owens_t"]],
        "centred": [centred(inputs) for inputs in file["centred"]],
        "mle_fits": [fit(inputs) for inputs in file["mle_fits"]],
    }


def points(inputs):
    s = SkewNormal(inputs["xi"], inputs["omega"], inputs["alpha"])
    return [point(s, mp.mpf(entry["x"])) for entry in inputs["points"]]


def point(s, x):
    pdf, (lower, upper) = s.pdf(x), s.tails(x)
    return {
        "pdf": text(pdf),
        "cdf": text(lower),
        "sf": text(upper),
        "log_pdf": text(mp.log(pdf)),
        "log_cdf": text(mp.log(lower) if lower < upper else mp.log1p(-upper)),
        "log_sf": text(mp.log(upper) if upper < lower else mp.log1p(-lower)),
    }


def owens_t(h, a):
    if a == 0:
        return mp.zero
    # Beyond 17/h the integrand is negligible.
    end = min(abs(a), 17 / abs(h)) if h else abs(a)
    panels = Panels(
        lambda panel: [[mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t) for t in panel.points]], mp.zero, end
    )
    return mp.sign(a) * panels.integral(panels.columns[0]) / (2 * mp.pi)


def centred(inputs):
    s = SkewNormal.centred(inputs["mean"], inputs["sd"], inputs["shape"])
    return {
        "xi": text(s.xi),
        "omega": text(s.omega),
        "points": [{"sf": text(s.tails(mp.mpf(entry["x"]))[1])} for entry in inputs["points"]],
    }


def fit(inputs):
    y = [mp.mpf(value) for value in inputs["y"]]
    best = mp.matrix([inputs["R_msn_mle"][parameter] for parameter in ("xi", "omega", "alpha")])
    for _ in range(3):
        _, gradient, hessian = likelihood(y, best)
        best -= mp.lu_solve(hessian, gradient)
    values = (*best, likelihood(y, best)[0])
    return {"mle": dict(zip(("xi", "omega", "alpha", "logL"), (mp.nstr(value, 20) for value in values)))}


def likelihood(y, parameters):
    """The log-likelihood with its gradient and Hessian by ξ, ω and α."""
    xi, omega, alpha = parameters
    terms = []
    for value in y:
        z = (value - xi) / omega
        t = alpha * z
        phi, cdf = mp.exp(-t * t / 2) / ROOT_TWO_PI, mp.erfc(-t / ROOT_TWO) / 2
        # λ = φ(t)/Φ(t) and its derivative; u = −∂ln f/∂z and its derivatives by z and by α.
        ratio = phi / cdf
        slope = -ratio * (t + ratio)
        u, u_z, u_alpha = z - alpha * ratio, 1 - alpha**2 * slope, -ratio - t * slope
        terms.append(
            (
                mp.log(cdf) - z * z / 2,
                u / omega,
                (z * u - 1) / omega,
                z * ratio,
                -u_z / omega**2,
                -(u + z * u_z) / omega**2,
                u_alpha / omega,
                (1 - 2 * z * u - z * z * u_z) / omega**2,
                z * u_alpha / omega,
                z * z * slope,
            )
        )
    value, a, b, c, aa, ab, ac, bb, bc, cc = (mp.fsum(column) for column in zip(*terms))
    log_likelihood = value + len(y) * mp.log(2 / (omega * ROOT_TWO_PI))
    return log_likelihood, mp.matrix([a, b, c]), mp.matrix([[aa, ab, ac], [ab, bb, bc], [ac, bc, cc]])
