"""multiclass.json: shares of several classes, by calibrated maximum likelihood and three other methods.

`labelled` and `test` are rows of probabilities, which are divided by their sums, and `labels` the
classes of the labelled rows. With z = log max(p, c) less the means of the labelled rows, x = (z, 1), and W
of shape (K + 1, K), W₀ = I over the means of log max(p, c):

    log P(k | x) = x·W_k − log Σ_j exp(x·W_j)
    Ŵ = argmax Σ_i log P(y_i | x_i) − ½λ Σ_jk v_j (W_jk − tδ_jk)² − ½ 0.1 Σ_j v_j (t − 1)² − ½ 1e-4 Σ_k (W − W₀)²_Kk,
        v_j = Var z_j + 1e-9,    t = Σ_j v_j W_jj / Σ_j v_j
    λ = argmax of E(λ, c) = that maximum + ½ K² log λ + ½ K Σ_j log v_j − ½ log det H, H the negative Hessian
    c = argmax of E(1, c) − ½ log10 c
    r_k = P(k | x) n/n_k,    π̂ = argmax Σ log Σ_k π_k r_k,    V = T/n − (diag π − ππᵀ)/n + J V_W Jᵀ + d dᵀ

T and J are at shares of at least half a row: T is the inverse of the information of the first K − 1
shares, J = −∂²ℓ/∂π² ⁻¹ ∂²ℓ/∂π∂W, and V_W = H⁻¹ less 1/n_k for the intercepts. The variances are for
the sample; `population` leaves out the second term. Sums over rows of the mixture are sums over test
and labelled rows with the weights n m/(n m + Σ_k n_k r_k), m = Σ_k π_k r_k. With A = r/m of labelled rows,
d = T Σ_j π_j (Σ_i P(j | x_i) A_i / Σ_i P(j | x_i) − mean of A among the rows of class j). SLD has
r_k = p_k n/n_k, no J and no d. The means of
probabilities (`pacc`) or of the indicators of the largest one (`ac`) give π̂ = M⁻¹h̄ and
V = M⁻¹ Σ_k (π_k/n + π_k²/n_k) S_k M⁻ᵀ; a case has these only if no share is negative.
"""

from mpmath import mp, mpf

NOT_RECOMPUTED = {"inputs": ["labelled", "labels", "test"], "words": ["what"]}
RIDGES = [10, 3, 1, mpf(3) / 10, mpf(1) / 10]
SLOPE_RIDGE = mpf(1) / 10
FLOORS = ["1e-6", "1e-4", "1e-3", "1e-2"]


def compute(file):
    return {"cases": [compute_case(inputs) for inputs in file["cases"]]}


def compute_case(inputs):
    labelled, test = ([normalised(row) for row in inputs[name]] for name in ("labelled", "test"))
    labels, classes = inputs["labels"], range(len(test[0]))
    counts = [labels.count(k) for k in classes]
    shares = [mpf(count) / len(labels) for count in counts]

    def evidence(floor):
        return fit(*centred(labelled, floor), labels, 1)[0] - mp.log10(floor) / 2

    floor = max(map(mpf, FLOORS), key=evidence)
    x, means = centred(labelled, floor)
    ridge, weights, hessian = max((fit(x, means, labels, ridge) for ridge in RIDGES), key=lambda fitted: fitted[0])[1:]
    covariance = hessian**-1
    for k in classes:
        place = len(classes) ** 2 + k
        covariance[place, place] -= 1 / mpf(counts[k])
    x_test = [features(logarithms(row, floor), means) for row in test]
    ratios, labelled_ratios = (
        [[p / share for p, share in zip(softmax(row, weights), shares)] for row in rows] for rows in (x_test, x)
    )
    exact, labelled_exact = (
        [[p / share for p, share in zip(row, shares)] for row in part] for part in (test, labelled)
    )
    values = {
        "ridge": mp.nstr(mpf(ridge), 20),
        "floor": mp.nstr(floor, 20),
        "ml": mixture(
            ratios, labelled_ratios, counts, x_test + x, covariance, ([softmax(row, weights) for row in x], labels)
        ),
        "sld": mixture(exact, labelled_exact, counts),
        "ac": means_method([indicator(row) for row in labelled], labels, [indicator(row) for row in test]),
        "pacc": means_method(labelled, labels, test),
    }
    return {name: value for name, value in values.items() if name in inputs}


