"""Errors and warnings: a code, fields, and a sentence that names Python's arguments.

The compiled half creates its errors by `error`, and its warnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

__all__ = [
    "EstimateWarning",
    "LabelError",
    "ModelError",
    "OptionError",
    "PrevalenceWarning",
    "ScoreError",
    "TallyError",
    "TruecountError",
]


_E = TypeVar("_E", bound="TruecountError")


class TruecountError(ValueError):
    """An error about an argument; the message says what is wrong, where, and how to fix it.

    Attributes
    ----------
    code : str
        The kind of error, in words joined by hyphens. Codes are stable across versions, messages are not.
    fields : dict
        Details by name, which depend on the code: ``row``, ``value``, ``column``, ``method`` and others.

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
    "column-invalid": (ScoreError, "The argument is not a one-dimensional column, or it is empty."),
    "column-twice": (OptionError, "Two columns have the same name."),
    "experiment-not-possible": (OptionError, "The design of an experiment, or a file that it names, cannot be used."),
    "group-not-writable": (TallyError, "The value of a group is of a type that a tally file cannot hold."),
    "group-twice": (ScoreError, "Several rows of counts are of one group."),
    "index-mismatch": (ScoreError, "Two columns of pandas, whose rows belong together, have different indexes."),
    "label-missing": (LabelError, "A label is missing."),
    "labels-not-two": (LabelError, "There are not two different labels."),
    "option-conflict": (OptionError, "Two arguments do not go together."),
    "option-invalid": (OptionError, "An argument has a value that it cannot have."),
    "positive-unknown": (LabelError, "No row has the label that is named as positive."),
    "positive-unnamed": (LabelError, "The positive label is not named."),
    "size-missing": (OptionError, "A group has no size."),
    "size-unused": (OptionError, "There is a size of a group without scores."),
    "sizes-differ": (OptionError, "A group has several sizes."),
    "tallies-differ": (TallyError, "Tallies that are to be added are by different columns."),
    "tally-twice": (TallyError, "A tally is added to itself."),
    "test-unit-missing": (ScoreError, "The cluster or the stratum of a test score is missing."),
    "unit-missing": (LabelError, "The cluster or the stratum of a labelled row is missing."),
    "value-missing": (ScoreError, "A value in a column of numbers is missing: None, null, NA or masked."),
    "value-not-number": (ScoreError, "A value in a column of numbers is not a number."),
    "value-not-whole": (ScoreError, "A count is not a non-negative integer."),
    "value-not-comparable": (ScoreError, "A value in a column of labels or groups is not hashable."),
}
"""The codes of this package in addition to the library's, with their classes and meanings."""


def option_error(name: str, message: str, **fields: Any) -> OptionError:
    """Return the error for an argument that cannot be used."""
    return OptionError(message, "option-invalid", name=name, **fields)


def invalid_option(name: str, value: Any, must: str) -> OptionError:
    """Return the error for an argument with a value that it cannot have."""
    return option_error(name, f"{name} is {short_repr(value)}; {must}", value=value)


def option_conflict(name: str, message: str) -> OptionError:
    """Return the error for an argument that does not go with another."""
    return OptionError(message, "option-conflict", name=name)


def invalid_column(column: str, message: str) -> ScoreError:
    """Return the error for an argument that is no column."""
    return ScoreError(message, "column-invalid", column=column)


def length_error(message: str, column: str, values: int, others: int) -> ScoreError:
    """Return the error for a column with another number of values than other columns."""
    return ScoreError(message, "length-mismatch", column=column, values=values, others=others)


