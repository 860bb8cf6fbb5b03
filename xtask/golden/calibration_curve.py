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
    fits = [fit(positive, negative, x, l, scaled(kappa, second), scaled(l, third), ridge) for l in grid]
    best = max(range(len(grid)), key=lambda k: fits[k][0])
    return {
        "evidence": [mp.nstr(evidence, 20) for evidence, _ in fits],
        "lambda": float(grid[best]),
        "eta": [mp.nstr(value, 20) for value in fits[best][1]],
    }


def fit(positive, negative, x, l, second, third, ridge):
    """Log evidence of λ and the curve η that maximises L, by Newton's method."""
    k, offset = len(x), mp.log(sum(positive) / sum(negative))
    q = [[(second[i][j] + third[i][j]) for j in range(k)] for i in range(k)]
    eta = [mp.mpf(0)] * k
    while True:
        share = [1 / (1 + mp.exp(-(e + offset))) for e in eta]
        weight = [(p + n) * s * (1 - s) for p, n, s in zip(positive, negative, share)]
        slope = [
            p - (p + n) * s - ridge * eta[b] - sum(q[b][j] * eta[j] for j in band(b, k))
            for b, (p, n, s) in enumerate(zip(positive, negative, share))
        ]
        factor = ldl_factor([[q[i][j] + (weight[i] + ridge if i == j else 0) for j in range(k)] for i in range(k)])
        step = ldl_solve(factor, slope)
        eta = [e + min(max(s, mp.mpf(-3)), mp.mpf(3)) for e, s in zip(eta, step)]
        if max(abs(s) for s in step) < mp.mpf(10) ** -25:
            break
    likelihood = sum(p * mp.log(s) + n * mp.log(1 - s) for p, n, s in zip(positive, negative, share))
    roughness = sum(eta[i] * (q[i][j] * eta[j]) for i in range(k) for j in band(i, k)) + ridge * sum(e * e for e in eta)
    return (
        likelihood
        - roughness / 2
        + mp.log(pseudo_determinant(q, x)) / 2
        - sum(mp.log(d) for d in factor[1]) / 2
        + mp.log(l),
        eta,
    )


def band(i, k):
    """Columns of row i that can be non-zero in a k × k matrix of bandwidth 3."""
    return range(max(0, i - 3), min(k, i + 4))


def scaled(factor, matrix):
    return [[factor * value for value in row] for row in matrix]


def penalty(x, order):
    """The matrix S_r for r = `order`."""
    k = len(x)
    rows = [[mp.mpf(int(i == j)) for j in range(k)] for i in range(k)]
    for r in range(1, order + 1):
        rows = [[(b - a) / (x[i + r] - x[i]) * r for a, b in zip(rows[i], rows[i + 1])] for i in range(max(0, k - r))]
    spacing = [(x[i + order] - x[i]) / order for i in range(max(0, k - order))]
    matrix = [[mp.mpf(0)] * k for _ in range(k)]
    for row, width in zip(rows, spacing):
        nonzero = [j for j in range(k) if row[j] != 0]
        for i in nonzero:
            for j in nonzero:
                matrix[i][j] += row[i] * row[j] * width
    return matrix


def pseudo_determinant(q, x):
    """Product of the non-zero eigenvalues of q."""
    k = len(x)
    ones, centre = [1 / mp.sqrt(k)] * k, sum(x) / k
    length = mp.sqrt(sum((v - centre) ** 2 for v in x))
    line = [(v - centre) / length for v in x]
    return mp.det(mp.matrix([[q[i][j] + ones[i] * ones[j] + line[i] * line[j] for j in range(k)] for i in range(k)]))


def ldl_factor(matrix):
    """Factors L and D of LDLᵀ, for a matrix with three diagonals on either side of the main one."""
    k = len(matrix)
    lower, diagonal = [[mp.mpf(0)] * k for _ in range(k)], []
    for j in range(k):
        diagonal.append(matrix[j][j] - sum(lower[j][m] ** 2 * diagonal[m] for m in range(max(0, j - 3), j)))
        for i in range(j + 1, min(k, j + 4)):
            known = sum(lower[i][m] * lower[j][m] * diagonal[m] for m in range(max(0, i - 3), j))
            lower[i][j] = (matrix[i][j] - known) / diagonal[j]
    return lower, diagonal


def ldl_solve(factor, right):
    """Solves LDLᵀ y = right."""
    lower, diagonal = factor
    k, y = len(right), list(right)
    for i in range(k):
        y[i] -= sum(lower[i][j] * y[j] for j in range(max(0, i - 3), i))
    y = [value / d for value, d in zip(y, diagonal)]
    for i in reversed(range(k)):
        y[i] -= sum(lower[j][i] * y[j] for j in range(i + 1, min(k, i + 4)))
    return y
