"""Continuous Sweep for two known distributions, from its definition (Kloos, Karch, Meertens,
Scholtus and de Rooij).

F± are survival functions, D = F+ − F−, R = [θ_l, θ_r] is the region where D ≥ p, and W its width.

    g(s) = 1/W ∫_{R, u ≤ s} du/D(u)          c = 1/W ∫_R F−/D
    n V(n, α) = 1/W² ∬_{R×R} [α C+(x, y) + (1−α) C−(x, y)] / (D(x) D(y)) dx dy          C(x, y) = F(max) − F(x) F(y)

The optimal threshold minimises V over p.
"""

from functools import cached_property

from mpmath import mp

from integrals import Panels
from roots import root, secant

GRID = 400


class Separation:
    """Two class distributions. D has a single maximum, and can have a minimum beyond a zero."""

    def __init__(self, positive, negative):
        self.positive, self.negative = positive, negative
        begin = min(positive.bulk[0], negative.bulk[0])
        end = max(positive.bulk[1], negative.bulk[1])
        self.grid = [begin + (end - begin) * k / GRID for k in range(GRID + 1)]
        self.theta_max = self.peak(1)
        self.max_d = self.d(self.theta_max)

    def d(self, x):
        return self.positive.sf(x) - self.negative.sf(x)

    def slope(self, x):
        """Derivative D'(x)."""
        return self.negative.pdf(x) - self.positive.pdf(x)

    def peak(self, sign):
        """Maximiser of sign · D: the maximum of D for sign 1, its minimum for sign −1."""
        with mp.workdps(15):
            top = max(range(GRID), key=lambda k: sign * self.d(self.grid[k]))
        return root(self.slope, self.grid[top - 1], self.grid[top + 1])

    def begin(self, p):
        """Left end θ_l of R."""
        return root(lambda x: self.d(x) - p, self.grid[0], self.theta_max)

    def end(self, p):
        """Right end θ_r of R."""
        return root(lambda x: self.d(x) - p, self.theta_max, self.grid[-1])


class Sweep:
    """Continuous Sweep over R = [`left`, `right`]."""

    def __init__(self, separation, left, right):
        self.separation, self.left, self.right, self.width = separation, left, right, right - left
        self.panels = Panels(self._sample, left, right)
        self.inverse, self.F_pos, self.F_neg, self.f_pos, self.f_neg = self.panels.columns

    def _sample(self, panel):
        (f_pos, F_pos), (f_neg, F_neg) = (
            c.at_nodes(panel) for c in (self.separation.positive, self.separation.negative)
        )
        return [[1 / (pos - neg) for pos, neg in zip(F_pos, F_neg)], F_pos, F_neg, f_pos, f_neg]

    @property
    def p(self):
        return self.separation.d(self.left)

    def over_d(self, values):
        return [value * inverse for value, inverse in zip(values, self.inverse)]

    @cached_property
    def c(self):
        return self.panels.integral(self.over_d(self.F_neg)) / self.width

    @cached_property
    def g_max(self):
        return self.panels.integral(self.inverse) / self.width

    @cached_property
    def moments(self):
        """Mean and variance of g(S) for each class; g is 0 left of R and g_max right of R."""
        g = [value / self.width for value in self.panels.cumulative(self.inverse)]

        def class_moments(pdf, distribution):
            left, right = 1 - distribution.sf(self.left), distribution.sf(self.right)
            mean = self.panels.integral([v * f for v, f in zip(g, pdf)]) + self.g_max * right
            inside = self.panels.integral([(v - mean) ** 2 * f for v, f in zip(g, pdf)])
            return mean, mean**2 * left + inside + (self.g_max - mean) ** 2 * right

        return (
            class_moments(self.f_pos, self.separation.positive),
            class_moments(self.f_neg, self.separation.negative),
        )

    @cached_property
    def double_integrals(self):
        """∬ C(x, y)/(D(x) D(y)) for each class: twice the part x ≤ y, where C = (1 − F(x)) F(y)."""

        def class_integral(F):
            inner = self.panels.cumulative(self.over_d([1 - v for v in F]))
            return 2 * self.panels.integral(self.over_d([v * i for v, i in zip(F, inner)]))

        return class_integral(self.F_pos), class_integral(self.F_neg)

    def variance(self, alpha):
        """The variance n V(n, α), free of n."""
        pos, neg = self.double_integrals
        return (alpha * pos + (1 - alpha) * neg) / self.width**2

    def variance_slope(self, alpha):
        """Derivative of n V(n, α) by p.

        Each end of R moves by 1/D', which changes the square R×R and the width W.
        """
        s = self.separation
        left, right = 1 / s.slope(self.left), 1 / s.slope(self.right)

        def sides(F, distribution):
            on_right = distribution.sf(self.right) * self.panels.integral(self.over_d([1 - v for v in F]))
            on_left = (1 - distribution.sf(self.left)) * self.panels.integral(self.over_d(F))
            return 2 * (right * on_right - left * on_left) / self.p

        integral_slope = alpha * sides(self.F_pos, s.positive) + (1 - alpha) * sides(self.F_neg, s.negative)
        return integral_slope / self.width**2 - 2 * (right - left) / self.width * self.variance(alpha)


def at_threshold(separation, p):
    return Sweep(separation, separation.begin(p), separation.end(p))


def optimal(separation, alpha):
    """The sweep with minimal V(n, α).

    A coarse grid of left ends brackets the minimum, then V' = 0 is solved, first with few digits.
    """

    def sweep(left):
        return Sweep(separation, left, separation.end(separation.d(left)))

    def slope(left):
        return sweep(left).variance_slope(alpha)

    low = separation.begin(separation.max_d / 100)
    with mp.workdps(20):
        grid = [low + (separation.theta_max - low) * k / 8 for k in range(9)]
        best = min(range(8), key=lambda k: sweep(grid[k]).variance(alpha))
        if best == 0:
            raise ArithmeticError("the best threshold is below a hundredth of the largest")
        a, b = grid[best - 1], grid[best + 1]
        for _ in range(4):
            middle = (a + b) / 2
            a, b = (a, middle) if slope(middle) > 0 else (middle, b)
        near = secant(slope, a, b)
    return sweep(secant(slope, near + mp.mpf(10) ** -12, near))