def normalised(row):
    return [mpf(p) / mp.fsum(map(mpf, row)) for p in row]


def logarithms(row, floor):
    return [mp.log(max(p, floor)) for p in row]


def centred(rows, floor):
    logs = [logarithms(row, floor) for row in rows]
    means = [mp.fsum(column) / len(logs) for column in zip(*logs)]
    return [features(row, means) for row in logs], means


def features(row, means):
    return [z - mean for z, mean in zip(row, means)] + [mpf(1)]


def indicator(row):
    return [mpf(p == max(row)) for p in row]


def softmax(x, weights):
    powers = [mp.exp(mp.fdot(x, weights[:, k])) for k in range(weights.cols)]
    return [power / mp.fsum(powers) for power in powers]


def fit(x, means, labels, ridge):
    """Returns the criterion, the ridge, the coefficients and the negative Hessian, row by row of W."""
    classes, size = range(len(means)), range(len(means) + 1)
    variances = [mp.fsum(row[j] ** 2 for row in x) / len(x) + mpf("1e-9") for j in classes]
    total = mp.fsum(variances)
    weights = mp.matrix(len(size), len(classes))
    for k in classes:
        weights[k, k], weights[len(classes), k] = 1, means[k]
    places = [(j, k) for j in size for k in classes]

    def slope():
        return mp.fdot(variances, [weights[j, j] for j in classes]) / total

    def penalty_gradient(j, k):
        if j == len(classes):
            return mpf("1e-4") * (weights[j, k] - means[k])
        t = slope()
        return variances[j] * (ridge * (weights[j, k] - (j == k) * t) + (j == k) * SLOPE_RIDGE * (t - 1))

    for _ in range(40):
        p = [softmax(row, weights) for row in x]
        gradient = mp.matrix(
            [
                mp.fsum(row[j] * ((y == k) - q[k]) for row, y, q in zip(x, labels, p)) - penalty_gradient(j, k)
                for j, k in places
            ]
        )
        hessian = mp.matrix(len(places))
        for a, (i, k) in enumerate(places):
            for b, (j, m) in enumerate(places[: a + 1]):
                hessian[a, b] = mp.fsum(row[i] * row[j] * q[k] * ((k == m) - q[m]) for row, q in zip(x, p))
                if i == k and j == m:
                    hessian[a, b] -= (ridge - SLOPE_RIDGE) * variances[i] * variances[j] / total
                hessian[b, a] = hessian[a, b]
            hessian[a, a] += ridge * variances[i] if i < len(classes) else mpf("1e-4")
        step = mp.lu_solve(hessian, gradient)
        if mp.norm(step) < mpf("1e-30"):
            break
        for place, change in zip(places, step):
            weights[place] += change * min(1, 2 / mp.norm(step))
    t = slope()
    value = mp.fsum(mp.log(q[y]) for q, y in zip(p, labels))
    value -= ridge * mp.fsum(variances[j] * (weights[j, k] - (j == k) * t) ** 2 for j in classes for k in classes) / 2
    value -= (
        SLOPE_RIDGE * total * (t - 1) ** 2
        + mpf("1e-4") * mp.fsum((weights[len(classes), k] - means[k]) ** 2 for k in classes)
    ) / 2
    value += (len(classes) * mp.fsum(mp.log(ridge * v) for v in variances) - mp.log(mp.det(hessian))) / 2
    return value, ridge, weights, hessian


