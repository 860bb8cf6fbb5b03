"""The ranking of the methods, compared with Schumacher, Strohmaier and Lemmerich (2025): tables in Markdown.

    python ranks.py ESTIMATES.csv      the output of estimates.py

The errors are the paper's: AE is the sum of both classes' absolute errors, 2 |α̂ − α|; NKLD is
2 e^K/(1 + e^K) − 1 with K = Σ p log₂(p/p̂) and shares smoothed with ε = 1e-8. Ranks are means over the sets,
by each set's mean error, as in the paper's diagrams, with Friedman's test and Nemenyi's critical difference.
The paper orders methods by the median AE over all settings; PAPER is the order in the figures of its
published notebook.

If a method fails, such as Adjusted Count with equal rates, it gets the answer of Classify & Count, as the
paper's Adjusted Count does. If all methods fail because the labelled positives have the lower scores, the
sample is left out.
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

# Our names of the methods, and the paper's.
NAMES = {
    "dys scaled": "HDy", "ms2": "MS", "mm": "FMM", "dys-topsoe": "DyS", "friedman": "FM", "pacc": "PAC", "x": "TSX", "max": "TSMax",
    "t50": "TS50", "sld": "EM", "ac": "AC", "cc": "CC", "pcc": "PCC",
}  # fmt: skip
# Without methods that truecount does not have, and without GPAC and GAC, which equal PAC and AC for
# two classes.
PAPER = {
    "all": "HDy MS FMM DyS FM PAC TSX TSMax TS50 EM AC CC PCC",
    "low shift": "PAC HDy MS DyS TSMax EM TSX FM FMM TS50 AC PCC CC",
    "medium shift": "HDy MS DyS PAC FMM TSMax TSX FM TS50 EM AC CC PCC",
    "high shift": "FMM HDy MS FM TSX DyS TSMax PAC TS50 EM AC PCC CC",
    "few labels": "MS HDy FMM FM TSX TSMax PAC DyS TS50 EM AC PCC CC",
}


def settings(table):
    """Returns, for each of the paper's figures, which rows it shows."""
    percent = ((table["training"] - table["test"]).abs() * 100).round()
    return {
        "all": percent >= 0,
        "low shift": percent < 20,
        "medium shift": (percent >= 20) & (percent < 40),
        "high shift": percent > 40,
        "few labels": table["share"] == FEW,
    }


def nkld(truth, estimate):
    """Returns the paper's normalised Kullback-Leibler divergence."""
    smooth = lambda share: (EPSILON + share) / (2 * EPSILON + 1)
    terms = [smooth(p) * np.log2(smooth(p) / smooth(q)) for p, q in ((truth, estimate), (1 - truth, 1 - estimate))]
    return np.maximum(np.tanh(sum(terms) / 2), 0)


class Ranks:
    """Mean ranks over sets by mean error, with Friedman's test and Nemenyi's critical difference.

    For each method, `first` is the number of sets on which it is best, and `ahead` the number of sets on which
    OURS is better.
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
    has_estimates = table["cc"].notna()
    failed = table.loc[has_estimates, methods].isna().mean()
    table = table[has_estimates].reset_index(drop=True)
    estimates = table[methods].apply(lambda column: column.fillna(table["cc"]))
    truth = table["truth"].to_numpy()[:, None]
    ae = 2 * (estimates - truth).abs()
    divergence = nkld(truth, estimates)

    data = table["data"]
    print(f"{len(table)} samples of {data.nunique()} sets; {(~has_estimates).sum()} more where all methods refuse\n")
    shared = [method for method in NAMES if method in methods]
    shared_ranks, all_ranks = Ranks(ae[shared], data), Ranks(ae, data)
    nkld_ranks = Ranks(divergence, data)
    paper_rank = {name: number for number, name in enumerate(PAPER["all"].split(), 1)}
    print(
        "| method | the paper's | its place | median AE | mean AE | rank among the paper's | first | rank | rank by NKLD | refused | `es` nearer |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for method in ae.median().sort_values().index:
        name = NAMES.get(method, "–")
        theirs = f"{shared_ranks.mean[method]:.1f} | {shared_ranks.first[method]}" if method in shared else "– | –"
        errors = f"{ae[method].median():.4f} | {ae[method].mean():.4f}"
        ranks = f"{all_ranks.mean[method]:.1f} | {nkld_ranks.mean[method]:.1f}"
        names = f"`{method}` | {name} | {paper_rank.get(name, '–')}"
        print(f"| {names} | {errors} | {theirs} | {ranks} | {failed[method]:.1%} | {all_ranks.ahead[method]} |")
    for methods, ranks in (("the paper's", shared_ranks), ("all", all_ranks), ("all, NKLD", nkld_ranks)):
        print(f"\n{methods}: Friedman's p {ranks.p:.1g}, critical difference {ranks.critical:.2f}")

    print("\n| settings | samples | Kendall τ | Spearman ρ | order by median AE |")
    print("|---|---|---|---|---|")
    for setting, rows in settings(table).items():
        order = [name for name in PAPER[setting].split() if name in {NAMES[method] for method in shared}]
        theirs = [order.index(NAMES[method]) for method in shared]
        medians = ae.loc[rows, shared].median()
        tau, rho = (statistic(theirs, medians).statistic for statistic in (stats.kendalltau, stats.spearmanr))
        ours = " ".join(NAMES[method] for method in medians.sort_values().index)
        print(f"| {setting} | {rows.sum()} | {tau:.2f} | {rho:.2f} | {ours} |")


if __name__ == "__main__":
    main()
