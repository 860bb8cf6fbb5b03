"""Evaluation of methods on samples of known prevalence from a labelled pool."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, check_lengths, number_of_rows, numbers, same_index, take_rows
from truecount._errors import OptionError, PrevalenceWarning, TruecountError, located, option_conflict, option_error
from truecount._experiment import predicted_share
from truecount._inputs import parse_test_sets, positive_flags
from truecount._model import Model
from truecount._options import Interval, request_options, takes_options_of, to_float, to_int, unknown_choice_error
from truecount._table import Table, format_number, format_p_value, format_signed, percent

__all__ = ["APP", "NPP", "UPP", "Comparison", "Evaluation", "Summary", "evaluate"]


_MEASURES = [name for name, _ in _core.names("measures")]


def _errors(evaluation: Evaluation, reference: str) -> dict[str, Any]:
    """Return the columns of each method's errors, and of their comparison with those of the reference."""
    methods = [(name, evaluation.for_method(name)) for name in evaluation.methods]
    estimates = [(name, columns["prevalence"], columns["lower"], columns["upper"]) for name, columns in methods]
    _, first = methods[0]
    return _core.evaluate(first["truth"], first["n"], estimates, evaluation.methods.index(reference))


class Summary(Table):
    """A table of errors, a row for each method; made by `truecount.Evaluation.summary`.

    Its columns are ``method`` and ``samples``; the measures of `truecount.measures`; ``rmse``, the root of ``mse``;
    ``coverage``, the share of the intervals that contain the true prevalence; and ``width``, their mean width. Columns
    such as ``mae_se`` have the Monte Carlo standard errors of these means: those of drawing samples, given the labelled
    scores and the pool. Values are NaN if a method has no intervals.

    Errors are those of the prevalences clipped to [0, 1].
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self._samples = len(evaluation.truth)
        self._size = evaluation._size
        self._level = evaluation.level
        self._protocol_description = dict(_core.names("protocols"))[evaluation.protocol]
        self._grid = evaluation.protocol == "grid"
        means = [*_MEASURES, "rmse", "coverage", "width"]
        self._nullable = tuple(part for name in means for part in (name, f"{name}_se"))
        columns = _errors(evaluation, evaluation.methods[0])
        methods = np.array(evaluation.methods, dtype=object)
        self._columns = {"method": methods, "samples": columns["samples"]} | {
            name: columns[name] for name in self._nullable
        }

    def _header(self) -> tuple[list[str], int]:
        return ["method", "MAE", "RMSE", "RAE", "bias", "coverage", "width"], 1

    def _cells(self, row: int) -> list[str]:
        columns = self._columns
        mae, se, coverage = (columns[name][row] for name in ("mae", "mae_se", "coverage"))
        return [
            columns["method"][row],
            format_number(mae) if se != se else f"{format_number(mae)} ± {format_number(se)}",
            format_number(columns["rmse"][row]),
            format_number(columns["mrae"][row]),
            format_signed(columns["bias"][row]),
            "–" if coverage != coverage else f"{100 * coverage:.1f} %",
            format_number(columns["width"][row]),
        ]

    def _notes(self) -> list[str]:
        samples = f"{self._samples} samples of {self._size}" if self._samples > 1 else f"one sample of {self._size}"
        grid = ", taking prevalences for random that the grid fixes, and so too large" if self._grid else ""
        notes = [
            f"{samples}: {self._protocol_description}",
            "MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute error; bias: mean error",
            f"coverage, width: share of the {percent(self._level)} % intervals that contain the true prevalence, "
            "and their mean width",
            f"±: Monte Carlo standard error, from sample to sample, given the labelled scores and the pool{grid}; "
            "the columns of to_pandas() have those of all measures",
        ]
        return [line for note in notes for line in _core.wrap(note, "")]


class Comparison(Table):
    """A table that compares one method with each other method on the same samples.

    Its columns are ``method`` and ``other``; ``wins``, ``losses`` and ``ties``, the numbers of
    samples for which the method is closer to the truth than the other, less close, or equally
    close; ``difference``, the mean absolute error of the other minus that of the method, with its
    standard error ``difference_se``; ``p_value`` of Wilcoxon's signed-rank test of the differences,
    NaN if all are 0; and ``p_value_holm``, adjusted for the number of comparisons (Holm 1979).
    """

    _nullable = ("difference_se", "p_value", "p_value_holm")

    def __init__(self, evaluation: Evaluation, reference: str) -> None:
        self._reference = reference
        methods, columns = np.array(evaluation.methods, dtype=object), _errors(evaluation, reference)
        others = methods != reference
        counts = {"wins": "reference_wins", "losses": "reference_losses", "ties": "ties"}
        self._columns = {"method": np.array([reference] * others.sum(), dtype=object), "other": methods[others]}
        self._columns |= {name: columns[count][others].astype(np.int64) for name, count in counts.items()}
        self._columns |= {name: columns[name][others] for name in ("difference", *self._nullable)}

    def _header(self) -> tuple[list[str], int]:
        return [f"{self._reference} against", "wins", "losses", "ties", "difference", "se", "p (Holm)"], 1

    def _cells(self, row: int) -> list[str]:
        columns = self._columns
        return [
            columns["other"][row],
            *(str(columns[name][row]) for name in ("wins", "losses", "ties")),
            format_signed(columns["difference"][row]),
            format_number(columns["difference_se"][row]),
            format_p_value(columns["p_value_holm"][row]),
        ]

    def _notes(self) -> list[str]:
        name = self._reference
        note = (
            f"wins, losses: samples on which {name} is closer to the truth, or farther; difference: the other's "
            f"mean absolute error less that of {name}, and its standard error; p: Wilcoxon's signed-rank test of the "
            "differences, adjusted for the number of comparisons"
        )
        return _core.wrap(note, "")


GRID = 21
"""Number of prevalences in the grid: 0, 0.05, …, 1."""

_BLOCK = 1 << 20
"""Row numbers in memory at once: 8 MB."""


class Protocol:
    """A sequence of samples of one size, as pairs of rows and prevalence.

    A sample depends on the seed and its number only, and is the same in the command ``truecount evaluate``. Within each
    class, rows are drawn without replacement and with equal probabilities; positives come first.
    """

    name: ClassVar[str]
    """The name of the protocol in the command and in `truecount.evaluate`."""

    def __init__(self, X: Any, y: Any, *, size: int, samples: int = 100, seed: int = 1, positive: Any = None) -> None:
        self.size = to_int(size, "size", 1)
        self.samples = to_int(samples, "samples", 1)
        self.seed = to_int(seed, "seed", 0)
        same_index("y", y, "X", X)
        self._X = X
        self._positive, _, _ = positive_flags(y, positive, "y")
        rows = number_of_rows(X)
        check_lengths({"labels": self._positive}, "rows of X", rows)
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
            raise option_error(
                "samples",
                f"samples is {samples}; it must be a multiple of the grid's {GRID} prevalences, such as {turns}",
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


_PROTOCOLS: dict[str, type[Protocol]] = {protocol.name: protocol for protocol in (UPP, APP, NPP)}


def protocol_class(name: Any) -> type[Protocol]:
    """Return the protocol with this name."""
    if isinstance(name, str) and name in _PROTOCOLS:
        return _PROTOCOLS[name]
    meant = [known for known, each in _PROTOCOLS.items() if each is name or each.__name__ == str(name).upper()]
    error = unknown_choice_error("protocol", name, _PROTOCOLS)
    raise error.advising(f"; did you mean '{meant[0]}'?" if meant else "")


@dataclass(eq=False, repr=False)
class Evaluation(Table):
    """A table of estimates with the true prevalence, a row for each sample and method.

    It is made by `truecount.evaluate`, and prints its `summary`.

    Attributes
    ----------
    protocol : str
        The protocol of the samples: "uniform", "grid" or "natural".
    level : float
        Nominal coverage of the intervals.
    train_prevalence : float
        Prevalence of the labelled scores that the methods were fitted to; NaN for quantifiers of other packages.
    """

    _nullable = ("se", "lower", "upper")

    _columns: dict[str, Any]
    _methods: list[str]
    _size: int
    protocol: str
    level: float
    train_prevalence: float

    @property
    def methods(self) -> list[str]:
        """The methods, in the order of the rows of each sample."""
        return list(self._methods)

    @property
    def truth(self) -> Floats:
        """The true prevalence of each sample, shape (n_samples,)."""
        return np.asarray(self._column_of("truth", self._methods[0]))

    def for_method(self, method: str) -> dict[str, NDArray[Any]]:
        """Return the columns of one method, in the order of the samples.

        Returns
        -------
        dict of str to ndarray, shape (n_samples,)
        """
        self._check_method(method)
        return {name: self._column_of(name, method) for name in self._columns if name != "method"}

    def _check_method(self, method: str) -> None:
        if method not in self._methods:
            message = f"'{method}' is not among the evaluated methods: {', '.join(self._methods)}"
            raise OptionError(message, "method-unknown", name=method, known=self._methods)

    def _column_of(self, name: str, method: str) -> NDArray[Any]:
        return np.ascontiguousarray(self._columns[name][self._methods.index(method) :: len(self._methods)])

    def summary(self) -> Summary:
        """Return each method's errors, and the coverage and width of its intervals.

        They are means over the samples, with Monte Carlo standard errors.
        """
        return Summary(self)

    def compare(self, reference: str | None = None) -> Comparison:
        """Compare the errors of one method with those of each other method.

        Parameters
        ----------
        reference : str, optional
            The method that is compared with all others, by default the first.
        """
        if len(self._methods) < 2:
            raise option_error("reference", f"there is only one method, {self._methods[0]}; a comparison needs two")
        reference = self._methods[0] if reference is None else reference
        self._check_method(reference)
        return Comparison(self, reference)

    def __repr__(self) -> str:
        return repr(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()


@takes_options_of()
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
    quantifier : Model, fitted estimator of truecount.quantifiers, or object with a method ``predict``
        The quantifier to evaluate. Of an estimator with several classifiers, one scores each row. ``predict`` of any
        other object, such as a quantifier of QuaPy or mlquantify, returns the shares of the classes of a sample of X:
        in the order of the sorted labels, or by label.
    X : array-like of float, shape (n,); for an estimator its features, n rows
        Scores of the pool. The quantifier must not have been fitted to them, because its errors would be too small.
    y : array-like, shape (n,)
        The labels of the pool.
    protocol : {"uniform", "grid", "natural"}
        The protocol of the samples: `UPP`, `APP` or `NPP`.
    samples : int, optional
        Number of samples; by default 1000, and for the grid 1050.
    size : int, default 250
        Number of scores in each sample.
    seed : int, default 1
        Seed of the samples; the command ``truecount evaluate`` draws the same samples with the same seed.
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
    make_draws = protocol_class(protocol)
    for name, column in (("y", y), ("probabilities", probabilities)):
        same_index(name, column, "X", X)
    if samples is None:
        samples = 50 * GRID if protocol == "grid" else 1000
    level = to_float(level, "level")
    if not isinstance(quantifier, Model) and not hasattr(quantifier, "scores") and hasattr(quantifier, "predict"):
        if probabilities is not None or interval != "wilson":
            raise option_conflict("quantifier", "probabilities and interval are for quantifiers of truecount")
        draws = make_draws(X, y, size=size, samples=samples, seed=seed, positive=positive)
        _warn_of_overlap(protocol, draws.size, int(draws._positive.sum()), int((~draws._positive).sum()))
        truth, prevalence = predicted_prevalences(quantifier, draws, y, positive)
        name, samples = type(quantifier).__name__, len(draws)
        columns: dict[str, Any] = {"sample": np.arange(samples), "method": np.array([name] * samples, dtype=object)}
        columns |= {"truth": truth, "n": np.full(samples, draws.size), "prevalence": prevalence, "raw": prevalence}
        columns |= {end: np.full(samples, np.nan) for end in ("se", "lower", "upper")}
        return Evaluation(columns, [name], draws.size, draws.name, level, np.nan)
    model, scores, pool_probabilities, positive = _score_pool(quantifier, X, probabilities, positive)
    draws = make_draws(scores, y, size=size, samples=samples, seed=seed, positive=positive)
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
    return Evaluation(columns, methods, draws.size, protocol, level, train_prevalence)


def predicted_prevalences(quantifier: Any, draws: Protocol, y: Any, positive: Any) -> tuple[Floats, Floats]:
    """Return the prevalences of samples, and those that the `predict` of another package's quantifier returns."""
    _, positive, negative = positive_flags(y, positive, "y")
    index = np.unique([negative, positive]).tolist().index(positive)
    truths, estimates = [], []
    for sample, truth in draws:
        truths.append(truth)
        estimates.append(predicted_share(quantifier, sample, index))
    return np.array(truths), np.array(estimates)


