"""skew_normal.json: densities, tails, Owen's T and maximum likelihood fits of skew-normals.

    T(h, a) = 1/2π ∫_0^a exp(−h²(1 + t²)/2)/(1 + t²) dt

Tails are integrals of the density. A fit is where the derivatives of the likelihood are 0, found by Newton's steps
from what R's package sn says, which is quoted. Half-normals are the limits for α → ±∞; the most likely one begins at
the outermost datum. The optima that the file lists come from a search in doubles with many starts: the fit and, once,
the normal fit, where the derivatives are 0 as well.
"""

from functools import partial

from mpmath import mp

from comparison import Approximate, Rounding
from distributions import ROOT_TWO, ROOT_TWO_PI, SkewNormal
from integrals import Panels

KEPT = {
    "inputs": ["xi", "omega", "alpha", "x", "h", "a", "mean", "sd", "shape", "n", "y"],
    "words": ["what", "note"],
    "quoted from R": ["R_msn_mle", "R_selm"],
    "rounding errors of the first making": ["check_cdf_vs_integrated_pdf_max_abs_|z|<=6", "check_T(h,1)"],
    "steps of the first making": ["iterations"],
}

SEARCH = "multistart_distinct_optima(logL,xi,omega,alpha)"

text = partial(mp.nstr, n=25)


def made(file):
    return {
        "sets": [{"points": points(given)} for given in file["sets"]],
        "owens_t": [{"T": text(owens_t(mp.mpf(given["h"]), mp.mpf(given["a"])))} for given in file["owens_t"]],
        "centred": [centred(given) for given in file["centred"]],
        "mle_fits": [fit(given) for given in file["mle_fits"]],
    }


def points(given):
    s = SkewNormal(given["xi"], given["omega"], given["alpha"])
    return [point(s, mp.mpf(at["x"])) for at in given["points"]]


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
    # Beyond 17/h the integrand is nothing.
    end = min(abs(a), 17 / abs(h)) if h else abs(a)
    whole = Panels(lambda panel: [[mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t) for t in panel.points]], mp.zero, end)
    return mp.sign(a) * whole.integral(whole.columns[0]) / (2 * mp.pi)


def centred(given):
    s = SkewNormal.centred(given["mean"], given["sd"], given["shape"])
    return {
        "xi": text(s.xi),
        "omega": text(s.omega),
        "points": [{"sf": text(s.tails(mp.mpf(at["x"]))[1])} for at in given["points"]],
    }


def fit(given):
    y = [mp.mpf(value) for value in given["y"]]
    best = mp.matrix([given["R_msn_mle"][parameter] for parameter in ("xi", "omega", "alpha")])
    for _ in range(3):
        _, gradient, hessian = likelihood(y, best)
        best -= mp.lu_solve(hessian, gradient)
    log_likelihood, gradient, hessian = likelihood(y, best)
    # By ln ω instead of ω, where the gradient is 0.
    scale = mp.diag([1, best[1], 1])
    curvature = mp.eigsy(scale * hessian * scale, eigvals_only=True)
    optima = [[nearly(log_likelihood, 1e-13), *(nearly(value, 1e-6) for value in best)]]
    if len(given[SEARCH]) > 1:
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
        "halfnormal_limit_logL_plus": nearly(half_normal(y, min(y)), 1e-15),
        "halfnormal_limit_logL_minus": nearly(half_normal(y, max(y)), 1e-15),
        "multistart_best_logL": optima[0][0],
        SEARCH: optima,
    }


def nearly(value, error):
    return Approximate(value, error * max(abs(value), 1))


def normal_optimum(y):
    """The normal fit, near which the search stopped."""
    mean = mp.fsum(y) / len(y)
    fit = [mean, mp.sqrt(mp.fsum((value - mean) ** 2 for value in y) / len(y)), mp.zero]
    return [nearly(likelihood(y, fit)[0], 1e-8), *(nearly(value, 1e-4) for value in fit)]


def half_normal(y, end):
    """The log-likelihood of the half-normal that begins at `end`."""
    square = mp.fsum((value - end) ** 2 for value in y) / len(y)
    return len(y) * (mp.log(2 / (mp.pi * square)) - 1) / 2


def likelihood(y, parameters):
    """The log-likelihood with its first and second derivatives by ξ, ω and α."""
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
