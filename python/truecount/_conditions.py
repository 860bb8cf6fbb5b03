"""Errors and warnings: a code, fields, and a sentence that names Python's arguments.

The compiled half creates its errors and warnings by `error` and `estimate_warning`, from the library's code,
sentence and fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

__all__ = [
    "EstimateWarning",
    "LabelError",
    "ModelError",
    "OptionError",
    "PrevalenceWarning",
    "ScoreError",
    "TallyError",
    "TruecountError",
    "error",
    "estimate_warning",
    "located",
    "with_score_transform",
]

_E = TypeVar("_E", bound="TruecountError")


class TruecountError(ValueError):
    """An error about an argument; the message says what is wrong, where, and how to fix it.

    Attributes
    ----------
    code : str
        The kind of error, in words joined by hyphens. Codes are stable across versions, messages
        are not.
    fields : dict
        Details by name, which depend on the code: ``row``, ``value``, ``column``, ``method`` and
        others.

    Examples
    --------
    >>> import truecount as tc
    >>> try:
    ...     tc.estimate([2.1, 1.4, -0.2, 0.3], [1, 1, 0, 0], [1.7, float("nan")])
    ... except tc.ScoreError as error:
    ...     print(error.code, error.fields["column"], error.fields["row"])
    score-not-finite test_scores 1
    """

    code: str
    fields: dict[str, Any]

    # Unpickling creates the exception with the message alone, and then sets the attributes.
    def __init__(self, message: str, code: str = "", **fields: Any) -> None:
        super().__init__(message)
        self.code = code
        self.fields = fields

    def at(self: _E, place: str, **fields: Any) -> _E:
        """Return this error with its place before the message, and with more fields."""
        return type(self)(f"{place}: {self}", self.code, **(self.fields | fields))

    def advising(self: _E, advice: str) -> _E:
        """Return this error with more advice."""
        return type(self)(f"{self}{advice}", self.code, **self.fields)


class PrevalenceWarning(UserWarning):
    """A warning about an estimate that the result itself has no place for."""


class ScoreError(TruecountError):
    """A column that cannot be used: of another length, or with an invalid or missing value."""


class LabelError(TruecountError):
    """Labelled scores that cannot be used: not two labels, or classes too small or too similar."""


class OptionError(TruecountError):
    """An option with an impossible value, or options that do not go together."""


class ModelError(TruecountError):
    """A file or text that is damaged or not a model."""


class TallyError(TruecountError):
    """A tally that is damaged or belongs to another model, or tallies that cannot be added."""


_CLASSES: dict[str, type[TruecountError]] = {
    "file": TallyError,  # the compiled half reads no other files
    "scores": ScoreError,
    "labels": LabelError,
    "options": OptionError,
    "model": ModelError,
    "tally": TallyError,
}
"""The classes of errors by the library's kinds."""

CODES = {
    "audit-unused": (ScoreError, "There is an audited item of a group without scores."),
    "classifier-learns-nothing": (LabelError, "A classifier does not score held-out positives higher than negatives."),
    "column-invalid": (ScoreError, "What was given is no column: of another type, of another shape, or empty."),
    "column-twice": (OptionError, "Two columns have the same name."),
    "group-not-writable": (TallyError, "The value of a group is of a type that a tally file cannot hold."),
    "group-twice": (ScoreError, "Several rows of counts are of one group."),
    "index-mismatch": (ScoreError, "Two columns of pandas, whose rows belong together, have different indexes."),
    "cluster-missing": (LabelError, "A cluster is missing."),
    "label-missing": (LabelError, "A label is missing."),
    "labels-not-two": (LabelError, "There are not two different labels."),
    "option-conflict": (OptionError, "Two arguments do not go together."),
    "option-invalid": (OptionError, "An argument has a value that it cannot have."),
    "positive-unknown": (LabelError, "No row has the label that is said to be the positive one."),
    "positive-unnamed": (LabelError, "It is not said which of the two labels is the positive one."),
    "size-missing": (OptionError, "A group has no size."),
    "size-unused": (OptionError, "There is a size of a group without scores."),
    "sizes-differ": (OptionError, "A group has several sizes."),
    "tallies-differ": (TallyError, "Tallies that are to be added are by different columns."),
    "value-missing": (ScoreError, "A value in a column of numbers is missing: None, null, NA or masked."),
    "value-not-number": (ScoreError, "A value in a column of numbers is none."),
    "value-not-whole": (ScoreError, "A count is no whole number."),
    "value-not-comparable": (ScoreError, "A value in a column of labels or groups cannot be told from others."),
}
"""The codes of this package in addition to the library's, with their classes and meanings."""

