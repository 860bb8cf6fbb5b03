"""Integrals of smooth functions, by Gauss and Legendre's rule on panels.

On a panel a function stands for the polynomial through its values at the nodes. Panels are halved until the last
terms of that polynomial's Legendre series are nothing but rounding.
"""

from bisect import bisect
from functools import cache
from itertools import accumulate
from math import cos, pi

from mpmath import mp

mp.dps = 50  # of all that is computed here

NODES = 64


class Rule:
    """On [-1, 1]. Let L_j be the polynomial that is 1 at node j and 0 at the others: `upto[i][j]` is its integral from
    -1 to node i, `terms[k][j]` its k-th Legendre coefficient, and `poles[j]` its weight in the barycentric formula."""

    def __init__(self):
        self.nodes = [root_of_legendre(i) for i in range(NODES)]
        values = [legendre(x) for x in self.nodes]
        self.weights = [2 * (1 - x * x) / (NODES * p[NODES - 1]) ** 2 for x, p in zip(self.nodes, values)]
        series = [[w * (2 * k + 1) / 2 * p[k] for k in range(NODES)] for w, p in zip(self.weights, values)]
        integrals = [
            [1 + x] + [(p[k + 1] - p[k - 1]) / (2 * k + 1) for k in range(1, NODES)] for x, p in zip(self.nodes, values)
        ]
        self.upto = [[mp.fdot(terms, row) for terms in series] for row in integrals]
        self.terms = list(zip(*series))
        self.poles = [(-1) ** j * mp.sqrt((1 - x * x) * w) for j, (x, w) in enumerate(zip(self.nodes, self.weights))]


def legendre(x):
    """P_0(x) to P_NODES(x)."""
    values = [mp.one, x]
    for k in range(1, NODES):
        values.append(((2 * k + 1) * x * values[k] - k * values[k - 1]) / (k + 1))
    return values


def root_of_legendre(i):
    """The i-th root of P_NODES from the left, by Newton's steps."""
    x = mp.mpf(cos(pi * (NODES - i - 0.25) / (NODES + 0.5)))
    for _ in range(7):
        p = legendre(x)
        x -= p[NODES] * (x * x - 1) / (NODES * (x * p[NODES] - p[NODES - 1]))
    return x


RULE = Rule()


class Panel:
    def __init__(self, begin, end):
        self.begin, self.end, self.half = begin, end, (end - begin) / 2
        self.points = [begin + self.half * (1 + x) for x in RULE.nodes]

    def integral(self, values):
        return self.half * mp.fdot(RULE.weights, values)

    def upto(self, values):
        """The integrals from the begin to each node."""
        return [self.half * mp.fdot(row, values) for row in RULE.upto]

    def weights(self, x):
        """What the values at the nodes weigh in the polynomial's value at x, and the weights' sum."""
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
    """Panels from `begin` to `end`. `sample(panel)` gives the values of several functions at the panel's nodes, a
    column for each, and the first column tells whether the panel is short enough. `columns` are those of all panels
    together; the methods take such columns."""

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
        self._begins, self._place = [panel.begin for panel in self.panels], cache(self._find)
        self.columns = [[value for part in parts for value in part] for parts in zip(*samples)]

    def integral(self, values):
        return mp.fsum(self._integrals(values))

    def upto(self, values):
        """The integrals from the begin to each node."""
        before = accumulate(self._integrals(values), initial=mp.zero)
        return [
            begin + within for begin, (panel, own) in zip(before, self._parts(values)) for within in panel.upto(own)
        ]

    def antiderivative(self, values):
        """The integral from the begin to x as a function of x, which is constant beyond the ends."""
        own, whole = [own for _, own in self._parts(self.upto(values))], self.integral(values)

        def at(x):
            if x <= self.panels[0].begin or x >= self.panels[-1].end:
                return mp.zero if x <= self.panels[0].begin else whole
            k, weights, total = self._place(x, mp.dps)
            return mp.fdot(weights, own[k]) / total

        return at

    def _find(self, x, _digits):
        """The number of the panel that x is in, and its weights there, of as many digits."""
        k = bisect(self._begins, x) - 1
        return k, *self.panels[k].weights(x)

    def _integrals(self, values):
        return [panel.integral(own) for panel, own in self._parts(values)]

    def _parts(self, values):
        return ((panel, values[k * NODES : (k + 1) * NODES]) for k, panel in enumerate(self.panels))
