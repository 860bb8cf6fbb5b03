"""Integrals of smooth functions, by Gauss-Legendre quadrature on panels.

On a panel, a function is replaced by the polynomial through its values at the nodes. Panels are
halved until the last terms of that polynomial's Legendre series are rounding errors.
"""

from bisect import bisect
from functools import cache
from itertools import accumulate
from math import cos, pi

from mpmath import mp

mp.dps = 50  # decimal digits of all computations of the golden values

NODES = 64


class Rule:
    """A quadrature rule on [-1, 1].

    Let L_j be the polynomial that is 1 at node j and 0 at the others. `cumulative[i][j]` is the
    integral of L_j from -1 to node i, `terms[k][j]` the k-th Legendre coefficient of L_j, and
    `poles[j]` its weight in the barycentric formula.
    """

    def __init__(self):
        self.nodes = [root_of_legendre(i) for i in range(NODES)]
        values = [legendre(x) for x in self.nodes]
        self.weights = [2 * (1 - x * x) / (NODES * p[NODES - 1]) ** 2 for x, p in zip(self.nodes, values)]
        series = [[w * (2 * k + 1) / 2 * p[k] for k in range(NODES)] for w, p in zip(self.weights, values)]
        integrals = [
            [1 + x] + [(p[k + 1] - p[k - 1]) / (2 * k + 1) for k in range(1, NODES)] for x, p in zip(self.nodes, values)
        ]
        self.cumulative = [[mp.fdot(terms, row) for terms in series] for row in integrals]
        self.terms = list(zip(*series))
        self.poles = [(-1) ** j * mp.sqrt((1 - x * x) * w) for j, (x, w) in enumerate(zip(self.nodes, self.weights))]


def legendre(x):
    """Legendre polynomials P_0(x) to P_NODES(x)."""
    values = [mp.one, x]
    for k in range(1, NODES):
        values.append(((2 * k + 1) * x * values[k] - k * values[k - 1]) / (k + 1))
    return values


def root_of_legendre(i):
    """The i-th root of P_NODES from the left, by Newton's method."""
    x = mp.mpf(cos(pi * (NODES - i - 0.25) / (NODES + 0.5)))
    for _ in range(7):
        p = legendre(x)
        x -= p[NODES] * (x * x - 1) / (NODES * (x * p[NODES] - p[NODES - 1]))
    return x


RULE = Rule()


class Panel:
    """An interval with the nodes of the quadrature rule."""

    def __init__(self, begin, end):
        self.begin, self.end, self.half = begin, end, (end - begin) / 2
        self.points = [begin + self.half * (1 + x) for x in RULE.nodes]

    def integral(self, values):
        return self.half * mp.fdot(RULE.weights, values)

    def cumulative(self, values):
        """The integrals from the begin to each node."""
        return [self.half * mp.fdot(row, values) for row in RULE.cumulative]

    def weights(self, x):
        """Weights of the nodes in the interpolating polynomial at x, and their sum."""
        distances = [x - point for point in self.points]
        if mp.zero in distances:
            weights = [mp.mpf(distance == 0) for distance in distances]
        else:
            weights = [pole / distance for pole, distance in zip(RULE.poles, distances)]
        return weights, mp.fsum(weights)

    def is_short_enough(self, values):
        last = max(abs(mp.fdot(terms, values)) for terms in RULE.terms[-3:])
        return last < mp.mpf(10) ** (10 - mp.dps) * max(map(abs, values))

    def halves(self):
        middle = self.begin + self.half
        if self.half < mp.mpf(10) ** -20 * (1 + abs(middle)):
            raise ArithmeticError(f"the integrand is not smooth about {mp.nstr(middle, 20)}")
        return Panel(self.begin, middle), Panel(middle, self.end)


class Panels:
    """Panels from `begin` to `end`, with the values of several functions at their nodes.

    `sample(panel)` returns a column of values for each function. Panels are halved until the first
    function is smooth on each. `columns` has the values on all panels, a column for each function;
    the methods take such columns.
    """

    def __init__(self, sample, begin, end):
        self.panels, samples = [], []
        waiting = [Panel(begin, end)]
        while waiting:
            panel = waiting.pop()
            columns = sample(panel)
            if panel.is_short_enough(columns[0]):
                self.panels.append(panel)
                samples.append(columns)
            else:
                waiting += reversed(panel.halves())
        self.points = [x for panel in self.panels for x in panel.points]
        self._begins, self._cached_locate = [panel.begin for panel in self.panels], cache(self._locate)
        self.columns = [[value for part in parts for value in part] for parts in zip(*samples)]

    def integral(self, values):
        return mp.fsum(self._integrals(values))

    def cumulative(self, values):
        """The integrals from the begin to each node."""
        before = accumulate(self._integrals(values), initial=mp.zero)
        return [
            begin + within
            for begin, (panel, part) in zip(before, self._parts(values))
            for within in panel.cumulative(part)
        ]

    def antiderivative(self, values):
        """The integral from `begin` to x as a function of x, which is constant beyond the ends."""
        parts, total_integral = [part for _, part in self._parts(self.cumulative(values))], self.integral(values)

        def at(x):
            if x <= self.panels[0].begin or x >= self.panels[-1].end:
                return mp.zero if x <= self.panels[0].begin else total_integral
            k, weights, weight_sum = self._cached_locate(x, mp.dps)
            return mp.fdot(weights, parts[k]) / weight_sum

        return at

    def _locate(self, x, _digits):
        """Index of the panel that contains x, and the interpolation weights at x.

        The working precision `_digits` is an argument because it is part of the cache key.
        """
        k = bisect(self._begins, x) - 1
        return k, *self.panels[k].weights(x)

    def _integrals(self, values):
        return [panel.integral(part) for panel, part in self._parts(values)]

    def _parts(self, values):
        return ((panel, values[k * NODES : (k + 1) * NODES]) for k, panel in enumerate(self.panels))
