"""two_sample_score.json: the efficient score of two samples, for densities on a few bins.

`positive` and `negative` are the numbers of labelled scores in the bins, and f⁺ and f⁻ their shares.
For n new scores with the prevalence α and n₊ and n₋ labelled scores, let

    c₊ = α/n + α²/n₊,    c₋ = (1−α)/n + (1−α)²/n₋,    q = c₊/(c₊ + c₋)
    ψ = (f⁺ − f⁻)/(q f⁺ + (1−q) f⁻)
    V = [c₊ Var₊(ψ) + c₋ Var₋(ψ)]/(E₊ψ − E₋ψ)²

with the sample variances of the labelled scores, whose divisors are n₊ − 1 and n₋ − 1. `bound` is
the smallest V of any function of the bin, with the divisors n₊ and n₋: it is 1/(dᵀC⁻¹d) with
C = c₊ Cov₊ + c₋ Cov₋ and d = f⁺ − f⁻, for the indicators of all bins but the last.
"""

from mpmath import mp, mpf

NOT_RECOMPUTED = {"inputs": ["positive", "negative", "alpha", "n"], "words": ["what"]}


def compute(file):
    return {"cases": [compute_case(inputs) for inputs in file["cases"]]}


def compute_case(inputs):
    counts = [[mpf(count) for count in inputs[name]] for name in ("positive", "negative")]
    sizes = [sum(class_counts) for class_counts in counts]
    shares = [[count / size for count in class_counts] for class_counts, size in zip(counts, sizes)]
    alpha, n = mpf(inputs["alpha"]), mpf(inputs["n"])
    factors = [share / n + share**2 / size for share, size in zip((alpha, 1 - alpha), sizes)]
    q = factors[0] / sum(factors)
    psi = [(p - m) / (q * p + (1 - q) * m) for p, m in zip(*shares)]
    means = [sum(h * value for h, value in zip(class_shares, psi)) for class_shares in shares]
    variances = [
        sum(h * (value - mean) ** 2 for h, value in zip(class_shares, psi)) * size / (size - 1)
        for class_shares, mean, size in zip(shares, means, sizes)
    ]
    variance = sum(c * v for c, v in zip(factors, variances)) / (means[0] - means[1]) ** 2
    return {
        "share": mp.nstr(q, 20),
        "psi": [mp.nstr(value, 20) for value in psi],
        "variance": mp.nstr(variance, 20),
        "bound": mp.nstr(bound(shares, factors), 20),
    }


def bound(shares, factors):
    """The smallest variance of any function of the bin."""
    rows = range(len(shares[0]) - 1)
    covariance = mp.matrix(len(rows))
    for i in rows:
        for j in rows:
            covariance[i, j] = sum(c * ((h[i] if i == j else 0) - h[i] * h[j]) for c, h in zip(factors, shares))
    difference = mp.matrix([shares[0][i] - shares[1][i] for i in rows])
    return 1 / (difference.T * mp.lu_solve(covariance, difference))[0]
