"""The share of forms with a high code in each office, read by a classifier that makes mistakes.

    python digits_by_office.py

scikit-learn's handwritten digits stand for scanned forms with a code of one digit. We estimate the share of codes from
5 to 9 in each office. THE OFFICES ARE SIMULATED: four of them are drawn from all digits, so that only the share of high
codes differs, as under prior probability shift. Essen has only the codes 3 and 9, which the classifier confuses more
often: there the assumption is false, and the estimate wrong. `tc.check` rejects Essen and no other office, and the
interval of Essen is widened.
"""

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import truecount as tc
from truecount.quantifiers import EfficientSweep

LABELLED = 600
# Numbers of forms with a low code and with a high code.
OFFICES = {"Aalborg": (216, 24), "Bergen": (130, 70), "Cork": (90, 110), "Delft": (30, 150)}
ESSEN = (100, 12)


def draw_offices(digits: NDArray[np.int64], rows: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Returns the rows of each office; no form is in two offices."""
    remaining = list(rows)

    def take(number: int, *codes: int) -> list[int]:
        taken = [row for row in remaining if digits[row] in codes][:number]
        remaining[:] = [row for row in remaining if row not in taken]
        return taken

    essen = take(ESSEN[0], 3) + take(ESSEN[1], 9)
    offices = {name: take(low, *range(5)) + take(high, *range(5, 10)) for name, (low, high) in OFFICES.items()}
    return {name: np.array(taken) for name, taken in (offices | {"Essen": essen}).items()}


def main() -> None:
    images, digits = map(np.asarray, load_digits(return_X_y=True))
    order = np.random.default_rng(2).permutation(len(digits))
    labelled, offices = order[:LABELLED], draw_offices(digits, order[LABELLED:])
    rows = np.concatenate(list(offices.values()))
    office = np.repeat(list(offices), [len(forms) for forms in offices.values()])

    classifier = make_pipeline(StandardScaler(), LogisticRegression(C=0.01))
    quantifier = EfficientSweep(classifier).fit(images[labelled], digits[labelled] >= 5)
    estimates = quantifier.estimate(images[rows], by={"office": office})

    scores, _ = quantifier.scores(images[rows])
    check = tc.check(quantifier.labelled_scores_, quantifier.labels_, scores, by={"office": office})

    print("office    forms   counted   estimated   95 % interval   truth   check")
    for row, (lower, upper) in enumerate(estimates.interval):
        name = estimates["office"][row]
        counted, truth = np.mean(scores[office == name] >= 0), np.mean(digits[offices[name]] >= 5)
        print(
            f"{name:9} {estimates.n[row]:5}   {counted:7.3f}   {estimates.prevalence[row]:9.3f}   {lower:.3f} – {upper:.3f}   {truth:5.3f}   "
            f"{check.verdict[row]} (p = {check.p_value_holm[row]:.2g})"
        )
    print()
    print(check.meaning)


if __name__ == "__main__":
    main()
