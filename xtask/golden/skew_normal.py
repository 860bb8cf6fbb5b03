"""skew_normal.json: densities, tails, Owen's T and maximum likelihood fits of skew-normals.

    T(h, a) = 1/2π ∫_0^a exp(−h²(1 + t²)/2)/(1 + t²) dt

Tails are integrals of the density. A fit is the zero of the likelihood's gradient, by Newton's
method from the quoted result of the R package sn. Half-normals are the limits for α → ±∞; the
likelihood is largest for the one that begins at the outermost datum. The file's list of optima
comes from a search in doubles with many starts: the fit and, in one case, the normal fit, where the
gradient is 0 as well.
"""

from functools import partial

from mpmath import mp

from comparison import Approximate, Rounding
from distributions import ROOT_TWO, ROOT_TWO_PI, SkewNormal
from integrals import Panels

NOT_RECOMPUTED = {
    "inputs": ["xi", "omega", "alpha", "x", "h", "a", "mean", "sd", "shape", "n", "y"],
    "words": ["what", "note"],
    "quoted from R": ["R_msn_mle", "R_selm"],
    "rounding errors of the first making": ["check_cdf_vs_integrated_pdf_max_abs_|z|<=6", "check_T(h,1)"],
    "steps of the first making": ["iterations"],
}

SEARCH = "multistart_distinct_optima(logL,xi,omega,alpha)"

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
        "owens_t_z_alpha": text(owens_t((x - s.xi) / s.omega, s.alpha)),
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
    log_likelihood, gradient, hessian = likelihood(y, best)
    # The Hessian by ln ω instead of ω: scaling is enough, as the gradient is 0 here.
    scale = mp.diag([1, best[1], 1])
    curvature = mp.eigsy(scale * hessian * scale, eigvals_only=True)
    optima = [[approximate(log_likelihood, 1e-13), *(approximate(value, 1e-6) for value in best)]]
    if len(inputs[SEARCH]) > 1:
        optima.append(normal_optimum(y))
    xi, omega, alpha, log_likelihood = (mp.nstr(value, 20) for value in (*best, log_likelihood))
    return {
        "mle": {
            "xi": xi,
            "omega": omega,
            "alpha": alpha,
            "logL": log_likelihood,
            "max_abs_gradient": Rounding(max(map(abs, gradient))),
            "hessian_eigenvalues": [float(value) for value in curvature],
        },
        "halfnormal_limit_logL_plus": approximate(half_normal(y, min(y)), 1e-15),
        "halfnormal_limit_logL_minus": approximate(half_normal(y, max(y)), 1e-15),
        "multistart_best_logL": optima[0][0],
        SEARCH: optima,
    }


def approximate(value, error):
    """Returns a value with the tolerance `error` relative to max(|value|, 1)."""
    return Approximate(value, error * max(abs(value), 1))


def normal_optimum(y):
    """The normal fit, near which the search stopped."""
    mean = mp.fsum(y) / len(y)
    fit = [mean, mp.sqrt(mp.fsum((value - mean) ** 2 for value in y) / len(y)), mp.zero]
    return [approximate(likelihood(y, fit)[0], 1e-8), *(approximate(value, 1e-4) for value in fit)]


def half_normal(y, end):
    """The log-likelihood of the half-normal that begins at `end`."""
    square = mp.fsum((value - end) ** 2 for value in y) / len(y)
    return len(y) * (mp.log(2 / (mp.pi * square)) - 1) / 2


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
