"""Errors and warnings as values: a code, what it is about, and words that name Python's arguments.

The compiled half makes its errors and warnings with `error` and `caveat`, from the library's sentence, code and fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

__all__ = [
    "Caveat",
    "LabelError",
    "ModelError",
    "OptionError",
    "PrevalenceWarning",
    "ScoreError",
    "TallyError",
    "TruecountError",
    "caveat",
    "error",
    "located",
]

_E = TypeVar("_E", bound="TruecountError")


class TruecountError(ValueError):
    """Input that cannot be used; the message says what, where and what to do.

    Attributes
    ----------
    code : str
        What is wrong, in a few words joined by hyphens. It stays the same from version to version; the message does not.
    fields : dict
        What it is about, by name: ``row``, ``value``, ``column``, ``method`` and others, as the code has them.

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

    # A message alone is what a copy from another process begins with.
    def __init__(self, message: str, code: str = "", **fields: Any) -> None:
        super().__init__(message)
        self.code = code
        self.fields = fields

    def at(self: _E, place: str, **fields: Any) -> _E:
        """The same error with the place where it is, and fields that tell more of it."""
        return type(self)(f"{place}: {self}", self.code, **(self.fields | fields))

    def advising(self: _E, advice: str) -> _E:
        """The same error with more advice."""
        return type(self)(f"{self}{advice}", self.code, **self.fields)


class PrevalenceWarning(UserWarning):
    """What is worth knowing of a prevalence where there is no room for it in the result."""


class ScoreError(TruecountError):
    """A column that cannot be used: a value that is no number, is missing, or lies outside its range; another length."""


class LabelError(TruecountError):
    """Labelled scores that cannot be learnt from: labels that are not two, a class too small, classes that cannot be told apart."""


class OptionError(TruecountError):
    """Something asked for that there is not, or that does not go together."""


class ModelError(TruecountError):
    """A file or text that is no model, or a damaged one."""


class TallyError(TruecountError):
    """A tally of another model, one that is damaged, or tallies that cannot be added."""


_CLASSES: dict[str, type[TruecountError]] = {
    "file": TallyError,  # No other files are read by the compiled half.
    "scores": ScoreError,
    "labels": LabelError,
    "options": OptionError,
    "model": ModelError,
    "tally": TallyError,
}
"""The library's name for what an error is about, and the class of such errors."""

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
"""The codes that this package has beside the library's: their class, and what they mean."""

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
"""What the library's sentences lack: the arguments and functions that a remedy has in Python."""

_INSTEAD = {
    "bootstrap-of-weighted": 'interval="bootstrap" and weights do not go together: drawing weighted scores anew would not '
    "imitate the survey; leave out one of them",
    "bootstrap-of-clusters": 'interval="bootstrap" and train_clusters do not go together: it draws scores, not clusters; leave out '
    "one of them",
    "label-design-not-possible": "train_weights and train_clusters are not possible for {method}; the methods that take them are {able} "
    "(those of posterior probabilities with train_probabilities)",
    "family-unused": "no family is fitted for {methods}: leave out family, or add rates='family' (for es), or a method that fits one: "
    "{able}",
    "transform-unused": "scores are not transformed for {methods}: leave out transformation, or add rates='family' (for es), or a method "
    "that transforms them: {able}",
    "threshold-unused": "threshold belongs to the method cs, which is not asked for; o-cs and t-cs have thresholds of their own",
    "too-few-resamples": "resamples is {resamples}; an interval of level {level} needs at least {least}, and many more to be exact",
    "too-many-resamples": "resamples is {resamples}; at most {most} are possible",
}
"""Sentences in the words of arguments, in the place of the library's; a field stands in braces."""


class Caveat(str):
    """A reason to read an estimate with care: its text, with what it is about.

    Attributes
    ----------
    code : str
        What is the matter, in a few words joined by hyphens. It stays the same from version to version; the text does not.
    severity : str
        "note" (nothing to do), "caution" (read this) or "unreliable" (do not publish).
    fields : dict
        What it is about, by name.

    Examples
    --------
    >>> import truecount as tc
    >>> found = tc.estimate([2.1, 1.4, -0.2, 0.3], [1, 1, 0, 0], [1.7, 0.9])
    >>> [(warning.code, warning.severity, warning.fields) for warning in found.warnings]
    [('few-labelled', 'unreliable', {'n': 2}), ('no-spread', 'unreliable', {})]
    """

    code: str
    severity: str
    fields: dict[str, Any]

    def __new__(cls, text: str, code: str, severity: str, fields: Mapping[str, Any]) -> Caveat:
        made = super().__new__(cls, text)
        made.code, made.severity, made.fields = code, severity, dict(fields)
        return made

    def __getnewargs__(self) -> Any:
        return str(self), self.code, self.severity, self.fields

    def advising(self, advice: str) -> Caveat:
        """The same with more advice."""
        return Caveat(f"{self}{advice}", self.code, self.severity, self.fields)


def error(subject: str, code: str, sentence: str, fields: Mapping[str, Any]) -> TruecountError:
    """The library's error as an exception."""
    found = _CLASSES[subject](_worded(code, sentence, fields), code, **fields)
    # What scikit-learn takes for a method of its own has another name here.
    if fields.get("name") == "transform":
        return type(found)(
            str(found).replace("transform", "transformation", 1), code, **{**fields, "name": "transformation"}
        )
    return found


def caveat(severity: str, code: str, sentence: str, fields: Mapping[str, Any]) -> Caveat:
    """The library's warning as a text."""
    return Caveat(_worded(code, sentence, fields), code, severity, fields)


def _worded(code: str, sentence: str, fields: Mapping[str, Any]) -> str:
    if code not in _INSTEAD:
        return sentence + _ADVICE.get(code, "")
    shown = {name: ", ".join(value) if isinstance(value, list) else value for name, value in fields.items()}
    return _INSTEAD[code].format(**shown)


def located(found: _E, scores: str, probabilities: str, weights: str = "weights") -> _E:
    """The library's error with the name of the argument that has the column it is about, if it is about one."""
    names = {"scores": scores, "probabilities": probabilities, "weights": weights}
    name = names.get(found.fields.get("column", ""))
    return found if name is None else found.at(name, column=name)
