"""The check for prior probability shift, and the fit of the families."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional, TypedDict, Union, overload

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, check_lengths, factorize, same_index
from truecount._errors import TruecountError, located, option_conflict
from truecount._fit import FittedModel
from truecount._inputs import LabelledColumns, labelled_columns, parse_test_sets, sampling_design
from truecount._options import Transform, request_options, takes_options_of, to_int
from truecount._table import Column, ResultTable, group_columns

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Check", "Contamination", "Families", "Folds", "check"]


LabelledRows = Union[
    "_core.Model",
    tuple[
        Floats, NDArray[np.bool_], tuple[Optional[Floats], Optional[NDArray[np.uint32]], Optional[NDArray[np.uint32]]]
    ],
]
"""Labelled rows: those of a model, or columns of scores, flags, and the sampling design."""


@dataclass(frozen=True)
class Folds:
    """A test whether the classifiers of several folds score alike, from their labelled scores.

    Attributes
    ----------
    folds : int
        Number of folds.
    statistic : float
        The deviation between the folds' labelled scores; about 1 if the classifiers score alike.
    p_value : float
        The p-value for the hypothesis that the folds' classifiers score alike.
    meaning : str
        The result in words.
    """

    folds: int
    statistic: float
    p_value: float
    meaning: str


class Families(ResultTable):
    """A table of the fit of each family, a row for each family and class of labelled scores.

    Its columns are ``class``, ``family``, ``n``, ``statistic`` (W² of Cramér and von Mises),
    ``p_value``, and ``reason``, the reason for a missing p-value.

    Attributes
    ----------
    meaning : str
        The families that fit, in words.
    """

    def __init__(self, result: _core.ResultDict, reasons: list[str], meaning: str) -> None:
        super().__init__(result)
        self._reasons, self.meaning = reasons, meaning

    p_value = Column[np.float64]("The p-values, asymptotic or from resamples of the fitted family; NaN if missing.")

    def _notes(self) -> list[str]:
        return [*self._reasons, self.meaning]


class Contamination(ResultTable):
    """A table of how much contamination changes estimates of ``es``, two rows for each test set.

    Contamination means that a share of a class scores differently from the labelled scores. The
    columns are ``class``; ``supposed``, that share; ``down`` and ``up``, the largest changes of the
    estimate; and ``typical``, the root mean square of the change if the contaminating scores are
    distributed like the test scores. The printed table has percentage points.
    """

    def __init__(self, result: _core.Contamination, groups: dict[str, NDArray[Any]]) -> None:
        super().__init__(result, groups)
        self._title = result["title"]

    def _notes(self) -> list[str]:
        return [] if self._title is None else [self._title.rstrip(":")]


@dataclass(frozen=True)
class LabelledData:
    """The labelled scores, and the options of the check and for fitting families to them."""

    labelled: LabelledRows
    options: dict[str, Any]

    def families(self) -> Families:
        """Test the fit of every family."""
        return Families(*_core.family_test(self.labelled, self.options))


class Check(ResultTable):
    """A table of shift checks, a row for each test set.

    Attributes
    ----------
    meaning : str
        The result in words.
    verdict : list of str
        "plausible", "doubtful" (p < 0.05) or "rejected" (p < 0.01), from p-values adjusted for the
        number of test sets (Holm 1979).
    causes : list of str
        Possible causes of a rejection, in words: another range, rounded scores, or folds whose classifiers do not score
        alike. The column ``causes`` has the names of the causes in each row.
    folds : Folds or None
        The comparison of the folds, if `fold` was given.
    contamination : Contamination or None
        The effect of contamination on the estimates, if `contamination` was given.
    """

    def __init__(self, result: _core.Check, groups: dict[str, NDArray[Any]], labelled: LabelledData) -> None:
        super().__init__(result, groups)
        for end, infinite in (("from", -np.inf), ("to", np.inf)):
            column = self._columns[end]
            self._columns[end] = np.where(np.isnan(column), infinite, column)
        self._nullable = ()
        self._labelled = labelled
        self.meaning: str = result["meaning"]
        self.causes: list[str] = result["causes"]
        self.folds = None if result["folds"] is None else Folds(*result["folds"])
        contamination = result["contamination"]
        repeated = {name: column.repeat(2) for name, column in groups.items()}
        self.contamination = None if contamination is None else Contamination(contamination, repeated)
        self._curves = result["curves"]

    @cached_property
    def families(self) -> Families:
        """The fit of every family to each class of labelled scores, computed at first access."""
        return self._labelled.families()

    p_value = Column[np.float64](
        "The p-values for the hypothesis that the test scores are a mixture of the labelled classes."
    )
    p_value_holm = Column[np.float64]("The p-values adjusted for the number of test sets by Holm's method.")
    unexplained = Column[np.float64](
        "Shares of the test scores that no mixture of the labelled classes explains, beyond chance."
    )

    @property
    def verdict(self) -> list[str]:
        return list(self._columns["verdict"])

    def adjusted_count(self, row: int = 0) -> dict[str, NDArray[np.float64]]:
        """Return Adjusted Count of a row at every threshold where the labelled rates differ enough.

        If the test scores are a mixture, the curve is flat except for sampling error.

        Returns
        -------
        dict of ndarray
            ``theta``, ``prevalence`` (not clipped) and ``se``.
        """
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no row {row}; there are {len(self)}")
        theta, prevalence, se = self._curves[row]
        return {"theta": theta, "prevalence": prevalence, "se": se}

    def _notes(self) -> list[str]:
        folds = [] if self.folds is None else [self.folds.meaning]
        return [self.meaning, *self.causes, *folds]


def _check_sets(
    labelled: LabelledData,
    test_scores: Any,
    fold: NDArray[np.uint32] | None,
    by: Any,
    sort: bool,
    weights: Any,
) -> Check:
    sets = parse_test_sets(test_scores, None, weights, by)
    order = sets.order(sort)
    try:
        result = _core.check(labelled.labelled, sets.columns, order.tolist(), fold, labelled.options)
    except TruecountError as error:
        of_set = "set" in error.fields and error.code != "single-unit-strata"
        explained = sets.explain(error) if of_set else located(error, "train_scores", "")
        raise explained from None
    return Check(result, group_columns(sets.values, order), labelled)


def _options(transform: str, contamination: float | None, resamples: int | None, seed: int) -> dict[str, Any]:
    optional = {"contamination": contamination, "resamples": resamples}
    if resamples is not None:
        optional["seed"] = seed
    return request_options({"transform": transform}, optional, {"resamples": lambda n, name: to_int(n, name, 99, 32)})


class CheckKwargs(TypedDict, total=False):
    """Keyword arguments of `check`."""

    by: Any
    sort: bool
    weights: Any
    contamination: float | None
    positive: Any
    train_weights: Any
    train_clusters: Any
    train_strata: Any
    fold: Any
    transform: Transform
    resamples: int | None
    seed: int


@overload
def check(
    train_scores: Any,
    train_labels: Any,
    *,
    positive: Any = None,
    transform: Transform = "none",
    resamples: int | None = None,
    seed: int = 1,
) -> Families: ...


@overload
def check(train_scores: Any, train_labels: Any, test_scores: Any, **kwargs: Unpack[CheckKwargs]) -> Check: ...


def check(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any = None,
    *,
    by: Any = None,
    sort: bool = True,
    positive: Any = None,
    train_weights: Any = None,
    train_clusters: Any = None,
    train_strata: Any = None,
    weights: Any = None,
    fold: Any = None,
    contamination: float | None = None,
    transform: Transform = "none",
    resamples: int | None = None,
    seed: int = 1,
) -> Check | Families:
    """Test whether test scores are a mixture of the two labelled classes, and find causes if not.

    They are a mixture if only the prevalence has changed (prior probability shift). The test is
    Anderson and Darling's statistic for the difference between the test scores' distribution
    function and the nearest mixture of the labelled ones, with its asymptotic distribution. All
    distribution functions are empirical, so that a badly chosen family cannot cause a false alarm.

    Parameters
    ----------
    train_scores, train_labels, positive, train_weights, train_clusters, train_strata
        As in `truecount.estimate`; at least ten scores in each class.
    test_scores : array-like of float, shape (n,); or shape (n_sets, n); or a list of columns
        One test set, or several as rows of an array or in a list. Without test scores only the
        fit of the families to the labelled scores is tested.
    by, sort
        Groups, each of which is checked by itself, as in `truecount.estimate`.
    weights : like `test_scores`, optional
        Survey weights: rows of weight 0 do not count, all others count once.
    fold : array-like, shape (n_labelled,), optional
        The fold of each labelled row, if each fold is scored by its own classifier. Tests whether
        these classifiers score alike (`Check.folds`).
    contamination : float, optional
        A share in (0, 1): computes how much estimates of ``es`` change if this share of the
        positives, or of the negatives, scores differently from the labelled scores
        (`Check.contamination`). No check can detect all such changes.
    transform : {"none", "logit", "rank"}
        Transform of the scores before the families are fitted (`Check.families`).
    resamples : int, optional
        Number of resamples of each fitted family for its p-value, at least 99; by default the
        p-value comes from the asymptotic distribution.
    seed : int, default 1
        Seed of the resamples.

    Returns
    -------
    Check
        A row for each test set or group; without test scores `Families`, a row for each family and class.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> train, labels = np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200)
    >>> tc.check(train, labels, np.r_[rng.normal(2, 1, 30), rng.normal(0, 1, 270)]).verdict
    ['plausible']
    >>> tc.check(train, labels, rng.normal(1, 1, 300)).verdict
    ['rejected']
    """
    rows = labelled_columns(train_scores, train_labels, None, positive)
    design = sampling_design(train_scores, train_weights, train_clusters, train_strata)
    data = LabelledData((rows.scores, rows.flags, design), _options(transform, contamination, resamples, seed))
    if test_scores is None:
        for name, value in (("by", by), ("weights", weights), ("fold", fold), ("contamination", contamination)):
            if value is not None:
                raise option_conflict(name, f"{name} needs test_scores; give test_scores or leave out {name}")
        return data.families()
    return _check_sets(data, test_scores, _folds(fold, train_scores, rows), by, sort, weights)


def _folds(fold: Any, train_scores: Any, rows: LabelledColumns) -> NDArray[np.uint32] | None:
    """Return the number of each labelled row's fold."""
    if fold is None:
        return None
    same_index("fold", fold, "train_scores", train_scores)
    codes, _ = factorize(fold, "fold")
    check_lengths({"fold": codes}, "train_scores", len(rows.scores))
    return codes


class CheckingModel(FittedModel):
    """A model that checks prior probability shift."""

    @takes_options_of()
    def check(
        self,
        test_scores: Any,
        *,
        by: Any = None,
        sort: bool = True,
        weights: Any = None,
        contamination: float | None = None,
        resamples: int | None = None,
        seed: int = 1,
    ) -> Check:
        """Test whether the test scores are a mixture of the two labelled classes.

        They are such a mixture if only the prevalence has changed (prior probability shift).

        Parameters
        ----------
        test_scores, by, sort, weights, contamination, resamples, seed
            As in `truecount.check`, with this model's labelled scores and transform.
        """
        options = _options(self.parameters["transform"], contamination, resamples, seed)
        return _check_sets(LabelledData(self._core, options), test_scores, None, by, sort, weights)
