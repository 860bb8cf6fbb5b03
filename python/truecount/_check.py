"""Is prior probability shift plausible?"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._conditions import TruecountError, located
from truecount._groups import natural, order
from truecount._labels import labelled
from truecount._sets import test_sets
from truecount._table import Table, beside, p_value, taken, visible, worded

__all__ = ["Check", "check"]


class Check(Table):
    """What the check says of each test set, a row for each.

    Attributes
    ----------
    meaning : str
        What it means, in words.
    verdict : list of str
        "mixture", "doubtful" (p < 0.05) or "no mixture" (p < 0.01), of p-values adjusted for the number of test sets (Holm 1979).
    p_value, p_value_holm : ndarray, shape (number of rows,)
        The probability of scores as far from a mixture as these, if they were one; and the same adjusted.
    unexplained : ndarray, shape (number of rows,)
        The share of the scores that no mixture of the labelled classes explains, beyond chance.
    """

    def __init__(self, found: dict[str, Any], groups: dict[str, NDArray[Any]]) -> None:
        self.meaning: str = found["meaning"]
        self._curves: list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]] = found["curves"]
        self._groups = list(groups)
        names = ("n", "statistic", "p_value", "p_value_holm", "verdict", "unexplained", "prevalence")
        worst = ("from", "to", "share", "se", "too_many")
        self._columns = beside(groups, {name: found[name] for name in (*names, *worst)})

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

    def _header(self) -> tuple[list[str], int]:
        p_values = ["p", "p (Holm)"] if len(self) > 1 else ["p"]
        return [*map(visible, self._groups), "n", "statistic", *p_values, "too many"], len(self._groups)

    def _cells(self, row: int) -> list[str]:
        columns = self._columns
        p_values = ["p_value", "p_value_holm"] if len(self) > 1 else ["p_value"]
        return [
            *(visible(worded(columns[name][row])) for name in self._groups),
            str(columns["n"][row]),
            f"{columns['statistic'][row]:.2f}",
            *(p_value(columns[name][row]) for name in p_values),
            columns["too_many"][row],
        ]

    def _notes(self) -> list[str]:
        return [self.meaning]


def check(
    train_scores: Any, train_labels: Any, test_scores: Any, *, by: Any = None, sort: bool = True, positive: Any = None
) -> Check:
    """Test whether test scores are a mixture of the two labelled classes, as they are when only the prevalence has changed.

    Anderson and Darling's statistic for the difference between the test scores' distribution function and the nearest mixture of
    the labelled ones, with its law for large samples; empirical, so that a badly chosen family cannot raise a false alarm.

    Parameters
    ----------
    train_scores, train_labels, positive
        As in `truecount.estimate`; at least ten scores in each class.
    test_scores : array-like of float, shape (n,); or shape (n_sets, n); or a list of columns
    by : array-like, shape (n,), or several columns, optional
        One check for every combination of their values.
    sort : bool, default True
        As in `truecount.estimate`.

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
    ['mixture']
    >>> tc.check(train, labels, rng.normal(1, 1, 300)).verdict
    ['no mixture']
    """
    rows = labelled(train_scores, train_labels, None, positive)
    sets = test_sets(test_scores, None, None, by)
    try:
        found = _core.check(rows.scores, rows.flags, sets.columns)
    except TruecountError as error:
        explained = sets.explain(error) if "set" in error.fields else located(error, "train_scores", "")
        raise explained from None
    groups = {name: natural(values) for name, values in sets.values.items()}
    if not sort or sets.groups is None:
        return Check(found, groups)
    places = order(sets.values)
    return Check(taken(found, places), taken(groups, places))