def _score_pool(quantifier: Any, X: Any, probabilities: Any, positive: Any) -> tuple[Model, Floats, Floats | None, Any]:
    """Return the model, the scores and probabilities of the pool, and the positive label."""
    if isinstance(quantifier, Model):
        scores = numbers(X, "X")
        if probabilities is None:
            return quantifier, scores, None, positive
        column = numbers(probabilities, "probabilities")
        check_lengths({"probabilities": column}, "scores", len(scores))
        return quantifier, scores, column, positive
    if not hasattr(quantifier, "scores"):
        raise option_error(
            "quantifier",
            f"quantifier is a {type(quantifier).__name__}; it must be a truecount.Model, a fitted estimator of "
            "truecount.quantifiers, or have a method predict(X) that returns shares",
        )
    if probabilities is not None:
        raise option_conflict(
            "probabilities", "probabilities belong to a Model; an estimator has those of its classifier: leave them out"
        )
    scores, posteriors = quantifier.scores(X)
    return quantifier.model_, scores, posteriors, quantifier.positive_ if positive is None else positive


def _check_pool(model: Model, scores: Floats, probabilities: Floats | None, level: float, interval: str) -> None:
    """Raise an error for a value that cannot be used, drawn or not, with its row in the pool."""
    pool = parse_test_sets(scores, probabilities, None, None).columns
    try:
        options = request_options({"level": level, "interval": "wilson" if interval == "bootstrap" else interval})
        model._core.estimate(pool, {"options": options, "check": False})
    except TruecountError as error:
        error.fields.pop("set", None)  # there is only one
        raise located(error, "X", "probabilities") from None


def _refuse_training_pool(model: Model, scores: Floats, flags: Any) -> None:
    """Raise an error if the pool is the model's labelled scores, in any order."""
    train_scores, train_flags, _ = model._core.labelled

    def is_equal(label: bool) -> bool:
        return np.array_equal(np.sort(scores[flags == label]), np.sort(train_scores[train_flags == label]))

    if len(flags) == len(train_flags) and is_equal(True) and is_equal(False):
        raise option_error(
            "X",
            "X and y are what the model was fitted to: errors on what the methods have learnt from are too "
            "small; divide the labelled scores at random, one part for each",
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
            stacklevel=4,
        )
