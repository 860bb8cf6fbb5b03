"""How much spam came in each week? A table of estimated shares, compared with the truth.

    python spam_by_week.py

A spam filter has scored 13,646 messages of 24 weeks. Nobody has read them, but 1,600 others have been labelled by hand.
(The weeks are drawn from labelled messages, so the truth is known here; see data/spam/SOURCE.md.)
"""

from pathlib import Path

import pandas as pd

import truecount as tc

DATA = Path(__file__).resolve().parents[2] / "data" / "spam"


def main() -> None:
    train = pd.read_csv(DATA / "train.csv")
    weeks = pd.read_csv(DATA / "weeks.csv")
    truth = pd.read_csv(DATA / "truth.csv")

    # The default method, Efficient Sweep, does not depend on the shape of the score distributions.
    estimates = tc.estimate(train["score"], train["label"], weeks["score"], by=weeks["week"])

    table = estimates.to_pandas().merge(
        truth[["week", "prevalence"]].rename(columns={"prevalence": "truth"}), on="week"
    )
    table["counted"] = (weeks["score"] >= 0).groupby(weeks["week"]).mean().loc[table["week"]].to_numpy()
    table["holds"] = table["truth"].between(table["lower"], table["upper"])

    printed = table[["week", "n", "counted", "prevalence", "lower", "upper", "truth"]].round(3)
    printed["holds"] = table["holds"].map({True: "yes", False: "no"})
    print(printed.to_string(index=False))

    print(f"\n{table['holds'].sum()} of the {len(table)} intervals hold the truth.")
    for name, column in (("counting what the filter calls spam:", "counted"), ("truecount:", "prevalence")):
        print(f"{name:37}off by {(table[column] - table['truth']).abs().mean():.3f} on average")
    for week, warnings in zip(table["week"], table["warnings"]):
        for warning in warnings:
            print(f"\n{week}: {warning}")


if __name__ == "__main__":
    main()
