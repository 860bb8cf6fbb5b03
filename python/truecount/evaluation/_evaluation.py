"""Evaluation of methods on many samples of known prevalence."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from truecount import _core
from truecount._columns import Floats, numbers, same_index
from truecount._conditions import OptionError, PrevalenceWarning, ScoreError, TruecountError, located
from truecount._labels import positive_flags
from truecount._model import Model
from truecount._names import Interval
from truecount._options import interval_options, to_float, unknown_choice_error
from truecount.evaluation._protocols import GRID, PROTOCOLS
from truecount.evaluation._reports import Comparison, Summary
from truecount.evaluation._samples import Samples

__all__ = ["Evaluation", "evaluate"]


class Evaluation(Samples):
    """A table of estimates with the true prevalence, a row for each sample and method.

    It is made by `truecount.evaluate`, and prints its `summary`.

    Attributes
    ----------
    protocol : str
        The protocol of the samples: "uniform", "grid" or "natural".
    level : float
        Nominal coverage of the intervals.
    train_prevalence : float
        Prevalence of the labelled scores that the methods were fitted to.
    """

    def summary(self) -> Summary:
        """Return each method's errors, and the coverage and width of its intervals.

        Returns
        -------
        Summary
            Means over the samples, with Monte Carlo standard errors.
        """
        return Summary(self)

    def compare(self, reference: str | None = None) -> Comparison:
        """Compare the errors of one method with those of each other method.

        Parameters
        ----------
        reference : str, optional
            The method that is compared with all others, by default the first.

        Returns
        -------
        Comparison

        Raises
        ------
        TruecountError
            If the method was not evaluated, or if there is only one method.
        """
        if len(self._methods) < 2:
            raise OptionError(
                f"there is only one method, {self._methods[0]}; a comparison needs two",
                "option-invalid",
                name="reference",
            )
        reference = self._methods[0] if reference is None else reference
        self._check_method(reference)
        return Comparison(self, reference)

    def __repr__(self) -> str:
        return repr(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()


def evaluate(
    quantifier: Any,
    X: Any,
    y: Any,
    *,
    protocol: str = "uniform",
    samples: int | None = None,
    size: int = 250,
    seed: int = 1,
    positive: Any = None,
    probabilities: Any = None,
    level: float = 0.95,
    interval: Interval = "wilson",
) -> Evaluation:
    """Evaluate a quantifier on samples of known prevalence from a labelled pool.

    Parameters
    ----------
    quantifier : Model or fitted estimator of truecount.quantifiers
        The quantifier to evaluate. Of an estimator with several classifiers, one scores each row.
    X : array-like of float, shape (n,); for an estimator its features, n rows
        Scores of the pool. The quantifier must not have been fitted to them, because its errors
        would be too small.
    y : array-like, shape (n,)
        The labels of the pool.
    protocol : {"uniform", "grid", "natural"}
        The protocol of the samples: `UPP`, `APP` or `NPP`.
    samples : int, optional
        Number of samples; by default 1000, and for the grid 1050.
    size : int, default 250
        Number of scores in each sample.
    seed : int, default 1
        Seed of the samples; the command ``truecount evaluate`` draws the same samples with the same
        seed.
    positive : label, optional
        The positive label; by default the estimator's, or True, or 1 if the other label is 0 or -1.
    probabilities : array-like of float, shape (n,), optional
        A classifier's probabilities for the pool, for a model that was fitted with probabilities.
    level : float, default 0.95
        Nominal coverage of the intervals, which are for the prevalence of the sample.
    interval : {"wilson", "wald", "bootstrap"}
        As in `truecount.estimate`.

    Returns
    -------
    Evaluation
        The estimates with the true prevalence, a row for each sample and method.
        `Evaluation.summary` has the errors, and `Evaluation.compare` compares the methods.

    Raises
    ------
    TruecountError
        If the pool is too small or the quantifier was fitted to it, or if an argument cannot be
        used.

    Warns
    -----
    PrevalenceWarning
        If samples may contain more than half of the pool or of its smaller class. Such samples are
        similar, and the standard errors of the summary too small.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> def draw(n):
    ...     return np.r_[rng.normal(2, 1, n), rng.normal(0, 1, n)], np.repeat([1, 0], n)
    >>> model = tc.Model.fit(*draw(500), method="o-cs,cc")
    >>> evaluation = tc.evaluate(model, *draw(2000), samples=200)
    >>> mae = evaluation.summary().to_dict()["mae"]
    >>> bool(mae[0] < mae[1]), len(evaluation)
    (True, 400)
    """
    if not isinstance(protocol, str) or protocol not in PROTOCOLS:
        raise unknown_choice_error("protocol", protocol, PROTOCOLS)
    for name, column in (("y", y), ("probabilities", probabilities)):
        same_index(name, column, "X", X)
    if samples is None:
        samples = 50 * GRID if protocol == "grid" else 1000
    level = to_float(level, "level")
    model, scores, pool_probabilities, positive = _score_pool(quantifier, X, probabilities, positive)
    draws = PROTOCOLS[protocol](scores, y, size=size, samples=samples, seed=seed, positive=positive)
    flags, _, _ = positive_flags(y, positive, "y")
    _check_pool(model, scores, pool_probabilities, level, interval)
    _refuse_training_pool(model, scores, flags)
    _warn_of_overlap(protocol, draws.size, int(flags.sum()), int((~flags).sum()))
    parts = []
    truths = []
    for rows, truth in draws.blocks():
        estimates = model.estimate_each(
            scores[rows],
            test_probabilities=None if pool_probabilities is None else pool_probabilities[rows],
            level=level,
            interval=interval,
            check=False,
        )
        parts.append(estimates.to_dict())
        truths.append(truth)
    methods = model.methods
    columns = {
        "sample": np.repeat(np.arange(draws.samples), len(methods)),
        "method": np.array(methods * draws.samples, dtype=object),
        "truth": np.repeat(np.concatenate(truths), len(methods)),
    }
    for name in ("n", "prevalence", "raw", "se", "lower", "upper"):
        columns[name] = np.concatenate([part[name] for part in parts])
    parameters = model.parameters
    train_prevalence = parameters["n_pos"] / (parameters["n_pos"] + parameters["n_neg"])
    return Evaluation(
        columns, methods=methods, protocol=protocol, size=draws.size, level=level, train_prevalence=train_prevalence
    )


def _score_pool(quantifier: Any, X: Any, probabilities: Any, positive: Any) -> tuple[Model, Floats, Floats | None, Any]:
    """Return the model, the scores and probabilities of the pool, and the positive label."""
    if isinstance(quantifier, Model):
        scores = numbers(X, "X")
        if probabilities is None:
            return quantifier, scores, None, positive
        column = numbers(probabilities, "probabilities")
        if len(column) != len(scores):
            raise ScoreError(
                f"there are {len(column)} probabilities but X has {len(scores)} scores",
                "length-mismatch",
                column="probabilities",
                values=len(column),
                others=len(scores),
            )
        return quantifier, scores, column, positive
    if not hasattr(quantifier, "scores"):
        raise OptionError(
            f"quantifier is a {type(quantifier).__name__}; it must be a truecount.Model or a fitted estimator of "
            "truecount.quantifiers",
            "option-invalid",
            name="quantifier",
        )
    if probabilities is not None:
        raise OptionError(
            "probabilities belong to a Model; an estimator has those of its classifier: leave them out",
            "option-conflict",
            name="probabilities",
        )
    scores, posteriors = quantifier.scores(X)
    return quantifier.model_, scores, posteriors, quantifier.positive_ if positive is None else positive


def _check_pool(model: Model, scores: Floats, probabilities: Floats | None, level: float, interval: str) -> None:
    """Raise an error for a value that cannot be used, drawn or not, with its row in the pool."""
    pool: _core.Columns = {
        "scores": [scores],
        "probabilities": None if probabilities is None else [probabilities],
        "weights": None,
        "starts": None,
        "groups": None,
    }
    try:
        model._core.estimate(pool, interval_options(level, "sample", interval), False)
    except TruecountError as error:
        error.fields.pop("set", None)  # there is only one
        raise located(error, "X", "probabilities") from None


def _refuse_training_pool(model: Model, scores: Floats, flags: Any) -> None:
    """Raise an error if the pool is the model's labelled scores, in any order."""
    train_scores, train_flags, _ = model._core.labelled

    def is_equal(label: bool) -> bool:
        return np.array_equal(np.sort(scores[flags == label]), np.sort(train_scores[train_flags == label]))

    if len(flags) == len(train_flags) and is_equal(True) and is_equal(False):
        raise OptionError(
            "X and y are what the model was fitted to: errors on what the methods have learnt from are too "
            "small; divide the labelled scores at random, one part for each",
            "option-invalid",
            name="X",
        )


def _warn_of_overlap(protocol: str, size: int, positive: int, negative: int) -> None:
    """Warn if samples may contain more than half of the pool, or of its smaller class."""
    if protocol == "natural":
        number, kind = positive + negative, ""
    else:
        number, kind = min((positive, "positive "), (negative, "negative "), key=lambda each: each[0])
    if 2 * size > number:
        warnings.warn(
            f"samples of {size} may hold more than half of the {number} {kind}scores; such samples are much "
            "alike, and the standard errors too small; draw smaller ones (size)",
            PrevalenceWarning,
            stacklevel=3,
        )
