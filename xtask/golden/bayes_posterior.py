"""bayes_posterior.json: posterior distributions given counts in bins, by integrating the likelihood itself.

With a and d the labelled positives and negatives of each bin, c the test scores, p⁺ and p⁻ the classes' chances of the bins, and a
generating variable s that counts the positives Z among the n test scores, the posterior of p⁺, p⁻, α and Z is in proportion to

    Π_b (p⁺_b)^a_b (p⁻_b)^d_b (α p⁺_b s + (1 − α) p⁻_b)^c_b          each of p⁺, p⁻ and α uniform

which is a polynomial in the sticks that p⁺ and p⁻ are broken from and in α, so that Gauss's rule of enough nodes is exact. Of a population of
N the other N − n are positive with probability α each, and T counts its positives. Quantiles are the least value with no less than that
probability of it or less.
"""

from itertools import product

from mpmath import mp, mpf

KEPT = {
    "inputs": [
        "name",
        "method",
        "scores",
        "labels",
        "cutoff",
        "test",
        "positives",
        "negatives",
        "counts",
        "size",
        "level",
    ],
    "words": ["what"],
}


def made(file):
    return {"cases": [case(given) for given in file["cases"]]}


def nodes(count):
    """Of Gauss's rule on [0, 1], exact up to degree 2 count − 1: the roots of Legendre's polynomial and their weights."""
    found = []
    for k in range(1, count + 1):
        x = mp.cos(mp.pi * (k - mpf(1) / 4) / (count + mpf(1) / 2))
        for _ in range(8):
            slope = count * (mp.legendre(count - 1, x) - x * mp.legendre(count, x)) / (1 - x * x)
            x -= mp.legendre(count, x) / slope
        found.append(((1 + x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return found


def broken(bins, labelled, n):
    """Chances of so many bins, uniform over all there are, each with its weight times that of the labelled counts."""
    rule = nodes((sum(labelled) + n + bins) // 2 + 1)
    for sticks in product(rule, repeat=bins - 1):
        rest, weight, chances = mpf(1), mpf(1), []
        for k, (x, w) in enumerate(sticks):
            weight *= w * (1 - x) ** (bins - 2 - k)
            chances.append(rest * x)
            rest *= 1 - x
        chances.append(rest)
        yield chances, weight * mp.fprod(p**a for p, a in zip(chances, labelled))


def times(polynomial, factor):
    found = [mpf(0)] * (len(polynomial) + 1)
    for k, coefficient in enumerate(polynomial):
        found[k] += coefficient * factor[0]
        found[k + 1] += coefficient * factor[1]
    return found


def case(given):
    a, d, c, size = given["positives"], given["negatives"], given["counts"], given["size"]
    n = sum(c)
    pairs = [(p, q, v * w) for p, v in broken(len(c), a, n) for q, w in broken(len(c), d, n)]
    # By α, with its weight: the weights of each Z.
    joint, rule = [], nodes(max(size // 2, n) + 2)
    for alpha, weight in rule:
        of_z = [mpf(0)] * (n + 1)
        for p, q, w in pairs:
            polynomial = [weight * w]
            for p_b, q_b, c_b in zip(p, q, c):
                for _ in range(c_b):
                    polynomial = times(polynomial, ((1 - alpha) * q_b, alpha * p_b))
            of_z = [x + y for x, y in zip(of_z, polynomial)]
        joint.append((alpha, of_z))
    total = mp.fsum(x for _, of_z in joint for x in of_z)
    of_z = [mp.fsum(of[k] for _, of in joint) / total for k in range(n + 1)]
    of_t = [mpf(0)] * (size + 1)
    for alpha, weights in joint:
        rest = [mp.binomial(size - n, m) * alpha**m * (1 - alpha) ** (size - n - m) for m in range(size - n + 1)]
        for k, x in enumerate(weights):
            for m, y in enumerate(rest):
                of_t[k + m] += x * y / total
    # The density of α is a polynomial of degree n, by Lagrange.
    mean = mp.fsum(alpha * mp.fsum(x) for alpha, x in joint) / total
    square = mp.fsum(alpha**2 * mp.fsum(x) for alpha, x in joint) / total
    density = [(alpha, mp.fsum(x) / w / total) for (alpha, x), (_, w) in zip(joint, rule)][: n + 1]

    def at(x):
        value = mpf(0)
        for i, (x_i, y) in enumerate(density):
            value += y * mp.fprod((x - x_j) / (x_i - x_j) for j, (x_j, _) in enumerate(density) if j != i)
        return value

    def up_to(x):
        return mp.fsum(x * w * at(x * y) for y, w in rule)

    def least(shares, p):
        return next(k for k in range(len(shares)) if mp.fsum(shares[: k + 1]) >= p) / mpf(len(shares) - 1)

    def deviation(shares):
        values = [mpf(k) / (len(shares) - 1) for k in range(len(shares))]
        about = mp.fsum(x * y for x, y in zip(values, shares))
        return about, mp.sqrt(mp.fsum((x - about) ** 2 * y for x, y in zip(values, shares)))

    tails = [(1 - mpf(str(given["level"]))) / 2, (1 + mpf(str(given["level"]))) / 2]
    (sample, of_sample), (_, of_finite) = deviation(of_z), deviation(of_t)

    def quantile(p):
        return mp.findroot(lambda x: up_to(x) - p, (0.001, 0.999), solver="anderson", tol=1e-40)

    def text(values):
        return [mp.nstr(value, 25) for value in values]

    return {
        "estimate": mp.nstr(mean if given["method"] == "bcc" else sample, 25),
        "sample": text([of_sample, *(least(of_z, p) for p in tails)]),
        "population": text([mp.sqrt(square - mean**2), *(quantile(p) for p in tails)]),
        "finite": text([of_finite, *(least(of_t, p) for p in tails)]),
    }
