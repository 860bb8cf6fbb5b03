"""Experiments: many data sets, methods and kinds of shift, as in the command."""

from __future__ import annotations

import csv
import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from truecount import _core
from truecount._columns import frame_columns, is_missing, short_repr
from truecount._conditions import OptionError
from truecount._options import to_int
from truecount._result_table import ResultTable
from truecount._table import Table, escape_untrusted, format_number, format_value

__all__ = ["Experiment", "ExperimentTable", "experiment"]

_TABLES = ("train", "pool")
"""The keys of a data set in an experiment whose values are tables."""


_PART_COLUMNS = ("data", "classifier", "protocol", "method", "labelled", "n", "mae", "mrae", "coverage", "failed")
_SAMPLE_COLUMNS = ("data", "classifier", "protocol", "method", "labelled", "n", "truth", "prevalence", "lower", "upper")
"""The columns that are printed, unless all their texts are empty."""


class ExperimentTable(Table):
    """A table of an experiment, which prints some of its columns."""

    def __init__(self, columns: dict[str, Any], shown: tuple[str, ...]) -> None:
        self._columns = columns
        self._nullable = tuple(name for name, column in columns.items() if getattr(column, "dtype", None) == np.float64)
        self._shown = [name for name in shown if name in columns and any(value != "" for value in columns[name])]

    def _header(self) -> tuple[list[str], int]:
        is_text = [isinstance(self._columns[name], list) for name in self._shown]
        return self._shown, is_text.index(False) if False in is_text else len(is_text)

    def _cells(self, row: int) -> list[str]:
        values = ((name, self._columns[name][row]) for name in self._shown)
        return [
            format_number(value) if name in self._nullable else escape_untrusted(format_value(value))
            for name, value in values
        ]


class Experiment:
    """The results of an experiment. It is made by `truecount.experiment`, and prints its rankings.

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
        A row for each sample and method: the truth, the estimate, its interval and warnings.
    """

    def __init__(
        self,
        folder: Path | None,
        rankings: ResultTable,
        parts: ExperimentTable,
        samples: ExperimentTable,
    ) -> None:
        self.folder = folder
        self.rankings = rankings
        self.parts = parts
        self.samples = samples

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
        frames, or dicts of columns, instead of paths.
    out : path, optional
        Folder for the results, where an interrupted experiment continues. Without it nothing is
        kept but what is returned.
    threads : int, optional
        Number of threads, by default all. Results do not depend on it.

    Returns
    -------
    Experiment
        Tables of the rankings, of the errors of each part, and of all samples.

    Raises
    ------
    TruecountError
        If the design, a file or a folder cannot be used.

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
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "results") if out is None else Path(out)
        names: dict[str, str] = {}
        if isinstance(design, Mapping):
            file = Path(temporary, "design.toml")
            written, names = _with_files(design, Path(temporary))
            file.write_text(_to_toml(written), encoding="utf-8")
        else:
            file = Path(design)
        try:
            rankings, notes, parts = _core.experiment(file, folder, number)
            samples = _core.read_samples(folder / "samples.parquet")
        except ValueError as error:
            message = str(error).replace(f"{temporary}{os.sep}", "")
            if isinstance(design, Mapping):
                # The caller has seen neither these files nor their lines.
                message = re.sub(r"^design\.toml(, line \d+)?", "design", message)
                for path, name in names.items():
                    message = message.replace(path, name)
            raise OptionError(message, "experiment-not-possible") from None
    rankings["explained"] = notes
    return Experiment(
        None if out is None else folder,
        ResultTable(rankings),
        ExperimentTable(parts["columns"], _PART_COLUMNS),
        ExperimentTable(samples, _SAMPLE_COLUMNS),
    )


def _with_files(design: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Replace the tables of a design by paths of files, and return the names of these files' tables."""
    wanted = {spec[name] for spec in design.get("protocol", ()) for name in ("domain", "grade") if name in spec}
    data_sets = design.get("scores", ())
    if not isinstance(data_sets, (list, tuple)) or not all(isinstance(each, Mapping) for each in data_sets):
        raise OptionError(
            "design: scores must be a list of data sets, each a dict such as {'data': 'spam', 'train': …, 'pool': …}",
            "option-invalid",
            name="scores",
        )
    scores, names = [], {}
    for index, data_set in enumerate(data_sets):
        columns = {"score": data_set.get("score", "score"), "label": data_set.get("label", "label")}
        columns |= {"probability": data_set["probability"]} if "probability" in data_set else {}
        paths = {}
        for key in _TABLES:
            value = data_set.get(key)
            if isinstance(value, (str, os.PathLike)):
                paths[key] = str(Path(value).absolute())
            elif value is not None:
                file = folder / f"{key}-{index + 1}.csv"
                paths[key], names[file.name] = str(file), f"scores[{index}]['{key}']"
                _write_csv(value, names[file.name], columns, wanted, file)
        positive = {"positive": _cell(data_set["positive"])} if "positive" in data_set else {}
        scores.append({**data_set, **paths, **positive})
    return {**design, "scores": scores}, names


def _write_csv(table: Any, name: str, required: Mapping[str, str], wanted: set[str], path: Path) -> None:
    """Write columns of a table, which has those in `required`, by their keys in a data set.

    A number has as many digits as it needs to be read back.
    """
    columns = dict(table) if isinstance(table, Mapping) else dict(frame_columns(table) or ())
    if not columns:
        raise OptionError(
            f"{name} is a {type(table).__name__}; give a path, a data frame or a dict of columns",
            "option-invalid",
            name=name,
        )
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
        if name in wanted or name in required.values()
    }
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(written)
        writer.writerows([_cell(value) for value in row] for row in zip(*written.values()))


def _cell(value: Any) -> str:
    if is_missing(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return repr(float(value)) if isinstance(value, (float, np.floating)) else format_value(value)


def _to_toml(value: Mapping[str, Any]) -> str:
    return "".join(f"{line}\n" for line in _toml_items(value))


def _toml_items(value: Mapping[str, Any]) -> list[str]:
    return [f"{json.dumps(str(key))} = {_toml_value(item)}" for key, item in value.items() if item is not None]


def _toml_value(value: Any) -> str:
    """Return a value as TOML, whose texts, numbers and lists are those of JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(_toml_items(value)) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    try:
        return json.dumps(value.item() if isinstance(value, np.generic) else value)
    except TypeError:
        raise OptionError(
            f"design: {short_repr(value)} is not a text, number or list; tables are train and pool of a data set in scores",
            "option-invalid",
            name="design",
        ) from None
