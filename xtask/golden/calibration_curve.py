"""calibration_curve.json: the calibration curve η of class counts p_b and n_b in K bins, and its
smoothing λ.

Let x_b = Φ⁻¹((b + ½)/K), q = λS₃ + κS₂ and logit π_b = η_b + ln(n₊/n₋). The penalty S_r is the sum
of (r!)² times the squared r-th divided differences of η over x, each weighted by its mean spacing.

    η maximises      L(η) = Σ p_b ln π_b + n_b ln(1 − π_b) − ½ ηᵀ(q + ρI)η
    λ maximises      L(η) + ½ ln pdet q − ½ ln det(diag(N_b π_b (1 − π_b)) + q + ρI) + ln λ

The second line is the log evidence by Laplace's approximation. pdet is the product of the non-zero
eigenvalues. The null space of q holds constants and straight lines; with an orthonormal basis N of
it, pdet q = det(q + NNᵀ).
"""

from mpmath import mp

NOT_RECOMPUTED = {"inputs": ["name", "positive", "negative", "kappa", "ridge", "grid"]}


def compute(file):
    kappa, ridge = mp.mpf(1) / 2, mp.mpf(10) ** -3
    grid = [mp.mpf(10) ** (mp.mpf(k) / 2 - 4) for k in range(17)]
    return {"cases": [compute_case(inputs, kappa, ridge, grid) for inputs in file["cases"]]}


def compute_case(inputs, kappa, ridge, grid):
    positive, negative = ([mp.mpf(n) for n in inputs[name]] for name in ("positive", "negative"))
    k = len(positive)
    x = [mp.sqrt(2) * mp.erfinv(2 * (b + mp.mpf(1) / 2) / k - 1) for b in range(k)]
    second, third = penalty(x, 2), penalty(x, 3)
    fits = [fit(positive, negative, x, l, kappa * second + l * third, ridge) for l in grid]
    best = max(range(len(grid)), key=lambda k: fits[k][0])
    return {
        "evidence": [mp.nstr(evidence, 20) for evidence, _ in fits],
        "lambda": float(grid[best]),
        "eta": [mp.nstr(value, 20) for value in fits[best][1]],
    }


def fit(positive, negative, x, l, q, ridge):
    """Log evidence of λ and the curve η that maximises L, by Newton's method."""
    k, offset = len(x), mp.log(sum(positive) / sum(negative))
    eta = mp.matrix(k, 1)
    while True:
        share = [1 / (1 + mp.exp(-(e + offset))) for e in eta]
        weight = [(p + n) * s * (1 - s) for p, n, s in zip(positive, negative, share)]
        slope = [
            p - (p + n) * s - ridge * e - pull for p, n, s, e, pull in zip(positive, negative, share, eta, q * eta)
        ]
        hessian = q + mp.diag([w + ridge for w in weight])
        step = mp.cholesky_solve(hessian, mp.matrix(slope))
        eta += mp.matrix([min(max(s, mp.mpf(-3)), mp.mpf(3)) for s in step])
        if max(abs(s) for s in step) < mp.mpf(10) ** -25:
            break
    likelihood = sum(p * mp.log(s) + n * mp.log(1 - s) for p, n, s in zip(positive, negative, share))
    roughness = (eta.T * (q * eta))[0] + ridge * sum(e * e for e in eta)
    determinants = mp.log(pseudo_determinant(q, x)) - mp.log(mp.det(hessian))
    return likelihood - roughness / 2 + determinants / 2 + mp.log(l), eta


def penalty(x, order):
    """The matrix S_r for r = `order`."""
    k = len(x)
    rows = [[mp.mpf(int(i == j)) for j in range(k)] for i in range(k)]
    for r in range(1, order + 1):
        rows = [[(b - a) / (x[i + r] - x[i]) * r for a, b in zip(rows[i], rows[i + 1])] for i in range(max(0, k - r))]
    spacing = [(x[i + order] - x[i]) / order for i in range(max(0, k - order))]
    matrix = mp.matrix(k)
    for row, width in zip(rows, spacing):
        nonzero = [j for j in range(k) if row[j] != 0]
        for i in nonzero:
            for j in nonzero:
                matrix[i, j] += row[i] * row[j] * width
    return matrix


def pseudo_determinant(q, x):
    """Product of the non-zero eigenvalues of q."""
    k = len(x)
    centre = sum(x) / k
    ones, line = mp.ones(k, 1), mp.matrix([v - centre for v in x])
    return mp.det(q + ones * ones.T / k + line * line.T / (line.T * line)[0])