class EstimateWarning(str):
    """A warning about an estimate: a text with a code, a severity and fields.

    Attributes
    ----------
    code : str
        The kind of warning, in words joined by hyphens. Codes are stable across versions, texts are not.
    severity : str
        "note" (nothing to do), "caution" (read this) or "unreliable" (do not publish).
    fields : dict
        Details by name, which depend on the code.

    Examples
    --------
    >>> import truecount as tc
    >>> estimate = tc.estimate([2.1, 1.4, -0.2, 0.3], [1, 1, 0, 0], [1.7, 0.9])
    >>> [(warning.code, warning.severity, warning.fields) for warning in estimate.warnings]
    [('outside-unit-interval', 'note', {'raw': 1.0147613681959038}), ('few-labelled', 'unreliable', {'n': 2}), ('no-spread', 'unreliable', {})]
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


def error(kind: str, code: str, message: str, fields: Mapping[str, Any]) -> TruecountError:
    """Return an error of the library as an exception."""
    return _CLASSES[kind](message, code, **fields)


def with_score_transform(error: TruecountError) -> TruecountError:
    """Replace `transform` in an error by `score_transform`, the name of this argument in estimators.

    scikit-learn takes an estimator with an attribute `transform` for a transformer.
    """
    message, fields = str(error), dict(error.fields)
    if fields.get("name") == "transform":
        message, fields["name"] = message.replace("transform", "score_transform", 1), "score_transform"
    elif error.code in ("transform-unused", "family-transform-conflict"):
        for text in ("transform has no effect", "leave out transform"):
            message = message.replace(text, text.replace("transform", "score_transform"), 1)
    return type(error)(message, error.code, **fields)


def located(error: _E, scores: str, probabilities: str, weights: str = "weights") -> _E:
    """Add the name of the argument to an error of the library about a column."""
    names = {"scores": scores, "probabilities": probabilities, "weights": weights}
    name = names.get(error.fields.get("column", ""))
    return error if name is None else error.at(name, column=name)


_OTHER_ATTRIBUTES = {
    **dict.fromkeys(("ci", "conf_int", "confint", "confidence_interval"), "interval"),
    **dict.fromkeys(("bse", "std_err", "std_error", "stderr"), "se"),
    **dict.fromkeys(("predict", "quantify"), "estimate"),
}
"""Names of attributes in other packages, with the names used here."""


class AttributeHints:
    """A class whose error about an attribute name of another package suggests the name used here."""

    if not TYPE_CHECKING:  # type checkers would accept any attribute

        def __getattr__(self, name: str) -> Any:
            known = _OTHER_ATTRIBUTES.get(name)
            if known is None or not hasattr(self, known):
                return object.__getattribute__(self, name)  # raises the usual error
            message = f"{type(self).__name__!r} object has no attribute {name!r}; did you mean {known!r}?"
            raise AttributeError(message, name=name, obj=self)


_MARKS = {"note": "", "caution": "*", "unreliable": "†"}
"""The mark next to an estimate by severity, in ascending order."""

_SEVERITIES = [*_MARKS]

_MAX_NAMES = 5


def max_severity(warnings: Iterable[EstimateWarning]) -> str | None:
    """Return the highest severity; None without warnings."""
    return max((warning.severity for warning in warnings), key=_SEVERITIES.index, default=None)


def severity_mark(severity: str | None) -> str:
    """Return the mark next to an estimate whose highest severity is this."""
    return "" if severity is None else _MARKS[severity]


def warning_lines(warnings: Iterable[EstimateWarning]) -> list[str]:
    """Return a line for each warning of a single result."""
    return [f"{warning.severity} ({warning.code}): {warning}" for warning in warnings]


def grouped_warning_lines(rows: Sequence[tuple[str, Iterable[EstimateWarning]]]) -> list[str]:
    """Return a line for each kind of warning of these named rows."""
    by_code: dict[str, list[tuple[str, EstimateWarning]]] = {}
    for name, warnings in rows:
        for warning in warnings:
            by_code.setdefault(warning.code, []).append((name, warning))
    kinds = sorted(by_code.values(), key=lambda kind: -_SEVERITIES.index(kind[0][1].severity))
    return [_line(kind, len(rows)) for kind in kinds]


def _line(warned: Sequence[tuple[str, EstimateWarning]], rows: int) -> str:
    """Return the line about one kind of warning, which these named rows have."""
    name, first = warned[0]
    more = f" and {len(warned) - _MAX_NAMES} more" if len(warned) > _MAX_NAMES else ""
    names = ", ".join(name for name, _ in warned[:_MAX_NAMES]) + more
    where = "" if rows == 1 else " – all rows" if len(warned) == rows else f" – {names}"
    example = f" (as of {name})" if len({str(warning) for _, warning in warned}) > 1 else ""
    return f"{_MARKS[first.severity]} {first.severity}, {first.code}{where}: {first}{example}".strip()


def short_repr(value: Any) -> str:
    """Return the repr of a value, shortened for a message; of a table only its type."""
    text = repr(value.item() if isinstance(value, np.generic) and value.dtype.kind not in "mM" else value)
    if "\n" in text:
        return f"<{type(value).__name__}>"
    return text if len(text) <= 60 else f"{text[:59]}…"
