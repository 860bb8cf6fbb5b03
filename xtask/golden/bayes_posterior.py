"""bayes_posterior.json: exact posterior distributions given binned counts.

Bin b holds a_b labelled positives, d_b labelled negatives and c_b test scores. A score falls into
it with probability p⁺_b or p⁻_b, by class. The priors of p⁺, p⁻ and α are uniform. The generating
variable s counts the positives Z among the n test scores. The joint posterior of p⁺, p⁻, α and Z is
proportional to

    Π_b (p⁺_b)^a_b (p⁻_b)^d_b (α p⁺_b s + (1 − α) p⁻_b)^c_b

This is a polynomial in α and in the stick-breaking variables of p⁺ and p⁻, so that Gaussian
quadrature with enough nodes is exact. In a population of N, each of the other N − n members is
positive with probability α; T counts the positives in the population. The p-quantile of a discrete
distribution is the smallest value k with P(X ≤ k) ≥ p.
"""

from itertools import product

from mpmath import mp, mpf

NOT_RECOMPUTED = {
    "inputs": "name method scores labels cutoff test positives negatives counts size level".split(),
    "words": ["what"],
}


def compute(file):
    return {"cases": [compute_case(inputs) for inputs in file["cases"]]}


def gauss_legendre(count):
    """Nodes and weights of Gauss-Legendre quadrature on [0, 1], exact up to degree 2 count − 1."""
    rule = []
    for k in range(1, count + 1):
        x = mp.cos(mp.pi * (k - mpf(1) / 4) / (count + mpf(1) / 2))
        for _ in range(8):
            slope = count * (mp.legendre(count - 1, x) - x * mp.legendre(count, x)) / (1 - x * x)
            x -= mp.legendre(count, x) / slope
        rule.append(((1 + x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return rule


def weighted_probabilities(bins, labelled, n):
    """Yields quadrature nodes for the bin probabilities of a class, with weights, by stick
    breaking.

    A weight is the quadrature weight under the uniform prior times the likelihood of the `labelled`
    counts.
    """
    rule = gauss_legendre((sum(labelled) + n + bins) // 2 + 1)
    for sticks in product(rule, repeat=bins - 1):
        rest, weight, probabilities = mpf(1), mpf(1), []
        for k, (x, w) in enumerate(sticks):
            weight *= w * (1 - x) ** (bins - 2 - k)
            probabilities.append(rest * x)
            rest *= 1 - x
        probabilities.append(rest)
        yield probabilities, weight * mp.fprod(p**a for p, a in zip(probabilities, labelled))


def multiply_linear(polynomial, factor):
    """Returns the coefficients of a polynomial times factor[0] + factor[1] s."""
    product_coefficients = [mpf(0)] * (len(polynomial) + 1)
    for k, coefficient in enumerate(polynomial):
        product_coefficients[k] += coefficient * factor[0]
        product_coefficients[k + 1] += coefficient * factor[1]
    return product_coefficients


def compute_case(inputs):
    a, d, c, size = inputs["positives"], inputs["negatives"], inputs["counts"], inputs["size"]
    n = sum(c)
    pairs = [
        (p, q, v * w) for p, v in weighted_probabilities(len(c), a, n) for q, w in weighted_probabilities(len(c), d, n)
    ]
    # At each node of α, the unnormalised probabilities of Z = 0, …, n times the node's weight.
    joint, rule = [], gauss_legendre(max(size // 2, n) + 2)
    for alpha, weight in rule:
        z_weights = [mpf(0)] * (n + 1)
        for p, q, w in pairs:
            polynomial = [weight * w]
            for p_b, q_b, c_b in zip(p, q, c):
                for _ in range(c_b):
                    polynomial = multiply_linear(polynomial, ((1 - alpha) * q_b, alpha * p_b))
            z_weights = [x + y for x, y in zip(z_weights, polynomial)]
        joint.append((alpha, z_weights))
    total = mp.fsum(x for _, z_weights in joint for x in z_weights)
    z_pmf = [mp.fsum(z_weights[k] for _, z_weights in joint) / total for k in range(n + 1)]
    t_pmf = [mpf(0)] * (size + 1)
    for alpha, z_weights in joint:
        rest = [mp.binomial(size - n, m) * alpha**m * (1 - alpha) ** (size - n - m) for m in range(size - n + 1)]
        for k, x in enumerate(z_weights):
            for m, y in enumerate(rest):
                t_pmf[k + m] += x * y / total
    # The density of α is a polynomial of degree n, interpolated from n + 1 nodes.
    mean = mp.fsum(alpha * mp.fsum(x) for alpha, x in joint) / total
    square = mp.fsum(alpha**2 * mp.fsum(x) for alpha, x in joint) / total
    density = [(alpha, mp.fsum(x) / w / total) for (alpha, x), (_, w) in zip(joint, rule)][: n + 1]

    def pdf(x):
        value = mpf(0)
        for i, (x_i, y) in enumerate(density):
            value += y * mp.fprod((x - x_j) / (x_i - x_j) for j, (x_j, _) in enumerate(density) if j != i)
        return value

    def cdf(x):
        return mp.fsum(x * w * pdf(x * y) for y, w in rule)

    def count_quantile(pmf, p):
        return next(k for k in range(len(pmf)) if mp.fsum(pmf[: k + 1]) >= p) / mpf(len(pmf) - 1)

    def mean_and_sd(pmf):
        values = [mpf(k) / (len(pmf) - 1) for k in range(len(pmf))]
        centre = mp.fsum(x * y for x, y in zip(values, pmf))
        return centre, mp.sqrt(mp.fsum((x - centre) ** 2 * y for x, y in zip(values, pmf)))

    tails = [(1 - mpf(str(inputs["level"]))) / 2, (1 + mpf(str(inputs["level"]))) / 2]
    (sample_mean, sample_sd), (_, finite_sd) = mean_and_sd(z_pmf), mean_and_sd(t_pmf)

    def quantile(p):
        return mp.findroot(lambda x: cdf(x) - p, (0.001, 0.999), solver="anderson", tol=1e-40)

    def text(values):
        return [mp.nstr(value, 25) for value in values]

    return {
        "estimate": mp.nstr(mean if inputs["method"] == "bcc" else sample_mean, 25),
        "sample": text([sample_sd, *(count_quantile(z_pmf, p) for p in tails)]),
        "population": text([mp.sqrt(square - mean**2), *(quantile(p) for p in tails)]),
        "finite": text([finite_sd, *(count_quantile(t_pmf, p) for p in tails)]),
    }
