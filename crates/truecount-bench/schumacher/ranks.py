"""The methods in order, beside the order in Schumacher, Strohmaier and Lemmerich (2025): tables in Markdown.

    python ranks.py ESTIMATES.csv      as estimates.py writes it

Errors are the paper's: AE is the sum of both classes' absolute errors, 2 |α̂ − α|; NKLD is 2 e^K/(1 + e^K) − 1 of K = Σ p log₂(p/p̂), shares
smoothed with ε = 1e-8. Mean ranks are over the sets, of each set's mean error, as in the paper's diagrams, with Friedman's test
and Nemenyi's critical difference. The paper prints methods in the order of the median AE over all settings; PAPER is the order in
which they stand in the figures of its published notebook.

Where a method refuses, as Adjusted Count does where both rates are the same, it is given Classify & Count's answer: that is what the
paper's Adjusted Count does then. Where all refuse, as the labelled positives have the lower scores, the sample is left out.
"""

import sys

import numpy as np
import pandas as pd
from scipy import stats

KEY = ["data", "share", "training", "seed", "n", "test", "truth"]
EPSILON = 1e-8
LEVEL = 0.05
FEW = 0.1
OURS = "es"

# Ours, and what the paper calls it.
NAMES = {
    "dys scaled": "HDy", "ms2": "MS", "mm": "FMM", "dys-topsoe": "DyS", "friedman": "FM", "pacc": "PAC", "x": "TSX", "max": "TSMax",
    "t50": "TS50", "sld": "EM", "ac": "AC", "cc": "CC", "pcc": "PCC",
}  # fmt: skip
# Without those that truecount does not have, and GPAC and GAC, which for two classes are PAC and AC.
PAPER = {
    "all": "HDy MS FMM DyS FM PAC TSX TSMax TS50 EM AC CC PCC",
    "low shift": "PAC HDy MS DyS TSMax EM TSX FM FMM TS50 AC PCC CC",
    "medium shift": "HDy MS DyS PAC FMM TSMax TSX FM TS50 EM AC CC PCC",
    "high shift": "FMM HDy MS FM TSX DyS TSMax PAC TS50 EM AC PCC CC",
    "few labels": "MS HDy FMM FM TSX TSMax PAC DyS TS50 EM AC PCC CC",
}


def settings(table):
    """Which rows each of the paper's figures is of."""
    percent = ((table["training"] - table["test"]).abs() * 100).round()
    return {
        "all": percent >= 0,
        "low shift": percent < 20,
        "medium shift": (percent >= 20) & (percent < 40),
        "high shift": percent > 40,
        "few labels": table["share"] == FEW,
    }


def nkld(truth, estimate):
    """The paper's normalised Kullback-Leibler divergence."""
    smooth = lambda share: (EPSILON + share) / (2 * EPSILON + 1)
    terms = [smooth(p) * np.log2(smooth(p) / smooth(q)) for p, q in ((truth, estimate), (1 - truth, 1 - estimate))]
    return np.maximum(np.tanh(sum(terms) / 2), 0)


class Ranks:
    """Mean ranks over sets by mean error, on how many sets each is first and OURS is ahead of it, Friedman's p-value and Nemenyi's
    critical difference.
    """

    def __init__(self, errors, data):
        means = errors.groupby(data).mean()
        ranks = means.rank(axis=1)
        n, k = means.shape
        self.mean, self.first = ranks.mean(), (means.T == means.min(axis=1)).T.sum()
        self.ahead = (means.T > means[OURS]).T.sum() if OURS in means else None
        self.p = stats.friedmanchisquare(*(means[method] for method in means)).pvalue
        self.critical = stats.studentized_range.ppf(1 - LEVEL, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = pd.read_csv(sys.argv[1])
    methods = [column for column in table if column not in KEY]
    answered = table["cc"].notna()
    refused = table.loc[answered, methods].isna().mean()
    table = table[answered].reset_index(drop=True)
    estimates = table[methods].apply(lambda column: column.fillna(table["cc"]))
    truth = table["truth"].to_numpy()[:, None]
    ae = 2 * (estimates - truth).abs()
    divergence = nkld(truth, estimates)

    data = table["data"]
    print(f"{len(table)} samples of {data.nunique()} sets; {(~answered).sum()} more where all methods refuse\n")
    shared = [method for method in NAMES if method in methods]
    of_shared, of_all = Ranks(ae[shared], data), Ranks(ae, data)
    of_nkld = Ranks(divergence, data)
    place = {name: number for number, name in enumerate(PAPER["all"].split(), 1)}
    print(
        "| method | the paper's | its place | median AE | mean AE | rank among the paper's | first | rank | rank by NKLD | refused | `es` nearer |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for method in ae.median().sort_values().index:
        name = NAMES.get(method, "–")
        theirs = f"{of_shared.mean[method]:.1f} | {of_shared.first[method]}" if method in shared else "– | –"
        errors = f"{ae[method].median():.4f} | {ae[method].mean():.4f}"
        ranks = f"{of_all.mean[method]:.1f} | {of_nkld.mean[method]:.1f}"
        print(
            f"| `{method}` | {name} | {place.get(name, '–')} | {errors} | {theirs} | {ranks} | {refused[method]:.1%} | {of_all.ahead[method]} |"
        )
    for what, ranks in (("the paper's", of_shared), ("all", of_all), ("all, NKLD", of_nkld)):
        print(f"\n{what}: Friedman's p {ranks.p:.1g}, critical difference {ranks.critical:.2f}")

    print("\n| settings | samples | Kendall τ | Spearman ρ | order by median AE |")
    print("|---|---|---|---|---|")
    for what, rows in settings(table).items():
        order = [name for name in PAPER[what].split() if name in {NAMES[method] for method in shared}]
        theirs = [order.index(NAMES[method]) for method in shared]
        medians = ae.loc[rows, shared].median()
        tau, rho = (statistic(theirs, medians).statistic for statistic in (stats.kendalltau, stats.spearmanr))
        ours = " ".join(NAMES[method] for method in medians.sort_values().index)
        print(f"| {what} | {rows.sum()} | {tau:.2f} | {rho:.2f} | {ours} |")


if __name__ == "__main__":
    main()
