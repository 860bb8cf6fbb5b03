"""The sampling design of test scores, and rows that several classifiers have scored."""

from __future__ import annotations

from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, check_lengths, numbers, same_index
from truecount._conditions import OptionError, ScoreError, TruecountError, located
from truecount._fitted_model import FittedModel
from truecount._groups import Groups
from truecount._labels import missing_unit, unit_codes
from truecount._sets import TestSets, parse_test_sets
from truecount._totals import group_sizes

__all__ = ["DesignKwargs", "PooledScores", "TestDesign"]


class DesignKwargs(TypedDict, total=False):
    """Keyword arguments about the sampling design of test scores."""

    clusters: Any
    strata: Any
    replicate_weights: Any
    replicate_kind: str | None


class TestDesign(NamedTuple):
    """The sampling design of test scores, from the caller's arguments."""

    clusters: Any
    strata: Any
    replicate_weights: Any
    replicate_kind: str | None

    @property
    def is_empty(self) -> bool:
        return self.clusters is None and self.strata is None and self.replicate_weights is None

    @property
    def implies_population(self) -> bool:
        """Whether only the population can be the target."""
        return self.strata is not None or self.replicate_weights is not None

    def check(self, sets: TestSets, interval: str, population: Any, is_weighted: bool) -> None:
        """Raise an error for arguments that exclude each other."""
        if (self.replicate_weights is None) != (self.replicate_kind is None):
            raise OptionError(
                "replicate_weights and replicate_kind need each other; give both",
                "option-conflict",
                name="replicate_kind",
            )
        if self.is_empty:
            return
        given = ("replicate_weights", "strata", "clusters")
        name = next(name for name in given if getattr(self, name) is not None)
        conflict = None
        if sets.several and sets.groups is None:
            conflict = "clusters, strata and replicate_weights are for one column of test scores"
        elif interval == "bootstrap":
            conflict = 'clusters, strata and replicate_weights do not go with interval="bootstrap"; leave it out'
        elif self.replicate_weights is not None and not is_weighted:
            conflict = "replicate_weights go with weights, those of the estimate itself; give both"
        elif self.replicate_weights is not None and any(
            value is not None for value in (self.clusters, self.strata, population)
        ):
            conflict = "replicate_weights contain the design; leave out clusters, strata and population"
        if conflict is not None:
            raise OptionError(conflict, "option-conflict", name=name)

    def tally(
        self, model: FittedModel, test_scores: Any, probabilities: Any, weights: Any, groups: Groups | None, sizes: Any
    ) -> _core.Tally:
        """Tally the parts of the groups; `sizes` are the population sizes of strata."""
        sets = parse_test_sets(test_scores, probabilities, weights, None)
        rows = len(sets.columns["scores"][0])
        codes = {}
        strata: Groups | None = None
        for name, values in (("strata", self.strata), ("clusters", self.clusters)):
            same_index(name, values, "test_scores", test_scores)
            if values is not None:
                codes[name], distinct, missing = unit_codes(values, name)
                if missing is not None:
                    raise ScoreError(missing_unit(name, missing), "test-unit-missing", column=name, row=missing)
                check_lengths({name: codes[name]}, "test_scores", rows)
                if name == "strata":
                    strata = Groups(codes[name], {name: distinct}, len(distinct))
        stratum_sizes = None
        if strata is not None and sizes is not None:
            stratum_sizes = group_sizes(sizes, "population", strata, test_scores)
        parts = np.zeros(rows, dtype=np.uint32) if groups is None else groups.rows
        first = np.zeros(0, dtype=np.int64)
        for column in codes.values() or [parts]:
            parts, first = _core.factorize_pairs(parts, column)
        replicates = self._replicates(rows, test_scores)
        columns = [sets.columns["scores"], sets.columns["probabilities"], sets.columns["weights"]]
        unsorted = [column[0] for column in columns if column is not None]
        in_order, starts = _core.sort_by_group([*unsorted, *replicates], parts, len(first))
        ordered = iter(in_order)
        scores, probability, weight = ([next(ordered)] if column is not None else None for column in columns)
        sorted_columns: _core.Columns = {
            "scores": scores or [],
            "probabilities": probability,
            "weights": weight,
            "starts": starts,
            "groups": parts,
        }
        number = 1 if groups is None else groups.number
        of_parts = ([0] * len(first) if groups is None else groups.rows[first].tolist(), number)
        design: _core.TestDesign = {
            "clusters": codes["clusters"][first].tolist() if "clusters" in codes else None,
            "strata": codes["strata"][first].tolist() if "strata" in codes else None,
            "sizes": None if stratum_sizes is None else stratum_sizes.tolist(),
            "replicates": (list(ordered), self.replicate_kind) if self.replicate_kind is not None else None,
        }
        try:
            return model._core.tally_design(sorted_columns, of_parts, design)
        except TruecountError as error:
            part = error.fields.pop("set", None)
            if strata is not None and part is not None and error.code == "small-population":
                error.fields["group"] = {"strata": strata.values["strata"][part]}
            raise located(error, "test_scores", "test_probabilities") from None

    def _replicates(self, rows: int, test_scores: Any) -> list[NDArray[np.float64]]:
        """Return the columns of replicate weights."""
        if self.replicate_weights is None:
            return []
        same_index("replicate_weights", self.replicate_weights, "test_scores", test_scores)
        if len(np.shape(self.replicate_weights)) != 2:
            raise ScoreError(
                "replicate_weights is not a table; give one with a column for each replicate",
                "column-invalid",
                column="replicate_weights",
            )
        table = numbers(self.replicate_weights, "replicate_weights", ndim=2)
        check_lengths({"replicate_weights": table}, "test_scores", rows)
        if table.shape[1] < 2:
            raise ScoreError(
                "replicate_weights has fewer than two columns; give a table with a column for each replicate",
                "column-invalid",
                column="replicate_weights",
            )
        return [np.ascontiguousarray(column) for column in table.T]


class PooledScores(NamedTuple):
    """The scores of the same rows by several classifiers, each of which counts by its share."""

    classifiers: list[Floats]
    """The scores by each classifier."""
    shares: Floats

    def take(self, rows: NDArray[np.intp]) -> PooledScores:
        """Return the scores of these rows."""
        return PooledScores([scores[rows] for scores in self.classifiers], self.shares)

    def tally(self, model: FittedModel, sets: TestSets) -> _core.Tally:
        """Tally all scores. The sets have the score of one classifier for each row."""
        classifiers = self.classifiers
        if sets.groups is not None:
            classifiers, _ = _core.sort_by_group(classifiers, sets.groups.rows, sets.groups.number)
        return model._core.tally_pooled(sets.columns, classifiers, self.shares.tolist())