def mixture(ratios, labelled, counts, x=None, calibration=None, classified=None):
    n, classes = len(ratios), range(len(ratios[0]))
    shares = maximise(ratios)
    at = [max(share, mpf(1) / (2 * n)) for share in shares]
    at = [share / mp.fsum(at) for share in at]
    pooled = ratios + labelled
    relative = [[r / mp.fdot(row, at) for r in row] for row in pooled]
    weights = [mp.fdot(row, at) / (n * mp.fdot(row, at) + mp.fdot(row, counts)) for row in pooled]
    inner = classes[:-1]
    g = [[row[k] - row[-1] for k in inner] for row in relative]
    information = mp.matrix(
        [[n * mp.fsum(w * row[i] * row[j] for w, row in zip(weights, g)) for j in inner] for i in inner]
    )
    basis = mp.matrix([[mpf(i == j) for j in inner] for i in classes])
    basis[len(inner), :] = mp.matrix([[-1] * len(inner)])
    inverse = information**-1
    population = basis * inverse * basis.T
    if x:
        # ∂(A_k − A_K)/∂ logit_j, A = r/m.
        crossed = mp.matrix(
            [
                [
                    n
                    * mp.fsum(
                        w * z[j] * ((k == m) * a[k] - (m == classes[-1]) * a[-1] - h[k] * at[m] * a[m])
                        for w, z, a, h in zip(weights, x, relative, g)
                    )
                    for j in range(len(x[0]))
                    for m in classes
                ]
                for k in inner
            ]
        )
        jacobian = basis * inverse * crossed
        population += jacobian * calibration * jacobian.T
        probabilities, labels = classified
        moved = mp.matrix(len(inner), 1)
        for j in classes:
            members = [row for row, label in zip(g[n:], labels) if label == j]
            implied = [p[j] for p in probabilities]
            for k in inner:
                moved[k] += at[j] * mp.fdot(implied, [row[k] for row in g[n:]]) / mp.fsum(implied)
                moved[k] -= at[j] * mp.fsum(row[k] for row in members) / len(members)
        moved = basis * inverse * n * moved
        population += moved * moved.T
    drawn = mp.matrix([[((i == j) * at[i] - at[i] * at[j]) / n for j in classes] for i in classes])
    return {"shares": strings(shares), "covariance": rows(population - drawn), "population": rows(population)}


def maximise(ratios):
    """Returns the shares, by expectation maximisation and then Newton's method for those above 0."""
    n, shares = len(ratios), [mpf(1) / len(ratios[0])] * len(ratios[0])
    for _ in range(2000):
        densities = [mp.fdot(row, shares) for row in ratios]
        shares = [
            share * mp.fsum(row[k] / m for row, m in zip(ratios, densities)) / n for k, share in enumerate(shares)
        ]
    free = [k for k, share in enumerate(shares) if share > mpf("1e-4")]
    point = mp.matrix([shares[k] for k in free])
    for _ in range(30):
        relative = [[row[k] / mp.fsum(row[j] * share for j, share in zip(free, point)) for k in free] for row in ratios]
        gradient = mp.matrix([mp.fsum(row[k] for row in relative) / n - 1 for k in range(len(free))])
        hessian = mp.matrix(
            [[mp.fsum(row[i] * row[j] for row in relative) / n for j in range(len(free))] for i in range(len(free))]
        )
        point += mp.lu_solve(hessian, gradient)
    return [point[free.index(k)] if k in free else mpf(0) for k in range(len(shares))]


def means_method(labelled, labels, test):
    n, classes = len(test), range(len(test[0]))
    members = [[row for row, label in zip(labelled, labels) if label == k] for k in classes]
    means = mp.matrix([[mp.fsum(row[j] for row in members[k]) / len(members[k]) for k in classes] for j in classes])
    inverse = means**-1
    shares = inverse * mp.matrix([mp.fsum(column) / n for column in zip(*test)])
    inner = mp.matrix(len(classes))
    for k, rows_of_class in enumerate(members):
        size = len(rows_of_class)
        factor = (shares[k] / n + shares[k] ** 2 / size) / (size - 1)
        for row in rows_of_class:
            deviation = mp.matrix([row[j] - means[j, k] for j in classes])
            inner += factor * deviation * deviation.T
    return {"shares": strings(shares), "covariance": rows(inverse * inner * inverse.T)}


def strings(values):
    return [mp.nstr(value, 20) for value in values]


def rows(matrix):
    return [strings(matrix[i, :]) for i in range(matrix.rows)]
