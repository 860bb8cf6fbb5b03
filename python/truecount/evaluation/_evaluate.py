"""Estimating many samples whose prevalence is known."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from truecount import _core
from truecount._columns import Floats, numbers, same_index
from truecount._conditions import OptionError, PrevalenceWarning, ScoreError, TruecountError, located
from truecount._labels import positives
from truecount._model import Model
from truecount._names import Interval
from truecount._options import real, reporting, unknown_choice
from truecount.evaluation._evaluation import Evaluation
from truecount.evaluation._protocols import GRID, PROTOCOLS

__all__ = ["evaluate"]


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
    """Measure how far estimates are off, on samples drawn from a labelled pool, whose prevalence is known.

    Parameters
    ----------
    quantifier : Model or fitted estimator of truecount.quantifiers
        What estimates.
    X : array-like of float, shape (n,); for an estimator its features, n rows
        Scores of the pool. They must not be those that the quantifier was fitted to: errors on what a method has learnt from
        are too small.
    y : array-like, shape (n,)
        Their labels.
    protocol : {"uniform", "grid", "natural"}
        Which prevalences the samples have: those of `UPP`, `APP` or `NPP`.
    samples : int, optional
        Number of samples; by default 1000, of the grid 1050.
    size : int, default 250
        Scores in each sample.
    seed : int, default 1
        The same seed gives the same samples, here and from the command ``truecount evaluate``.
    positive : label, optional
        The label of a positive; by default the estimator's, or True, or 1 beside 0 or -1.
    probabilities : array-like of float, shape (n,), optional
        A classifier's probabilities of the pool, for a model that was fitted with some.
    level : float, default 0.95
        Nominal coverage of the intervals, whose target is the sample.
    interval : {"wilson", "wald", "bootstrap"}
        As in `truecount.estimate`.

    Returns
    -------
    Evaluation
        The estimates beside the truth, a row for each sample and method; `Evaluation.summary` has the errors, and
        `Evaluation.compare` tells which method is closer.

    Raises
    ------
    TruecountError
        For a pool that is too small, one that the quantifier was fitted to, and input that cannot be used.

    Warns
    -----
    PrevalenceWarning
        Where samples may hold more than half of the pool or of its smaller class: they are much alike, and the standard errors
        of the summary too small.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> def drawn(n):
    ...     return np.r_[rng.normal(2, 1, n), rng.normal(0, 1, n)], np.repeat([1, 0], n)
    >>> found = tc.evaluate(tc.Model.fit(*drawn(500), method="o-cs,cc"), *drawn(2000), samples=200)
    >>> mae = found.summary().to_dict()["mae"]
    >>> bool(mae[0] < mae[1]), len(found)
    (True, 400)
    """
    if not isinstance(protocol, str) or protocol not in PROTOCOLS:
        raise unknown_choice("protocol", protocol, PROTOCOLS)
    for name, beside in (("y", y), ("probabilities", probabilities)):
        same_index(name, beside, "X", X)
    if samples is None:
        samples = 50 * GRID if protocol == "grid" else 1000
    level = real(level, "level")
    model, scores, pool_probabilities, positive = _scored(quantifier, X, probabilities, positive)
    draws = PROTOCOLS[protocol](scores, y, size=size, samples=samples, seed=seed, positive=positive)
    flags, _, _ = positives(y, positive, "y")
    _usable(model, scores, pool_probabilities, level, interval)
    _not_learnt_from(model, scores, flags)
    _overlap(protocol, draws.size, int(flags.sum()), int((~flags).sum()))
    parts = []
    truths = []
    for rows, truth in draws.blocks():
        drawn = None if pool_probabilities is None else pool_probabilities[rows]
        found = model.estimate_each(scores[rows], test_probabilities=drawn, level=level, interval=interval, check=False)
        parts.append(found.to_dict())
        truths.append(truth)
    methods = model.methods
    columns = {
        "sample": np.repeat(np.arange(draws.samples), len(methods)),
        "method": np.array(methods * draws.samples, dtype=object),
        "truth": np.repeat(np.concatenate(truths), len(methods)),
    }
    for name in ("n", "prevalence", "raw", "se", "lower", "upper"):
        columns[name] = np.concatenate([part[name] for part in parts])
    learnt = model.learnt
    train_prevalence = learnt["n_pos"] / (learnt["n_pos"] + learnt["n_neg"])
    return Evaluation(
        columns, methods=methods, protocol=protocol, size=draws.size, level=level, train_prevalence=train_prevalence
    )


def _scored(quantifier: Any, X: Any, probabilities: Any, positive: Any) -> tuple[Model, Floats, Floats | None, Any]:
    """The model, scores and probabilities of the pool, and the label of a positive."""
    if isinstance(quantifier, Model):
        scores = numbers(X, "X")
        if probabilities is None:
            return quantifier, scores, None, positive
        given = numbers(probabilities, "probabilities")
        if len(given) != len(scores):
            raise ScoreError(
                f"there are {len(given)} probabilities but X has {len(scores)} scores",
                "length-mismatch",
                column="probabilities",
                values=len(given),
                others=len(scores),
            )
        return quantifier, scores, given, positive
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
    scores, found = quantifier.scores(X)
    return quantifier.model_, scores, found, quantifier.positive_ if positive is None else positive


def _usable(model: Model, scores: Floats, probabilities: Floats | None, level: float, interval: str) -> None:
    """Refuses a pool that cannot be estimated as a whole: here the row is known, and no sample need hold it."""
    given = None if probabilities is None else [probabilities]
    pool: _core.Columns = {"scores": [scores], "probabilities": given, "weights": None, "starts": None, "groups": None}
    try:
        model._core.estimate(pool, reporting(level, "sample", interval), False)
    except TruecountError as error:
        error.fields.pop("set", None)  # there is one
        raise located(error, "X", "probabilities") from None


def _not_learnt_from(model: Model, scores: Floats, flags: Any) -> None:
    """Refuses the labelled scores themselves, in whatever order."""
    learnt_from, learnt_flags, _ = model._core.labelled

    def sorted_scores(of: Floats, which: Any, label: bool) -> Floats:
        return np.sort(of[which == label])

    if len(flags) == len(learnt_flags) and all(
        np.array_equal(sorted_scores(scores, flags, label), sorted_scores(learnt_from, learnt_flags, label))
        for label in (True, False)
    ):
        raise OptionError(
            "X and y are what the model was fitted to: errors on what the methods have learnt from are too small; divide the "
            "labelled scores at random, one part for each",
            "option-invalid",
            name="X",
        )


def _overlap(protocol: str, size: int, positive: int, negative: int) -> None:
    """Warns of samples that have most of the pool, or of its smaller class, in common."""
    if protocol == "natural":
        whole, which = positive + negative, ""
    else:
        whole, which = min((positive, "positive "), (negative, "negative "), key=lambda each: each[0])
    if 2 * size > whole:
        warnings.warn(
            f"samples of {size} may hold more than half of the {whole} {which}scores; such samples are much alike, and the "
            "standard errors too small; draw smaller ones (size)",
            PrevalenceWarning,
            stacklevel=3,
        )
