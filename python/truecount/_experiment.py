"""Experiments: many data sets, methods and kinds of shift, as in the command."""

from __future__ import annotations

import copy
import csv
import json
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from truecount import _core
from truecount._columns import Floats, check_lengths, frame_columns, is_missing, is_pandas, numbers
from truecount._errors import OptionError, PrevalenceWarning, invalid_option, option_error, short_repr
from truecount._options import to_int
from truecount._table import ResultTable, Table, escape_untrusted, format_number, format_value

__all__ = ["Experiment", "ExperimentTable", "experiment"]


_PART_KEYS = ("data", "classifier", "training", "protocol", "setting", "distance_from", "distance_to", "labelled", "n")
_SAMPLE_KEYS = ("data", "classifier", "training", "protocol", "setting", "repeat", "sample", "class", "labelled", "n")
"""The columns that identify a part or a sample; those with one value are not printed."""


class ExperimentTable(Table):
    """A table of an experiment, which prints some of its columns."""

    def __init__(self, columns: dict[str, Any], keys: tuple[str, ...], shown: tuple[str, ...]) -> None:
        self._columns = columns
        self._nullable = tuple(name for name, column in columns.items() if getattr(column, "dtype", None) == np.float64)
        self._shown = [*(name for name in keys if len(set(map(str, columns.get(name, ())))) > 1), "method", *shown]

    def _header(self) -> tuple[list[str], int]:
        is_text = [isinstance(self._columns[name], list) for name in self._shown]
        return self._shown, is_text.index(False) if False in is_text else len(is_text)

    def _cells(self, row: int) -> list[str]:
        values = ((name, self._columns[name][row]) for name in self._shown)
        return [
            format_number(value) if name in self._nullable else escape_untrusted(format_value(value))
            for name, value in values
        ]


@dataclass(frozen=True, repr=False)
class Experiment:
    """The results of an experiment, returned by `truecount.experiment`; printing it shows the rankings.

    Attributes
    ----------
    folder : Path or None
        The folder with the files of the command: tables for a paper, figures and a summary; None
        if no folder was given.
    rankings : table
        A row for each protocol and method: its mean rank over the data sets, its errors, and the
        test against the reference.
    parts : ExperimentTable
        A row for each method in each part of the experiment, with its errors.
    samples : ExperimentTable
        A row for each sample and method, and each of several classes: the truth, the estimate, its interval and
        warnings.
    """

    folder: Path | None
    rankings: ResultTable
    parts: ExperimentTable
    samples: ExperimentTable

    def __repr__(self) -> str:
        return repr(self.rankings)

    def _repr_html_(self) -> str:
        return self.rankings._repr_html_()


