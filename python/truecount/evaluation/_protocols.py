"""Protocols: samples of known prevalence from a labelled pool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, same_index
from truecount._conditions import OptionError, ScoreError
from truecount._labels import positive_flags
from truecount._options import to_int
from truecount._rows import number_of_rows, take_rows

__all__ = ["APP", "GRID", "NPP", "PROTOCOLS", "UPP", "Protocol"]

GRID = 21
"""Number of prevalences in the grid: 0, 0.05, …, 1."""

_BLOCK = 1 << 20
"""Row numbers in memory at once: 8 MB."""


class Protocol:
    """A sequence of samples of one size, as pairs of rows and prevalence.

    A sample depends on the seed and its number only, and is the same in the command ``truecount
    evaluate``. Within each class, rows are drawn without replacement and with equal probabilities;
    positives come first.
    """

    name: ClassVar[str]
    """The name of the protocol in the command and in `truecount.evaluate`."""

    def __init__(self, X: Any, y: Any, *, size: int, samples: int, seed: int, positive: Any) -> None:
        self.size = to_int(size, "size", 1)
        self.samples = to_int(samples, "samples", 1)
        self.seed = to_int(seed, "seed", 0)
        same_index("y", y, "X", X)
        self._X = X
        self._positive, _, _ = positive_flags(y, positive, "y")
        rows = number_of_rows(X)
        if rows != len(self._positive):
            raise ScoreError(
                f"X has {rows} rows but y has {len(self._positive)} labels",
                "length-mismatch",
                column="y",
                values=len(self._positive),
                others=rows,
            )
        # Raises the error for a pool that is too small now, not at the first sample.
        self._draw(0, 0)

    def _draw(self, start: int, end: int) -> tuple[NDArray[np.int64], Floats]:
        samples: tuple[NDArray[np.int64], Floats] = _core.draw_samples(
            self._positive, (self.name, self.size, self.seed), (start, end)
        )
        return samples

    def blocks(self) -> Iterator[tuple[NDArray[np.int64], Floats]]:
        """Iterate over blocks of samples.

        Yields
        ------
        rows : ndarray of int, shape (number, size)
            Row numbers of the samples in a block.
        prevalences : ndarray of float, shape (number,)
        """
        step = max(1, _BLOCK // self.size)
        for start in range(0, self.samples, step):
            yield self._draw(start, min(self.samples, start + step))

    def __len__(self) -> int:
        """Return the number of samples."""
        return self.samples

    def __iter__(self) -> Iterator[tuple[Any, float]]:
        for rows, prevalences in self.blocks():
            for sample, prevalence in zip(rows, prevalences.tolist()):
                yield take_rows(self._X, sample), prevalence

    def __repr__(self) -> str:
        samples = f"{self.samples} samples of {self.size} of {len(self._positive)} rows"
        return f"{type(self).__name__}({samples}, seed={self.seed})"


class UPP(Protocol):
    """The uniform-prevalence protocol: samples whose prevalence is uniform on [0, 1].

    Iteration yields pairs of a sample, which is rows of `X`, and its prevalence. Every iteration
    yields the same samples.

    Parameters
    ----------
    X : array-like, data frame, list or sparse matrix with n rows
        Features or scores of the pool.
    y : array-like, shape (n,)
        The labels of the pool, two different values.
    size : int
        Number of rows in each sample; each class of the pool must have at least as many.
    samples : int, default 100
        Number of samples.
    seed : int, default 1
        Seed of the samples.
    positive : label, optional
        The positive label; by default True, or 1 if the other label is 0 or -1.

    Raises
    ------
    TruecountError
        If the pool is too small, or if there are not two labels.

    Notes
    -----
    round(α size) rows are positive, with α uniform and halves rounded away from 0. Samples are
    drawn without replacement, as from a population; QuaPy 0.2.3 draws with replacement. Source:
    Esuli, Moreo, Sebastiani and Sperduti (2022), *A detailed overview of LeQua@CLEF 2022*, for
    prevalences uniform on the simplex, which for two classes is one uniform number.

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
    """The artificial-prevalence protocol: samples with the prevalences 0, 0.05, …, 1 in turn.

    Parameters
    ----------
    X, y, size, seed, positive
        As in `UPP`.
    samples : int, default 105
        Number of samples, a multiple of 21.

    Notes
    -----
    k/20 of the size are positive, with halves rounded up. Source: Forman (2008), *Quantifying
    counts and costs via classification*.

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
    """The natural-prevalence protocol: simple random samples with about the pool's prevalence.

    Parameters
    ----------
    X, y, samples, seed, positive
        As in `UPP`.
    size : int
        Number of rows in each sample; the pool must have at least as many.

    Notes
    -----
    The protocol tests one prevalence: a method whose bias happens to be small there seems good.
    """

    name = "natural"

    def __init__(self, X: Any, y: Any, *, size: int, samples: int = 100, seed: int = 1, positive: Any = None) -> None:
        super().__init__(X, y, size=size, samples=samples, seed=seed, positive=positive)


PROTOCOLS: dict[str, type[UPP] | type[APP] | type[NPP]] = {protocol.name: protocol for protocol in (UPP, APP, NPP)}
