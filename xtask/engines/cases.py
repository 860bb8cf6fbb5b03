"""The queries to check: combinations of models, tables, groups and options.

The combinations are chosen so that every kind of each meets every kind of the others.
"""

from dataclasses import dataclass

REGION, EVERY = ("region",), ("region", "store", "day")
AWKWARD = ("Group", 'UPPER "lower".`x`', "order")
BINS = "es,dys,dys-topsoe,hdy,bcc,pq"


@dataclass(frozen=True)
class Model:
    """The options of a model that is fitted to the labelled scores."""

    methods: str
    score: str = "score"
    prob: bool = False
    options: tuple[str, ...] = ()

    def arguments(self):
        """Arguments of `truecount fit`."""
        arguments = ["--method", self.methods, "--score", self.score]
        return [*arguments, *(["--prob", "prob"] if self.prob else []), *self.options]

    def __str__(self):
        return " ".join(self.arguments())


@dataclass(frozen=True)
class Case:
    """A query of a model for a table."""

    model: Model
    table: str
    by: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def counts(self):
        """Whether the query returns counts, which `truecount finish` completes."""
        return "--counts" in self.options

    @property
    def weight(self):
        """Options that name the column of weights."""
        return ("--weight", "weight") if "--weight" in self.options else ()

    @property
    def every(self):
        """Period that replaces the dates of the last grouping column, or `None`."""
        return self.options[self.options.index("--every") + 1] if "--every" in self.options else None

    def __str__(self):
        by = f" by {', '.join(self.by)}" if self.by else ""
        return f"table {self.table}{by}, {' '.join((str(self.model), *self.options))}"


def core_cases():
    """Cases for every engine and every parsed dialect."""
    sweep, weights = Model("es"), ("--counts", "--weight", "weight")
    yield Case(sweep, "scores", EVERY)
    yield Case(sweep, "scores", EVERY, ("--counts",))
    yield Case(sweep, "scores", ("store",), weights)
    for options in [(), ("--counts",)]:
        yield Case(sweep, 'Order by "the".`Hour` x', AWKWARD, options)
        yield Case(Model("es", score="few"), "few", ("store",), options)
    yield Case(sweep, "far", ("kind",))
    yield Case(sweep, "missing", ("kind",), ("--target", "population"))
    yield Case(Model("es,bcc,pq"), "scores", ("store",), ("--counts",))
    for every in ["day", "week", "month", "quarter", "year"]:
        yield Case(sweep, "days", ("day",), ("--every", every))


def common_cases():
    """Cases for every engine."""
    yield from core_cases()
    sweep, counts = Model("es"), ("--counts",)
    for options in [(), counts]:
        for table in ["scores", "missing", "empty", "few"]:
            yield Case(sweep, table, (), options)
        for table in ["far", "missing", "empty"]:
            yield Case(sweep, table, ("kind",), options)
        for table in ["whole", "single", "exact", "unit", "few"]:
            yield Case(sweep, table, ("store",), options)
    yield Case(sweep, "scores", REGION, (*counts, "--weight", "weight"))
    for score in ["few", "two"]:
        yield Case(Model("es", score=score), "few", ("store",), ("--target", "population"))
    yield Case(Model("es", prob=True), "scores", ("day",))
    yield Case(Model("es", options=("--label-cluster", "cluster")), "scores", ("day",), ("--target", "population"))
    for table, by in [("scores", REGION), ("far", ("kind",)), ("missing", ("kind",)), ("empty", ("kind",))]:
        yield Case(Model("es,bcc,pq"), table, by, counts)
    yield Case(Model(BINS, prob=True), "scores", ("store",), counts)
    for options in [
        ("--target", "population"),
        ("--level", "0.9"),
        ("--target", "population", "--level", "0.99"),
    ]:
        yield Case(sweep, "scores", EVERY, options)