def experiment(
    design: str | os.PathLike[str] | Mapping[str, Any],
    out: str | os.PathLike[str] | None = None,
    *,
    threads: int | None = None,
) -> Experiment:
    """Rank methods over data sets, classifiers, labelled samples, sizes and kinds of shift.

    Parameters
    ----------
    design : path or mapping
        The experiment: a TOML file of ``truecount experiment``, or the contents of such a file,
        whose ``scores`` are a list of data sets. Then `train` and `pool` of a data set may be data
        frames or dicts of columns instead of paths. Their columns `probability` are used if both have one.
        With several classes, ``"class_scores": "p_*"`` names the columns of a data set.
        ``methods`` may have other quantifiers, too: of each, a copy is fitted to every labelled sample with
        ``fit(X, y)``, if it has this method, and ``predict(X)`` returns a test sample's share of positives, or the
        shares of 0 and 1. X has the scores as its only column, and y is 1 for positives and 0 for others.
    out : path, optional
        Folder for the results, where an interrupted experiment continues. Without it, no files are kept.
    threads : int, optional
        Number of threads, by default all. Results do not depend on it.

    Returns
    -------
    Experiment
        Tables of the rankings, of the errors of each part, and of all samples.

    Warns
    -----
    PrevalenceWarning
        If samples share much of their pool.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> def draw(n):
    ...     scores = np.r_[rng.normal(2, 1, n), rng.normal(0, 1, n)]
    ...     return {"score": scores, "label": np.repeat(["yes", "no"], n)}
    >>> results = tc.experiment(
    ...     {
    ...         "methods": ["es", "cc"],
    ...         "samples": 50,
    ...         "sizes": [100],
    ...         "scores": [{"data": "normal", "train": draw(200), "pool": draw(1000), "positive": "yes"}],
    ...     }
    ... )
    >>> results.rankings["method"].tolist(), len(results.samples)
    (['es', 'cc'], 100)
    """
    number = None if threads is None else to_int(threads, "threads", 1, 10)
    others: dict[str, Any] = {}
    if isinstance(design, Mapping) and isinstance(methods := design.get("methods"), (list, tuple)):
        quantifiers = [each for each in methods if hasattr(each, "predict")]
        others = {type(each).__name__: _fit_function(each) for each in quantifiers}
        if len(others) < len(quantifiers):
            raise option_error("methods", "design: two quantifiers in methods have one class, whose name is their name")
        design = {**design, "methods": [each for each in methods if not hasattr(each, "predict")]}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "results") if out is None else Path(out)
        names: dict[str, str] = {}
        if isinstance(design, Mapping):
            file = Path(temporary, "design.toml")
            written, names = _with_files(design, Path(temporary))
            file.write_text("\n".join(_toml_items(written)), encoding="utf-8")
        else:
            file = Path(design)
        try:
            rankings, notes, parts, messages = _core.experiment(file, folder, number, [*others.items()])
            samples = _core.read_samples(folder / "samples.parquet")
        except ValueError as error:
            message = _without_files(str(error), temporary, names)
            raise OptionError(message, "experiment-not-possible") from None
    for message in messages:
        if message.startswith("warning: "):
            text = _without_files(message.removeprefix("warning: "), temporary, names)
            warnings.warn(text, PrevalenceWarning, stacklevel=2)
    rankings["explained"] = notes
    protocols = list(rankings["columns"]["protocol"])
    if len(set(protocols)) > 1:
        rankings["header"].insert(0, "protocol")
        rankings["names"] += 1
        for line, protocol in zip(rankings["lines"], protocols):
            line.insert(0, escape_untrusted(protocol))
    return Experiment(
        None if out is None else folder,
        ResultTable(rankings),
        ExperimentTable(parts, _PART_KEYS, ("mae", "mrae", "coverage", "failed")),
        ExperimentTable(samples, _SAMPLE_KEYS, ("truth", "prevalence", "lower", "upper")),
    )


def predicted_share(quantifier: Any, sample: Any, index: int = 1) -> float:
    """Return the share of positives that another package's quantifier predicts: a number, or one of two shares."""
    shares = quantifier.predict(sample)
    shares = [shares[label] for label in sorted(shares)] if isinstance(shares, Mapping) else shares
    shares = numbers([shares] * 2 if isinstance(shares, (float, np.floating)) else shares, "quantifier.predict(X)")
    if len(shares) != 2 or not ((shares >= 0.0) & (shares <= 1.0)).all():
        raise invalid_option(
            "quantifier", quantifier, "its predict(X) must return the shares of two classes, in [0, 1]"
        )
    return float(shares[index])


def _fit_function(quantifier: Any) -> Callable[[Floats, Floats], Callable[[Floats], float]]:
    """Return a function that fits a copy of a quantifier to scores, and returns its function of a sample."""

    def fit(positive: Floats, negative: Floats) -> Callable[[Floats], float]:
        fitted = copy.deepcopy(quantifier)
        if hasattr(fitted, "fit"):
            fitted.fit(np.r_[positive, negative][:, None], np.repeat([1, 0], [len(positive), len(negative)]))
        return lambda scores: predicted_share(fitted, scores[:, None])

    return fit


def _without_files(message: str, folder: str, names: Mapping[str, str]) -> str:
    """Name the tables of a design in a message instead of their files, which the caller has not seen."""
    message = message.replace(f"{folder}{os.sep}", "")
    message = re.sub(r"^design\.toml(, line \d+)?", "design", message)
    for file, name in names.items():
        message = message.replace(file, name)
    # A hint may name an option of the command.
    return re.sub(r"\nhint: .*--.*$", "", message)


