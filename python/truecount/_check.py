"""Is prior probability shift plausible, and if not, why; and do the families fit?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Optional, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, factorised, same_index
from truecount._conditions import ScoreError, TruecountError, located
from truecount._described import Described, of_groups
from truecount._groups import order
from truecount._labels import Labelled, drawn, labelled
from truecount._names import Transformation
from truecount._options import choice, real, whole
from truecount._sets import test_sets

__all__ = ["Check", "Families", "Folds", "Learnt", "OfCheck", "Rows", "Supposed", "check", "checked", "drawing"]


Rows = Union["_core.Model", tuple[Floats, NDArray[np.bool_], tuple[Optional[Floats], Optional[NDArray[np.uint32]]]]]
"""Labelled scores: those of a model, or columns with how they were drawn."""


class OfCheck(TypedDict, total=False):
    """What may be asked of a check: arguments of `Model.check`."""

    by: Any
    sort: bool
    weights: Any
    contamination: float | None


@dataclass(frozen=True)
class Folds:
    """Whether the classifiers of several folds score alike, by their labelled scores.

    Attributes
    ----------
    folds : int
        How many were compared.
    statistic : float
        How far apart their labelled scores are; about 1 if they are alike.
    p_value : float
        The p-value for the hypothesis that the folds' classifiers score alike.
    meaning : str
        What it means, in words.
    """

    folds: int
    statistic: float
    p_value: float
    meaning: str


class Families(Described):
    """How well every family fits each class of labelled scores, a row for each; columns ``class``, ``family``, ``n``, ``statistic`` (W² of
    Cramér and von Mises), ``p_value`` and ``reason``, why there is none.

    Attributes
    ----------
    meaning : str
        Which families fit, in words.
    """

    def __init__(self, found: _core.Described, meaning: str) -> None:
        super().__init__(found)
        self.meaning = meaning

    @property
    def p_value(self) -> NDArray[np.float64]:
        """By the law for large samples, or by samples drawn from the fitted family; NaN where there is none."""
        return self._column("p_value")

    def _notes(self) -> list[str]:
        reasons: dict[str, str] = {}
        for row in self:
            if row["reason"] is not None:
                left_out = row["statistic"] is None
                what, remedy = ("left out", "") if left_out else ("without p", "; resamples=999 draws samples instead")
                reasons.setdefault(f"{what}, {row['family']}", f"{row['reason']}{remedy}")
        return [*(f"{what}: {reason}" for what, reason in reasons.items()), self.meaning]


class Supposed(Described):
    """By how much estimates of ``es`` move if so large a share of a class scores otherwise than the labelled ones, two rows for each test
    set: columns ``class``, ``supposed`` (the share), ``down`` and ``up`` (at most so far), and ``typical`` (root mean square, if they score
    as the test scores do). People see points of a hundred."""

    def __init__(self, found: _core.Supposed, groups: dict[str, NDArray[Any]]) -> None:
        super().__init__(found, groups)
        self._title = found["title"]

    def _notes(self) -> list[str]:
        return [] if self._title is None else [self._title.rstrip(":")]


@dataclass(frozen=True)
class Learnt:
    """The labelled scores, and how families are fitted to them."""

    labelled: Rows
    transformation: str
    drawing: tuple[int, int] | None

    def families(self) -> Families:
        advice = "try family='kernel', transformation='rank' or rates='labels'"
        return Families(*_core.families(self.labelled, self.transformation, self.drawing, advice))


class Check(Described):
    """What the check says of each test set, a row for each.

    Attributes
    ----------
    meaning : str
        What it means, in words.
    verdict : list of str
        "plausible", "doubtful" (p < 0.05) or "rejected" (p < 0.01), of p-values adjusted for the number of test sets (Holm 1979).
    p_value : ndarray, shape (number of rows,)
        The probability of scores as far from a mixture as these, if they were one.
    p_value_holm : ndarray, shape (number of rows,)
        The same adjusted.
    unexplained : ndarray, shape (number of rows,)
        The share of the share of the scores that no mix of the labelled classes explains, beyond chance.
    causes : list of str
        What is known to make them so, in words: another range, rounded scores, folds whose classifiers do not score alike. The column of
        that name has the names of those of each row.
    folds : Folds or None
        The labelled scores of the folds among themselves, if they are given.
    supposed : Supposed or None
        By how much estimates move if scores of a class were otherwise, if that is asked.
    """

    def __init__(self, found: _core.Check, groups: dict[str, NDArray[Any]], learnt: Learnt) -> None:
        super().__init__(found, groups)
        for end, infinite in (("from", -np.inf), ("to", np.inf)):
            column = self._columns[end]
            self._columns[end] = np.where(np.isnan(column), infinite, column)
        self._nullable = ()
        self._learnt = learnt
        self.meaning: str = found["meaning"]
        self.causes: list[str] = found["causes"]
        self.folds = None if found["folds"] is None else Folds(*found["folds"])
        rows = found["supposed"]
        twice = {name: column.repeat(2) for name, column in groups.items()}
        self.supposed = None if rows is None else Supposed(rows, twice)
        self._curves = found["curves"]

    @cached_property
    def families(self) -> Families:
        """How well every family fits each class of labelled scores; fitted when first asked for."""
        return self._learnt.families()

    @property
    def p_value(self) -> NDArray[np.float64]:
        return self._column("p_value")

    @property
    def p_value_holm(self) -> NDArray[np.float64]:
        return self._column("p_value_holm")

    @property
    def unexplained(self) -> NDArray[np.float64]:
        return self._column("unexplained")

    @property
    def verdict(self) -> list[str]:
        return list(self._columns["verdict"])

    def adjusted_count(self, row: int = 0) -> dict[str, NDArray[np.float64]]:
        """Adjusted Count at every threshold where the labelled rates can be told apart: flat, but for sampling, for a mixture.

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


