"""scikit-learn's checks of estimators."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

import truecount as tc

pytestmark = pytest.mark.filterwarnings("ignore::truecount.PrevalenceWarning")

ROWS = (
    "predict returns the prevalence of each class, one vector for all rows; this check wants a prediction for each row"
)

NOT_FOR_A_QUANTIFIER = {
    "check_estimator_sparse_array": ROWS,
    "check_estimator_sparse_matrix": ROWS,
    "check_methods_sample_order_invariance": ROWS,
    "check_methods_subset_invariance": ROWS,
    "check_fit2d_1sample": "the error says in words of its own that a single row has one label where two are needed",
}

UNWEIGHTED = dict.fromkeys(
    (
        "check_sample_weights_not_overwritten",
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    "the method takes no weights of labelled rows, and refuses them",
)
WEIGHTED = (tc.AdjustedCount, tc.SampleMeanMatching, tc.MulticlassQuantifier)


def expected(estimator):
    return NOT_FOR_A_QUANTIFIER | ({} if isinstance(estimator, WEIGHTED) else UNWEIGHTED)


class InSample:
    """A split that holds out every row and also fits to every row.

    Many checks have random labels. Scores of rows that are really held out are then no better than chance, which is
    an error.
    """

    def split(self, X, y, groups=None):
        yield np.arange(len(y)), np.arange(len(y))

    def get_n_splits(self, X=None, y=None, groups=None):
        return 1

    def __repr__(self):
        return "InSample()"


def quantifier_for_checks(kind, **parameters):
    # Balanced weights, because in some checks one class is much larger; liblinear is fast. All checks have a class 1,
    # which is named because the positive class is never guessed.
    return kind(
        LogisticRegression(class_weight="balanced", solver="liblinear"), cv=InSample(), positive=1, **parameters
    )


@parametrize_with_checks(
    [
        quantifier_for_checks(tc.ContinuousSweep),
        # Five random rows of a class are too few to take rates from.
        quantifier_for_checks(tc.EfficientSweep, rates="family"),
        # Random labels do not reach a threshold of 1/4.
        quantifier_for_checks(tc.MedianSweep, threshold="optimal"),
        quantifier_for_checks(tc.AdjustedCount),
        quantifier_for_checks(tc.SampleMeanMatching),
        quantifier_for_checks(tc.SLD),
        quantifier_for_checks(tc.DyS),
        # A likelihood counts weighted rows by their effective number.
        tc.MulticlassQuantifier(LogisticRegression(class_weight="balanced"), cv=InSample(), method="pacc"),
    ],
    expected_failed_checks=expected,
)
def test_check(estimator, check):
    check(estimator)