def _with_files(design: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Replace the tables of a design by paths of files, and return the names of these files' tables."""
    protocols = _dicts(design, "protocol", "{'shift': 'prior'}")
    data_sets = _dicts(design, "scores", "{'data': 'spam', 'train': …, 'pool': …}")
    shift_columns = {spec[name] for spec in protocols for name in ("domain", "grade") if name in spec}
    protocols = [{**spec, "is": _format_cell(spec["is"])} if "is" in spec else spec for spec in protocols]
    scores, names = [], {}
    for index, data_set in enumerate(data_sets):
        classes = data_set.get("class_scores", data_set.get("class-scores", ()))
        if not classes and all("probability" in _table_columns(data_set.get(key)) for key in ("train", "pool")):
            data_set = {"probability": "probability", **data_set}
        columns = {"score": data_set.get("score", "score"), "label": data_set.get("label", "label")}
        columns |= {"probability": data_set["probability"]} if "probability" in data_set else {}
        patterns = [text.partition("=")[2] or text for text in ([classes] if isinstance(classes, str) else classes)]
        if patterns:
            del columns["score"]
        paths = {}
        for key in ("train", "pool"):
            value = data_set.get(key)
            if isinstance(value, (str, os.PathLike)):
                paths[key] = str(Path(value).absolute())
            elif value is not None:
                file = folder / f"{key}-{index + 1}.csv"
                paths[key], names[file.name] = str(file), f"scores[{index}]['{key}']"
                matching = {each for each in _table_columns(value) if any(fnmatchcase(str(each), p) for p in patterns)}
                _write_csv(value, names[file.name], columns, shift_columns | matching, file)
        positive = {"positive": _format_cell(data_set["positive"])} if "positive" in data_set else {}
        scores.append({**data_set, **paths, **positive})
    return {**design, "protocol": protocols, "scores": scores}, names


def _dicts(design: Mapping[str, Any], name: str, example: str) -> list[Mapping[str, Any]]:
    """Return a list of dicts in a design."""
    values = design.get(name, ())
    if not isinstance(values, (list, tuple)) or not all(isinstance(each, Mapping) for each in values):
        raise option_error(name, f"design: {name} must be a list of dicts such as {example}")
    return list(values)


def _table_columns(table: Any) -> dict[Any, Any]:
    """Return the columns of a table; none of a path."""
    return dict(table) if isinstance(table, Mapping) else dict(frame_columns(table) or ())


def _write_csv(table: Any, name: str, required: Mapping[str, str], others: set[str], path: Path) -> None:
    """Write columns of a table, which must have those in `required`, by their keys in a data set.

    A number has as many digits as it needs to be read back.
    """
    columns = _table_columns(table)
    if not columns:
        raise option_error(name, f"{name} is a {type(table).__name__}; give a path, a data frame or a dict of columns")
    for key, column in required.items():
        if column not in columns:
            known = ", ".join(map(str, columns))
            raise OptionError(
                f"{name}: there is no column '{column}'; name one of {known}, as in {{'{key}': …}}",
                "experiment-not-possible",
                name=name,
            )
    written = {
        name: column.to_pylist() if hasattr(column, "to_pylist") else list(column)
        for name, column in columns.items()
        if name in others or name in required.values()
    }
    first, *rest = written
    check_lengths({f"{name}['{each}']": written[each] for each in rest}, f"{name}['{first}']", len(written[first]))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(written)
        writer.writerows([_format_cell(value) for value in row] for row in zip(*written.values()))


def _format_cell(value: Any) -> str:
    """Return a value as a cell of a table, which the command reads without spaces around it."""
    if is_missing(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return repr(float(value)) if isinstance(value, (float, np.floating)) else format_value(value).strip()


def _toml_items(value: Mapping[str, Any]) -> list[str]:
    return [f"{_toml_value(str(key))} = {_toml_value(item)}" for key, item in value.items() if item is not None]


def _toml_value(value: Any) -> str:
    """Return a value as TOML, whose texts, numbers and lists are those of JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(_toml_items(value)) + "}"
    if isinstance(value, (list, tuple, range, np.ndarray)) or is_pandas(value, "Series", "Index"):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    value = value.item() if isinstance(value, np.generic) else value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f")
    except (TypeError, ValueError):
        raise option_error(
            "design",
            f"design: {short_repr(value)} is not a text, number or list; tables are train and pool of a data set in "
            "scores",
        ) from None