_ADVICE = {
    "classes-not-separated-at-cutoff": " (cutoff)",
    "few-values": " (rates='labels', or a method such as 'es', 'ac' or 'pacc')",
    "interval-of-population": " (interval='wilson')",
    "prior-shift-rejected": "; see truecount.check",
    "prior-shift-doubtful": "; see truecount.check",
    "pool-too-small": " (size)",
    "sql-column-twice": " (by)",
    "not-calibrated": " (CalibratedClassifierCV with ensemble=False)",
    "threshold-not-reached": " (o-cs, o-ms), or another method",
}
"""Texts to append to the library's sentences: Python's arguments and functions for a remedy."""

_SENTENCES = {
    "bootstrap-of-weighted": 'interval="bootstrap" and weights do not go together: drawing weighted scores anew '
    "would not imitate the survey; leave out one of them",
    "bootstrap-of-clusters": 'interval="bootstrap" and train_clusters do not go together: it draws scores, not '
    "clusters; leave out one of them",
    "label-design-not-possible": "train_weights and train_clusters are not possible for {method}; the methods "
    "that take them are {able} (those of posterior probabilities with train_probabilities)",
    "family-unused": "no family is fitted for {methods}: leave out family, or add rates='family' (for es), or a "
    "method that fits one: {able}",
    "transform-unused": "scores are not transformed for {methods}: leave out transform, or add "
    "rates='family' (for es), or a method that transforms them: {able}",
    "threshold-unused": "threshold belongs to the method cs, which is not asked for; o-cs and t-cs have "
    "thresholds of their own",
    "too-few-resamples": "resamples is {resamples}; an interval of level {level} needs at least {least}, and "
    "many more to be exact",
    "too-many-resamples": "resamples is {resamples}; at most {most} are possible",
}
"""Sentences with Python's arguments, instead of the library's; fields are in braces."""


class EstimateWarning(str):
    """A warning about an estimate: a text with a code, a severity and fields.

    Attributes
    ----------
    code : str
        The kind of warning, in words joined by hyphens. Codes are stable across versions, texts are
        not.
    severity : str
        "note" (nothing to do), "caution" (read this) or "unreliable" (do not publish).
    fields : dict
        Details by name, which depend on the code.

    Examples
    --------
    >>> import truecount as tc
    >>> estimate = tc.estimate([2.1, 1.4, -0.2, 0.3], [1, 1, 0, 0], [1.7, 0.9])
    >>> [(warning.code, warning.severity, warning.fields) for warning in estimate.warnings]
    [('few-labelled', 'unreliable', {'n': 2}), ('no-spread', 'unreliable', {})]
    """

    code: str
    severity: str
    fields: dict[str, Any]

    def __new__(cls, text: str, code: str, severity: str, fields: Mapping[str, Any]) -> EstimateWarning:
        warning = super().__new__(cls, text)
        warning.code, warning.severity, warning.fields = code, severity, dict(fields)
        return warning

    def __getnewargs__(self) -> Any:
        return str(self), self.code, self.severity, self.fields

    def advising(self, advice: str) -> EstimateWarning:
        """Return this warning with more advice."""
        return EstimateWarning(f"{self}{advice}", self.code, self.severity, self.fields)


def error(kind: str, code: str, sentence: str, fields: Mapping[str, Any]) -> TruecountError:
    """Return an error of the library as an exception."""
    return _CLASSES[kind](_message(code, sentence, fields), code, **fields)


def estimate_warning(severity: str, code: str, sentence: str, fields: Mapping[str, Any]) -> EstimateWarning:
    """Return a warning of the library as a text."""
    return EstimateWarning(_message(code, sentence, fields), code, severity, fields)


def _message(code: str, sentence: str, fields: Mapping[str, Any]) -> str:
    if code not in _SENTENCES:
        return sentence + _ADVICE.get(code, "")
    texts = {name: ", ".join(value) if isinstance(value, list) else value for name, value in fields.items()}
    return _SENTENCES[code].format(**texts)


def with_score_transform(error: TruecountError) -> TruecountError:
    """Replace `transform` in an error by `score_transform`, the name of this argument in estimators.

    scikit-learn takes an estimator with an attribute `transform` for a transformer.
    """
    message, fields = str(error), dict(error.fields)
    if fields.get("name") == "transform":
        message, fields["name"] = message.replace("transform", "score_transform", 1), "score_transform"
    elif error.code == "transform-unused":
        message = message.replace("leave out transform", "leave out score_transform", 1)
    return type(error)(message, error.code, **fields)


def located(error: _E, scores: str, probabilities: str, weights: str = "weights") -> _E:
    """Add the name of the argument to an error of the library about a column."""
    names = {"scores": scores, "probabilities": probabilities, "weights": weights}
    name = names.get(error.fields.get("column", ""))
    return error if name is None else error.at(name, column=name)
