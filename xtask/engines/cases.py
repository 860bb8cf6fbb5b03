"""The queries to check: combinations of models, tables, groups and options.

The combinations are chosen so that every kind of each meets every kind of the others.
"""

from dataclasses import dataclass

REGION, EVERY = ("region",), ("region", "store", "day")
AWKWARD = ("Group", 'UPPER "lower".`x`', "order")
LINEAR = "o-cs,t-cs,es,max,t50,x,ac,cc,pcc,pacc,friedman,edy,smm"
HISTOGRAMS = "dys,dys-topsoe,hdy,bcc,pq"
FAMILIES = ["normal", "skew-normal", "logistic", "student-t", "kernel"]


@dataclass(frozen=True)
class Model:
    """The options of a model that is fitted to the labelled scores."""

    methods: str
    family: str | None = None
    transform: str | None = None
    score: str = "score"
    prob: bool = False
    options: tuple[str, ...] = ()

    def arguments(self):
        """Arguments of `truecount fit`."""
        arguments = ["--method", self.methods, "--score", self.score]
        arguments += ["--family", self.family] if self.family else []
        arguments += ["--transform", self.transform] if self.transform else []
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
    def has_total(self):
        """Whether the result has a row for all groups together."""
        return "--total" in self.options

    @property
    def every(self):
        """Period that replaces the dates of the last grouping column, or `None`."""
        return self.options[self.options.index("--every") + 1] if "--every" in self.options else None

    @property
    def compares_groups(self):
        """Whether the query compares groups."""
        return "--reference" in self.options

    def __str__(self):
        by = f" by {', '.join(self.by)}" if self.by else ""
        return f"table {self.table}{by}, {' '.join((str(self.model), *self.options))}"


def core_cases():
    """Cases for every engine and every parsed dialect."""
    sweep = Model("es")
    yield Case(sweep, "scores", EVERY)
    yield Case(sweep, "scores", options=("--interval", "wald"))
    yield Case(sweep, 'Order by "the".`Hour` x', AWKWARD)
    yield Case(Model("es", score="few"), "few", ("store",))
    yield Case(Model("o-cs,es,ac", "normal"), "far", ("kind",))
    yield Case(Model("cc,ac,es"), "missing", ("kind",), ("--target", "population"))
    yield Case(Model(HISTOGRAMS), "scores", ("store",))
    yield Case(Model("es,ac"), "scores", EVERY, ("--total",))
    yield Case(Model("es,ac"), "scores", ("store", "day"), ("--reference", "previous"))
    for every in ["day", "week", "month", "quarter", "year"]:
        yield Case(sweep, "days", ("day",), ("--every", every))


def common_cases():
    """Cases for every engine."""
    yield from core_cases()
    sweep = Model("es")
    for table in ["scores", "missing", "empty", "few"]:
        yield Case(sweep, table)
    for table in ["far", "missing", "empty"]:
        yield Case(sweep, table, ("kind",))
    for table in ["whole", "single", "exact", "few"]:
        yield Case(sweep, table, ("store",))
    for score in ["few", "two"]:
        yield Case(Model("es,ac", score=score), "few", ("store",), ("--target", "population"))
    for family in ["normal", "skew-normal", "kernel"]:
        model = Model("o-cs,es,ac", family)
        yield Case(model, "scores")
        yield Case(model, "scores", EVERY)
        yield Case(Model("es", family, options=("--rates", "family")), "scores", REGION)
    yield Case(Model("o-cs,es,ac", "kernel"), "far", ("kind",))
    normal = Model("o-cs,es,ac", "normal")
    yield Case(normal, 'Order by "the".`Hour` x', AWKWARD)
    yield Case(normal, "missing", ("kind",))
    yield Case(normal, "missing")
    for table in ["whole", "single", "exact"]:
        yield Case(Model("o-cs,es,ac,smm", "normal"), table, ("store",))
    yield Case(normal, "empty")
    yield Case(normal, "empty", ("kind",))
    yield Case(Model("o-cs,es,ac", "kernel", "rank"), "far", ("kind",))
    yield Case(Model("o-cs,es,pacc", "normal", "logit", "unit"), "unit", ("store",))
    yield Case(Model("es,pcc,pacc", prob=True), "scores", ("day",))
    for table, by in [("scores", REGION), ("far", ("kind",)), ("missing", ("kind",)), ("empty", ("kind",))]:
        yield Case(Model(HISTOGRAMS), table, by)
    yield Case(Model(HISTOGRAMS, prob=True), "scores", ("store",))
    for table, by in [("scores", ()), ("missing", ("kind",)), ("few", ("store",)), ("empty", ("kind",)), ("empty", ())]:
        yield Case(Model("es,cc", score="few" if table == "few" else "score"), table, by, ("--total",))
    yield Case(normal, "far", ("kind",), ("--total",))
    # No text columns here: engines order text differently, and so disagree on the previous group.
    for by in [("store",), ("day",), ("region", "day"), ("region", "store")]:
        for options in [(), ("--target", "population")]:
            yield Case(normal, "scores", by, (*options, "--reference", "previous"))
    yield Case(Model("es", score="two"), "whole", ("store",), ("--reference", "previous"))
    clustered = Model("es,ac", options=("--label-cluster", "cluster"))
    yield Case(clustered, "scores", ("day",), ("--target", "population", "--reference", "previous"))


def extended_cases():
    """Additional cases for one engine: every method with every family and transform."""
    without_means = LINEAR.removesuffix(",smm")  # a mean of scores near 1e308 overflows
    for family in FAMILIES:
        for transform in ["none", "rank"]:
            yield Case(Model(LINEAR, family, transform), "scores", REGION)
            yield Case(Model(without_means, family, transform), "far", ("kind",))
            yield Case(Model(HISTOGRAMS, family, transform), "far", ("kind",))
        for rates in ["family", "labels"]:
            yield Case(Model("o-cs,t-cs,es", family, options=("--rates", rates)), "scores", ("store", "day"))
    for family in [*FAMILIES, "beta"]:
        for transform in ["none"] if family == "beta" else ["none", "logit", "rank"]:
            yield Case(Model(LINEAR, family, transform, "unit", options=("--cutoff", "0.5")), "unit", ("store",))
    for family in FAMILIES:
        yield Case(Model(LINEAR, family, prob=True), "scores", REGION)
    thresholds = Model("cs,ac", "normal", options=("--threshold", "0.1", "--cutoff", "0.25"))
    for options in [
        ("--target", "population"),
        ("--level", "0.9"),
        ("--interval", "wald"),
        ("--target", "population", "--level", "0.99", "--interval", "wald"),
    ]:
        yield Case(Model(LINEAR, "normal"), "scores", EVERY, options=options)
        yield Case(Model("es"), "scores", EVERY, options=options)
        yield Case(thresholds, "scores", REGION, options=options)
        yield Case(thresholds, "far", ("kind",), options=options)
