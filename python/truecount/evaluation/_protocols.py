"""Drawing test samples of known prevalence from a labelled pool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, same_index
from truecount._conditions import OptionError, ScoreError
from truecount._labels import positives
from truecount._options import whole
from truecount._rows import number_of_rows, rows_of

__all__ = ["APP", "GRID", "NPP", "PROTOCOLS", "Protocol", "UPP"]

GRID = 21
"""The number of prevalences of the grid: 0, 0.05, …, 1."""

_BLOCK = 1 << 20
"""Row numbers that are held at once: 8 MB."""


class Protocol:
    """Samples of one size, as pairs of rows and share of positives, one after the other.

    A sample depends on the seed and its number alone, and is that of the command ``truecount evaluate``. Within each class
    every set of rows of the size is as likely, without replacement; positives come first.
    """

    name: ClassVar[str]
    """The name that the command and `truecount.evaluate` have for it."""

    def __init__(self, X: Any, y: Any, *, size: int, samples: int, seed: int, positive: Any) -> None:
        self.size = whole(size, "size", 1)
        self.samples = whole(samples, "samples", 1)
        self.seed = whole(seed, "seed", 0)
        same_index("y", y, "X", X)
        self._X = X
        self._positive, _, _ = positives(y, positive, "y")
        rows = number_of_rows(X)
        if rows != len(self._positive):
            raise ScoreError(
                f"X has {rows} rows but y has {len(self._positive)} labels",
                "length-mismatch",
                column="y",
                values=len(self._positive),
                others=rows,
            )
        # A pool that is too small is an error now, not when the first sample is drawn.
        self._rows(0, 0)

    def _rows(self, first: int, end: int) -> tuple[NDArray[np.int64], Floats]:
        found: tuple[NDArray[np.int64], Floats] = _core.rows_of_samples(
            self._positive, (self.name, self.size, self.seed), (first, end)
        )
        return found

    def blocks(self) -> Iterator[tuple[NDArray[np.int64], Floats]]:
        """Row numbers of many samples at once, shape (number, size), and their prevalences, shape (number,)."""
        step = max(1, _BLOCK // self.size)
        for first in range(0, self.samples, step):
            yield self._rows(first, min(self.samples, first + step))

    def __len__(self) -> int:
        """The number of samples."""
        return self.samples

    def __iter__(self) -> Iterator[tuple[Any, float]]:
        for rows, prevalences in self.blocks():
            for sample, prevalence in zip(rows, prevalences.tolist()):
                yield rows_of(self._X, sample), prevalence

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.samples} samples of {self.size} of {len(self._positive)} rows, seed={self.seed})"


class UPP(Protocol):
    """Samples whose prevalence is uniform on [0, 1]: the uniform-prevalence protocol.

    Iterating gives pairs of a sample, rows of `X`, and its share of positives; as often as wanted, and the same each time.

    Parameters
    ----------
    X : array-like, data frame, list or sparse matrix with n rows
        Features or scores of the pool.
    y : array-like, shape (n,)
        Its labels, two different values.
    size : int
        Rows in each sample; each class of the pool must have as many.
    samples : int, default 100
        Number of samples.
    seed : int, default 1
    positive : label, optional
        The label of a positive; by default True, or 1 beside 0 or -1.

    Raises
    ------
    TruecountError
        For a pool that is too small, or labels that are not two.

    Notes
    -----
    round(α size) rows are positive, α uniform, halves away from 0. Nothing is drawn twice into one sample, as in a sample of a
    population; QuaPy 0.2.3 draws with replacement. Source: Esuli, Moreo, Sebastiani and Sperduti (2022), *A detailed overview of
    LeQua@CLEF 2022*, for prevalences uniform on the simplex, which for two classes are one uniform number.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> scores, labels = np.arange(10.0), np.repeat([0, 1], 5)
    >>> for sample, prevalence in tc.UPP(scores, labels, size=4, samples=2):
    ...     print(prevalence == np.mean(sample >= 5), len(sample))
    True 4
    True 4
    """

    name = "uniform"

    def __init__(self, X: Any, y: Any, *, size: int, samples: int = 100, seed: int = 1, positive: Any = None) -> None:
        super().__init__(X, y, size=size, samples=samples, seed=seed, positive=positive)


class APP(Protocol):
    """Samples with the prevalences 0, 0.05, …, 1 by turns: the artificial-prevalence protocol.

    Parameters are those of `UPP`, but `samples` (105) is a multiple of 21, for whole turns.

    Notes
    -----
    k/20 of the size are positive, rounded, halves upwards. Source: Forman (2008), *Quantifying counts and costs via
    classification*.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> scores, labels = np.arange(40.0), np.repeat([0, 1], 20)
    >>> [prevalence for _, prevalence in tc.APP(scores, labels, size=20, samples=21)][:4]
    [0.0, 0.05, 0.1, 0.15]
    """

    name = "grid"

    def __init__(
        self, X: Any, y: Any, *, size: int, samples: int = 5 * GRID, seed: int = 1, positive: Any = None
    ) -> None:
        super().__init__(X, y, size=size, samples=samples, seed=seed, positive=positive)
        if self.samples % GRID:
            turns = (self.samples // GRID + 1) * GRID
            raise OptionError(
                f"samples is {samples}; it must be a multiple of the grid's {GRID} prevalences, such as {turns}",
                "option-invalid",
                name="samples",
                value=samples,
            )


class NPP(Protocol):
    """Simple random samples of the pool, so with its own prevalence, more or less: the natural-prevalence protocol.

    Parameters are those of `UPP`, but the pool as a whole must have as many rows as a sample. It asks about one prevalence: a
    method whose bias happens to be small there seems good.
    """

    name = "natural"

    def __init__(self, X: Any, y: Any, *, size: int, samples: int = 100, seed: int = 1, positive: Any = None) -> None:
        super().__init__(X, y, size=size, samples=samples, seed=seed, positive=positive)


PROTOCOLS: dict[str, type[UPP] | type[APP] | type[NPP]] = {protocol.name: protocol for protocol in (UPP, APP, NPP)}
