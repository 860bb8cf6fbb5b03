"""Audits of groups: what labels inside each say, how many it takes, and which rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._conditions import Caveat, OptionError, ScoreError, TruecountError
from truecount._described import Described, of_groups
from truecount._fitted import Fitted
from truecount._groups import groups, order
from truecount._names import Target
from truecount._options import Reporting, real, refuse_bootstrap, reporting, whole
from truecount._sets import Sets, test_sets
from truecount._table import percent, worded
from truecount._warned import warned

if TYPE_CHECKING:
    from truecount._columns import Floats

__all__ = ["AuditDraw", "AuditPlans", "Audits", "audits", "draw_audit", "plan_audit"]


class Audits(Described):
    """What audits of groups say, a row for each group and source; made by `truecount.audit` with `by`.

    Beside the columns of the groups they are those of the command: ``source`` ("labels", "ppi++", "external", "combined"), ``n`` and
    ``audited`` (items, and of those audited), ``prevalence``, ``raw``, ``se``, ``lower``, ``upper``, ``weight``, ``recommended`` (whether this is
    the row to publish), of labels from elsewhere ``difference`` (less what the audit says, by ppi++), ``difference_se``, ``p_value`` and
    ``transportable``, and ``level``.

    Attributes
    ----------
    why : list of str
        Why the answer of each group is what it is.
    warnings : list of tuple of Caveat
        What to beware of in each group's estimate from elsewhere.
    """

    def __init__(self, found: _core.Audits, values: dict[str, list[Any]]) -> None:
        super().__init__(found, of_groups(values, np.array(found["groups"])))
        self.why: list[str] = found["why"]
        self.warnings: list[tuple[Caveat, ...]] = found["warnings"]

    @property
    def source(self) -> NDArray[np.object_]:
        """Where the shares come from."""
        return self._column("source")

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """The shares of positives, kept inside [0, 1]."""
        return self._column("prevalence")

    @property
    def se(self) -> NDArray[np.float64]:
        """Their standard errors."""
        return self._column("se")

    @property
    def interval(self) -> NDArray[np.float64]:
        """Lower and upper ends of the intervals, shape (number of rows, 2)."""
        return np.column_stack((self._columns["lower"], self._columns["upper"]))

    @property
    def recommended(self) -> NDArray[np.bool_]:
        """Whether a row is the one to publish of its group."""
        return self._column("recommended")

    def _notes(self) -> list[str]:
        rows = np.flatnonzero(self.recommended)
        names = [", ".join(worded(self._columns[name][row]) for name in self._groups) for row in rows]
        return [*(f"{name}: {why}" for name, why in zip(names, self.why)), *warned([*zip(names, self.warnings)])]


class AuditPlans(Described):
    """How many items to audit, a row for each way to do it; made by `Model.plan_audit`.

    Columns: those of the groups, ``audit`` (the way), ``n`` (items), ``audited`` (items to audit), ``se`` and ``half_width`` to be expected.
    """

    def __init__(self, found: _core.AuditPlans, values: dict[str, list[Any]], goal: str) -> None:
        super().__init__(found, of_groups(values, np.array(found["groups"])))
        self._goal, self._ways = goal, found["ways"]

    @property
    def audited(self) -> NDArray[np.int64]:
        """Numbers of items to audit."""
        return self._column("audited")

    def _notes(self) -> list[str]:
        return [self._goal, *(f"{name}: {meaning}" for name, meaning in self._ways)]


class AuditDraw(Described):
    """Items that are drawn to be audited, a row for each; made by `Model.draw_audit`.

    Columns: those of the groups, ``row`` (where it is among the scores, from 0), ``score``, and ``audit_weight``, one over the probability
    of drawing it: the `audited_weights` of `truecount.audit`.
    """

    @property
    def row(self) -> NDArray[np.int64]:
        """Where the items are among the scores, from 0."""
        return self._column("row")

    @property
    def audit_weight(self) -> NDArray[np.float64]:
        """How many items each stands for."""
        return self._column("audit_weight")


def _places(sets: Sets, sort: bool) -> list[int]:
    number = len(next(iter(sets.values.values()))) if sets.values else 1
    return order(sets.values).tolist() if sort and sets.groups is not None else list(range(number))


def _one_column(test_scores: Any, by: Any) -> Sets:
    sets = test_sets(test_scores, None, None, by)
    if sets.several and sets.groups is None:
        raise ScoreError(
            "test_scores are several test sets; give one column, and by", "column-invalid", column="test_scores"
        )
    return sets


def audits(
    model: Fitted | None,
    test_scores: Any,
    by: Any,
    audited: tuple[Floats, NDArray[np.bool_], Floats | None],
    audited_by: Any,
    audit_outside_test: bool,
    sort: bool,
    asked: Reporting,
) -> Audits:
    """What `truecount.audit` gives of groups."""
    if audited_by is None:
        raise OptionError(
            "by makes groups: give those of the audited items too, audited_by",
            "option-invalid",
            name="audited_by",
            value=None,
        )
    sets = _one_column(test_scores, by)
    try:
        of = groups(audited_by, len(audited[0]))
    except TruecountError as error:
        raise error.at("audited_by") from None
    if len(of.values) != len(sets.values):
        raise OptionError(
            f"by has {len(sets.values)} columns and audited_by {len(of.values)}; they must be the same",
            "option-conflict",
            name="audited_by",
        )
    known = {values: number for number, values in enumerate(zip(*sets.values.values()))}
    numbers = [_known(known, values) for values in zip(*of.values.values())]
    codes = np.array(numbers, dtype=np.uint32)[of.rows]
    core = None if model is None else model._core
    try:
        found = _core.audits(core, sets.columns, (*audited, codes), audit_outside_test, asked, _places(sets, sort))
    except TruecountError as error:
        raise sets.explain(error) from None
    return Audits(found, sets.values)


def _known(known: dict[tuple[Any, ...], int], values: Sequence[Any]) -> int:
    number = known.get(tuple(values))
    if number is None:
        named = ", ".join(map(worded, values))
        raise ScoreError(
            f"audited_by: there is an audited item of the group '{named}', which has no scores to be estimated; remove it, or add the "
            "group's scores",
            "audit-unused",
            group=named,
        )
    return number


def plan_audit(
    model: Fitted,
    test_scores: Any,
    half_width: float,
    by: Any,
    sort: bool,
    level: float,
    target: Target,
    interval: Literal["wilson", "wald"],
) -> AuditPlans:
    """What `Model.plan_audit` gives."""
    refuse_bootstrap(interval, "an audit has formulas of its own; leave out interval")
    sets = _one_column(test_scores, by)
    asked, half = reporting(level, target, interval), real(half_width, "half_width")
    try:
        found = _core.plan_audit(model._core, sets.columns, half, asked, _places(sets, sort))
    except TruecountError as error:
        raise sets.explain(error) from None
    goal = (
        f"the fewest items for a {percent(asked[0])} % interval of half-width {half:g}, at the prevalence that labels from elsewhere give, "
        "if they carry over"
    )
    return AuditPlans(found, sets.values, goal)


def draw_audit(
    model: Fitted, test_scores: Any, number: int, by: Any, sort: bool, uniform: bool, seed: int
) -> AuditDraw:
    """What `Model.draw_audit` gives."""
    sets = _one_column(test_scores, by)
    asked = whole(number, "number", 1), bool(uniform), whole(seed, "seed", 0, 64)
    try:
        found = _core.draw_audit(model._core, sets.columns, asked, _places(sets, sort))
    except TruecountError as error:
        raise sets.explain(error) from None
    if sets.groups is not None:
        # The columns are sorted by group, each in its order.
        found["columns"]["row"] = np.argsort(sets.groups.rows, kind="stable")[found["columns"]["row"]]
        for line, row in zip(found["lines"], found["columns"]["row"].tolist()):
            line[0] = str(row)
    return AuditDraw(found, of_groups(sets.values, np.array(found["groups"], dtype=np.int64)))
