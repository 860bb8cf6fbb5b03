"""Fitted models: labelled scores and the methods fitted to them."""

from __future__ import annotations

import json
import os
import warnings as python_warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from truecount import _core
from truecount._columns import factorize
from truecount._errors import AttributeHints, PrevalenceWarning, TruecountError, invalid_option, located, short_repr
from truecount._inputs import labelled_columns, sampling_design, storable_label
from truecount._options import Family, Methods, Rates, Transform, settings

if TYPE_CHECKING:
    _constructor = classmethod
else:

    class _constructor(classmethod):
        """A class method that creates a model; calling it on a model is an error."""

        def __get__(self, model, owner=None):
            if model is not None:
                raise AttributeError(
                    f"a model that is fitted stays as it is: Model.{self.__func__.__name__}(…) returns another one"
                )
            return super().__get__(model, owner)


_CoreModel = _core.Model

_M = TypeVar("_M", bound="FittedModel")


@dataclass(frozen=True)
class EstimateMetadata:
    """Properties that the estimates of one call share."""

    methods: dict[str, str | None]
    """The methods, with what their standard errors and intervals account for."""
    level: float
    target: str
    positive: Any
    """The label of the positive class; None without a label."""
    is_weighted: bool = False
    """Whether the test scores have weights."""


class FittedModel(AttributeHints):
    """A fitted model without its analyses: the base of `truecount.Model`."""

    _core: _CoreModel
    _positive: Any
    _methods: dict[str, str | None]
    """The methods, with what their standard errors account for."""

    def __init__(self) -> None:
        raise TypeError("make a model with Model.fit(train_scores, train_labels) or Model.load(path)")

    @classmethod
    def _from_core(cls: type[_M], core: _CoreModel) -> _M:
        model = object.__new__(cls)
        model._core, model._positive = core, core.positive
        model._methods = dict(zip(core.methods, core.variances(None)))
        return model

    @_constructor
    def fit(
        cls: type[_M],
        train_scores: Any,
        train_labels: Any,
        *,
        method: Methods | None = None,
        family: Family | None = None,
        transform: Transform | None = None,
        rates: Rates | None = None,
        threshold: float | str = "optimal",
        cutoff: float | None = None,
        train_probabilities: Any = None,
        train_weights: Any = None,
        train_clusters: Any = None,
        train_strata: Any = None,
        positive: Any = None,
    ) -> _M:
        """Fit methods to labelled scores.

        Parameters
        ----------
        train_scores : array-like of float, shape (n_labelled,)
            Scores of a labelled sample; a higher score means more likely positive.
        train_labels : array-like, shape (n_labelled,)
            The labels of these scores, two different values.
        method : str or iterable of str, default "es"
            Methods of ``truecount.methods()``: names in a list, or in a text with commas. ``"all"``
            stands for all methods that the labelled scores allow.
        family : str, optional
            Family of both classes' score distributions, for methods that fit one: ``truecount.families()``; by default
            normal. A family is an error if no method fits one, as ``es`` does not by default.
        transform : {"none", "logit", "rank"}, optional
            Transform of the scores before a family is fitted, by default none. It is an error if no method uses it.
        rates : {"family", "labels"}, optional
            Source of the sweeps' rates. By default Continuous Sweep takes them from the fitted
            family, and Efficient Sweep from the labelled scores.
        threshold : "optimal" or float
            Threshold of the method ``cs``; a number between 0 and 1 makes ``cs`` the default method.
        cutoff : float, optional
            The lowest score that ``cc`` and ``ac`` count as positive. The default is ½ if 95 % of the labelled scores
            lie in [0, 1], as probabilities do, and otherwise 0; `parameters` has its value.
        train_probabilities : array-like of float, shape (n_labelled,), optional
            A classifier's probabilities of the positive class, for methods of posterior
            probabilities. By default they follow from the fitted family by Bayes' rule.
        train_weights : array-like of float, shape (n_labelled,), optional
            Survey weights of the labelled rows, for example if they were drawn by score. Only ratios of weights within
            a class matter, and rows of weight 0 do not count. Possible for ``es``, ``cc``, ``ac`` and ``smm``, and for
            ``pcc`` and ``pacc`` with `train_probabilities`.
        train_clusters : array-like, shape (n_labelled,), optional
            The sampling units, such as persons or days: rows with equal values are a cluster, and
            standard errors are cluster-robust. Possible for the same methods.
        train_strata : array-like, shape (n_labelled,), optional
            The strata, such as intervals of the score, if a fixed number of rows, or of clusters, was drawn in each.
            `train_weights` then has the number of rows that each row stands for. Possible for the same methods.
        positive : label, optional
            The positive label; by default True, or 1 if the other label is 0 or -1.

        Warns
        -----
        PrevalenceWarning
            For methods of ``"all"`` that the labelled scores do not allow, which are left out.
        """
        rows = labelled_columns(train_scores, train_labels, train_probabilities, positive)
        design = sampling_design(train_scores, train_weights, train_clusters, train_strata)
        options = settings(method, family, transform, rates, threshold, cutoff)
        options["positive"] = storable_label(rows.positive)
        try:
            core, failed = _core.Model.fit(rows.scores, rows.flags, rows.probabilities, design, options)
        except TruecountError as error:
            explained = located(error, "train_scores", "train_probabilities", "train_weights")
            if (number := error.fields.pop("set", None)) is not None:
                stratum = factorize(train_strata, "train_strata")[1][number]
                explained = explained.at(f"stratum {short_repr(stratum)}")
            if explained.code == "classes-inverted":
                explained = explained.advising(f" (the other label: positive={short_repr(rows.negative)})")
            raise explained from None
        for name, reason in failed:
            python_warnings.warn(f"left out, {name}: {reason}", PrevalenceWarning, stacklevel=2)
        return cls._from_core(core)

    @classmethod
    def _from_json(cls: type[_M], text: str) -> _M:
        return cls._from_core(_core.Model.from_json(text))

    @_constructor
    def load(cls: type[_M], path: str | os.PathLike[str]) -> _M:
        """Read a model from a file of `save` or of the command ``truecount fit``.

        Its estimates are equal to those of the saved model, to the last bit.

        Raises
        ------
        TruecountError
            If the file is damaged or not a model.
        """
        try:
            return cls._from_json(Path(path).read_text(encoding="utf-8", errors="replace"))
        except TruecountError as error:
            raise error.at(str(path), path=str(path)) from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model, with its labelled scores, to a file: completely, or not at all.

        An existing file keeps its permissions, and a link stays a link.
        """
        _core.write_file(path, self._core.to_json().encode())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._from_json, (self._core.to_json(),)

    @property
    def methods(self) -> list[str]:
        """The methods, in the order of their estimates."""
        return list(self._methods)

    @property
    def positive(self) -> Any:
        """The positive label; None unless it is a text, number or flag."""
        return self._positive

    @property
    def parameters(self) -> dict[str, Any]:
        """Fitted parameters, thresholds and rates, and what standard errors account for."""
        parameters: dict[str, Any] = json.loads(self._core.parameters)
        return parameters

    @property
    def fingerprint(self) -> str:
        """A checksum of the settings and the labelled scores, 16 hexadecimal digits."""
        return self._core.fingerprint

    def _metadata(self, level: float, target: str, resamples: int | None = None) -> EstimateMetadata:
        methods = self._methods if resamples is None else dict(zip(self._methods, self._core.variances(resamples)))
        return EstimateMetadata(methods, level, target, self._positive)

    def __repr__(self) -> str:
        parameters = self.parameters
        sizes = f"{parameters['n_pos']} positive and {parameters['n_neg']} negative scores"
        return f"Model({', '.join(self.methods)}; {sizes})"


def check_model(model: Any, name: str) -> None:
    """Raise an error unless the argument with this name is a model or None."""
    if model is not None and not isinstance(model, FittedModel):
        hint = f"; take its {name}.model_" if hasattr(model, "model_") else ""
        raise invalid_option(name, model, f"it must be a truecount.Model{hint}")
