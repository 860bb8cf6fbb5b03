"""Error measures of estimated prevalences, for two classes.

p is the true and p̂ the estimated distribution of the classes, (α, 1 − α) and (α̂, 1 − α̂), where α is the share of
positives. Sums are over both classes, and p_min is the smaller share. RAE, NRAE, KLD and NKLD are smoothed, so that a
share of 0 does not make them infinite: each share p of both distributions is replaced by (p + ε)/(1 + 2ε) with
ε = 1/(2 size). They need the size of the samples.

Sources: Sebastiani (2020), *Evaluation measures for quantification: an axiomatic approach*; Forman
(2008), *Quantifying counts and costs via classification*; Esuli, Moreo, Sebastiani and Sperduti
(2022), *A detailed overview of LeQua@CLEF 2022*. QuaPy 0.2.3 has the same definitions, but its
functions take the distribution of the classes instead of the share of positives.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from truecount import _core
from truecount._columns import Floats, numbers, same_index
from truecount._errors import invalid_column, length_error, option_error
from truecount._options import choice

__all__ = ["bias", "errors", "mae", "mkld", "mnae", "mnkld", "mnrae", "mrae", "mse"]


def errors(measure: str, truth: Any, estimate: Any, size: Any = None) -> Floats:
    """Return the error of each estimate; the measure is the mean of these errors.

    Parameters
    ----------
    measure : {"mae", "mse", "mnae", "mrae", "mnrae", "mkld", "mnkld", "bias"}
        Name of the measure.
    truth, estimate : array-like of float, shape (n_samples,)
        True and estimated shares of positives, in [0, 1].
    size : int or array-like of int, shape (n_samples,), optional
        Number of scores in each sample, or one number for all samples.

    Returns
    -------
    ndarray of float, shape (n_samples,)

    Examples
    --------
    >>> from truecount import measures
    >>> measures.errors("mse", [0.5, 0.25], [0.75, 0.25])
    array([0.0625, 0.    ])
    >>> measures.mae([0.5, 0.25], [0.75, 0.25])
    0.125
    """
    measure = choice(measure, "measure", "measures")
    same_index("estimate", estimate, "truth", truth)
    truths, estimates = numbers(truth, "truth"), numbers(estimate, "estimate")
    if len(truths) != len(estimates):
        raise length_error(
            f"truth has {len(truths)} values but estimate has {len(estimates)}", "estimate", len(estimates), len(truths)
        )
    if len(truths) == 0:
        raise invalid_column("truth", "truth and estimate are empty; an error needs at least one sample")
    sizes = None if size is None else _sizes(size, len(truths))
    result: Floats = _core.measure_errors(measure, truths, estimates, sizes)
    if np.isnan(result[0]):
        raise option_error(
            "size", f"{measure} needs the sizes of the samples, which it is smoothed with: give size", value=None
        )
    return result


def class_errors(measure: str, truth: Floats, estimate: Floats, size: int) -> Floats:
    """Return the error of each estimate of the shares of several classes, shape (n_samples, K).

    The formulas are those above with the sums over all K classes: ½ becomes 1/K, and the maximum of
    NRAE has K − 1 instead of 1. The smoothed shares are (p + ε)/(1 + Kε).
    """
    measure = choice(measure, "measure", "measures")
    if measure == "bias":
        raise option_error("measure", "measure is 'bias', which is 0 over several classes; use another")
    classes = truth.shape[1]
    if measure not in ("mae", "mse", "mnae"):
        epsilon = 0.5 / size
        truth, estimate = ((shares + epsilon) / (1.0 + classes * epsilon) for shares in (truth, estimate))
    distance, least = np.abs(estimate - truth), truth.min(axis=1)
    if measure in ("mkld", "mnkld"):
        divergence = (truth * np.log(truth / estimate)).sum(axis=1)
        return np.asarray(divergence if measure == "mkld" else np.tanh(divergence / 2.0))
    if measure in ("mrae", "mnrae"):
        relative = (distance / truth).sum(axis=1)
        return np.asarray(relative / (classes if measure == "mrae" else classes - 1.0 + (1.0 - least) / least))
    if measure == "mnae":
        return np.asarray(distance.sum(axis=1) / (2.0 * (1.0 - least)))
    return np.asarray((distance if measure == "mae" else distance**2).mean(axis=1))


def _sizes(size: Any, samples: int) -> Any:
    sizes = numbers(size if np.ndim(size) else np.full(samples, size), "size")
    if len(sizes) != samples:
        message = f"size has {len(sizes)} values, but there are {samples} samples"
        raise length_error(message, "size", len(sizes), samples)
    wrong = np.flatnonzero(~((sizes >= 1) & (sizes == np.floor(sizes)) & (sizes < 2**53)))
    if len(wrong):
        row = int(wrong[0])
        message = f"size: value {row} is {sizes[row]}; sizes are whole numbers, 1 or more"
        raise option_error("size", message, value=float(sizes[row]), row=row)
    return sizes.astype(np.int64)


class Measure(Protocol):
    """A function that returns the mean of the `errors` of estimates; with a smoothed measure, `size` is required."""

    def __call__(self, truth: Any, estimate: Any, size: Any = None) -> float: ...


def _measure(name: str, meaning: str) -> Measure:
    def measure(truth: Any, estimate: Any, size: Any = None) -> float:
        return float(_core.mean(errors(name, truth, estimate, size))[0])

    measure.__name__ = measure.__qualname__ = name
    measure.__doc__ = f"{meaning} The parameters are those of `errors`."
    return measure


mae = _measure("mae", "Mean absolute error, AE = ½ Σ |p̂ − p| = |α̂ − α|.")
mse = _measure("mse", "Mean squared error, SE = ½ Σ (p̂ − p)² = (α̂ − α)².")
mnae = _measure("mnae", "Mean normalised absolute error, NAE = Σ |p̂ − p| / (2 (1 − p_min)): AE over its maximum.")
mrae = _measure("mrae", "Mean relative absolute error, RAE = ½ Σ |p̂ − p|/p of smoothed shares; it needs `size`.")
mnrae = _measure(
    "mnrae",
    "Mean normalised relative absolute error, NRAE = Σ (|p̂ − p|/p) / (1 + (1 − p_min)/p_min): RAE over its maximum, "
    "of smoothed shares; it needs `size`.",
)
mkld = _measure("mkld", "Mean Kullback-Leibler divergence, KLD = Σ p ln(p/p̂) of smoothed shares; it needs `size`.")
mnkld = _measure(
    "mnkld",
    "Mean normalised Kullback-Leibler divergence, NKLD = 2 e^KLD/(1 + e^KLD) − 1 = tanh(KLD/2); it needs `size`.",
)
bias = _measure("bias", "Mean error, α̂ − α, which is positive if estimates are too high.")