def checked(
    learnt: Learnt,
    test_scores: Any,
    fold: NDArray[np.uint32] | None = None,
    *,
    by: Any = None,
    sort: bool = True,
    weights: Any = None,
    contamination: float | None = None,
) -> Check:
    """What `check` and `Model.check` give."""
    sets = test_sets(test_scores, None, weights, by)
    number = len(next(iter(sets.values.values()))) if sets.values else 1
    places = order(sets.values) if sort and sets.groups is not None else np.arange(number)
    share = None if contamination is None else real(contamination, "contamination")
    try:
        found = _core.check(learnt.labelled, sets.columns, places.tolist(), fold, share)
    except TruecountError as error:
        explained = sets.explain(error) if "set" in error.fields else located(error, "train_scores", "")
        raise explained from None
    return Check(found, of_groups(sets.values, places), learnt)


def drawing(resamples: int | None, seed: int) -> tuple[int, int] | None:
    """How p-values of families are drawn, if they are."""
    return None if resamples is None else (whole(resamples, "resamples", 99, 32), whole(seed, "seed", 0, 64))


def check(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    by: Any = None,
    sort: bool = True,
    positive: Any = None,
    train_weights: Any = None,
    train_clusters: Any = None,
    weights: Any = None,
    fold: Any = None,
    contamination: float | None = None,
    transformation: Transformation = "none",
    resamples: int | None = None,
    seed: int = 1,
) -> Check:
    """Test whether test scores are a mixture of the two labelled classes, as they are when only the prevalence has changed; and why not.

    Anderson and Darling's statistic for the difference between the test scores' distribution function and the nearest mixture of
    the labelled ones, with its law for large samples; empirical, so that a badly chosen family cannot raise a false alarm.

    Parameters
    ----------
    train_scores, train_labels, positive, train_weights, train_clusters
        As in `truecount.estimate`; at least ten scores in each class.
    test_scores : array-like of float, shape (n,); or shape (n_sets, n); or a list of columns
    by : array-like, shape (n,), or several columns, optional
        One check for every combination of their values.
    sort : bool, default True
        As in `truecount.estimate`.
    weights : like `test_scores`, optional
        Survey weights: rows of weight 0 do not count, all others count once.
    fold : array-like, shape (n_labelled,), optional
        The fold of each labelled row, where each is scored by a classifier of its own: tests whether these score alike (`Check.folds`).
    contamination : float, optional
        By how much estimates of ``es`` move if this share of the positives or of the negatives, between 0 and 1, scores otherwise than
        the labelled ones (`Check.supposed`). No check can see all such changes.
    transformation : {"none", "logit", "rank"}
        What to do to the scores before the families are fitted (`Check.families`).
    resamples : int, optional
        p-values of the families from so many samples drawn from each fit, at least 99, instead of the law for large samples.
    seed : int, default 1
        Of these samples.

    Returns
    -------
    Check

    Raises
    ------
    TruecountError
        For input that cannot be used.

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
    rows = labelled(train_scores, train_labels, None, positive)
    design = drawn(train_scores, train_weights, train_clusters)
    learnt = Learnt(
        (rows.scores, rows.flags, design),
        choice(transformation, "transformation", "transforms"),
        drawing(resamples, seed),
    )
    return checked(
        learnt,
        test_scores,
        _folds(fold, train_scores, rows),
        by=by,
        sort=sort,
        weights=weights,
        contamination=contamination,
    )


def _folds(fold: Any, train_scores: Any, rows: Labelled) -> NDArray[np.uint32] | None:
    """The number of each labelled row's fold."""
    if fold is None:
        return None
    same_index("fold", fold, "train_scores", train_scores)
    codes, _ = factorised(fold, "fold")
    if len(codes) != len(rows.scores):
        raise ScoreError(
            f"there are {len(rows.scores)} train_scores but {len(codes)} fold; give one for each score",
            "length-mismatch",
            column="fold",
            values=len(codes),
            others=len(rows.scores),
        )
    return codes
