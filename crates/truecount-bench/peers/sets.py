"""Data sets of scikit-learn, each with a classifier, on which uniform.py compares quantifiers.

The list was fixed before any measurement. Between a fifth and a half of the rows are labelled; synthetic sets
are generated anew for each split.
"""

from dataclasses import dataclass
from typing import Callable

import numpy as np
from sklearn import datasets
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

CLASSIFIERS = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "random forest": RandomForestClassifier(random_state=0),
    "gradient boosting": GradientBoostingClassifier(random_state=0),
}


@dataclass(frozen=True)
class Set:
    """A data set: `rows` returns features and labels (0 or 1) for a seed.

    `labelled` is the number of labelled rows, and `size` the size of a sample.
    """

    name: str
    rows: Callable
    classifier: str
    labelled: int
    size: int


def _real(load, positive):
    """Returns a function with the same rows for every seed; `positive` maps scikit-learn's targets to labels."""

    def rows(_seed):
        X, target = load(return_X_y=True)
        return X, positive(target).astype(int)

    return rows


def _synthetic(make, **options):
    """Returns a function that generates 2500 rows for a seed."""

    def rows(seed):
        X, y = make(n_samples=2500, random_state=seed, **options)
        return X, np.unique(y, return_inverse=True)[1]

    return rows


_cancer = _real(datasets.load_breast_cancer, lambda target: target == 0)
_large_digits = _real(datasets.load_digits, lambda target: target >= 5)
_odd_digits = _real(datasets.load_digits, lambda target: target % 2 == 1)
_wine = _real(datasets.load_wine, lambda target: target == 1)
_iris = _real(datasets.load_iris, lambda target: target == 1)
_diabetes = _real(datasets.load_diabetes, lambda target: target > np.median(target))
_separate = _synthetic(datasets.make_classification, n_informative=5, class_sep=1.5)
_close = _synthetic(datasets.make_classification, n_informative=3, class_sep=0.5)
_rare = _synthetic(datasets.make_classification, n_informative=5, weights=[0.9])
_noisy = _synthetic(datasets.make_classification, n_informative=5, n_redundant=10, flip_y=0.2)
_moons = _synthetic(datasets.make_moons, noise=0.3)
_hastie = _synthetic(datasets.make_hastie_10_2)
_shells = _synthetic(datasets.make_gaussian_quantiles, n_features=5, n_classes=2)

SETS = [
    Set("breast cancer: malignant", _cancer, "logistic regression", 284, 100),
    Set("breast cancer: malignant", _cancer, "naive Bayes", 284, 100),
    Set("digits: 5 to 9", _large_digits, "random forest", 500, 250),
    Set("digits: odd", _odd_digits, "naive Bayes", 500, 250),
    Set("wine: the second of three", _wine, "gradient boosting", 89, 50),
    Set("iris: versicolor", _iris, "logistic regression", 75, 50),
    Set("diabetes: above the median", _diabetes, "random forest", 221, 100),
    Set("classification: far apart", _separate, "random forest", 500, 250),
    Set("classification: close", _close, "logistic regression", 500, 250),
    Set("classification: 10 % positive", _rare, "gradient boosting", 500, 250),
    Set("classification: 20 % of labels drawn at random", _noisy, "naive Bayes", 500, 250),
    Set("moons", _moons, "random forest", 500, 250),
    Set("Hastie's ten normals", _hastie, "gradient boosting", 500, 250),
    Set("Gaussian shells", _shells, "naive Bayes", 500, 250),
]
