"""Normal and skew-normal distributions, computed from their densities.

normal       f(x) = φ(z)/σ                 z = (x − μ)/σ
skew-normal  f(x) = 2/ω φ(z) Φ(αz)         z = (x − ξ)/ω           (Azzalini 1985)
"""

from mpmath import mp

from integrals import Panels

ROOT_TWO, ROOT_TWO_PI = mp.sqrt(2), mp.sqrt(2 * mp.pi)


class Normal:
    def __init__(self, mean, sd):
        self.mean, self.sd = mp.mpf(mean), mp.mpf(sd)
        # The probability outside is below the working precision.
        self.bulk = self.mean - 16 * self.sd, self.mean + 16 * self.sd

    def z(self, x):
        return (x - self.mean) / self.sd

    def pdf(self, x):
        return mp.exp(-(self.z(x) ** 2) / 2) / (self.sd * ROOT_TWO_PI)

    def sf(self, x):
        """P(S ≥ x)."""
        return mp.erfc(self.z(x) / ROOT_TWO) / 2

    def at_nodes(self, panel):
        """Density and survival function at the panel's nodes."""
        return [self.pdf(x) for x in panel.points], [self.sf(x) for x in panel.points]


class SkewNormal:
    """A skew-normal distribution; its tails are integrals of the density, without Owen's T."""

    def __init__(self, xi, omega, alpha):
        self.xi, self.omega, self.alpha = mp.mpf(xi), mp.mpf(omega), mp.mpf(alpha)
        # The light tail decays like that of a normal with this smaller scale.
        light = self.omega / mp.sqrt(1 + self.alpha**2)
        left, right = (light, self.omega) if self.alpha > 0 else (self.omega, light)
        self.bulk = self.xi - 16 * left, self.xi + 16 * right
        panels = Panels(self._densities, *self.bulk)
        self._cdf = panels.antiderivative(panels.columns[0])

    @classmethod
    def centred(cls, mean, sd, alpha):
        """Returns the distribution with this mean, standard deviation and shape."""
        delta = alpha / mp.sqrt(1 + mp.mpf(alpha) ** 2)
        omega = sd / mp.sqrt(1 - 2 * delta**2 / mp.pi)
        return cls(mean - omega * delta * mp.sqrt(2 / mp.pi), omega, alpha)

    def pdf(self, x):
        z = (x - self.xi) / self.omega
        return mp.exp(-z * z / 2) * mp.erfc(-self.alpha * z / ROOT_TWO) / (self.omega * ROOT_TWO_PI)

    def sf(self, x):
        """P(S ≥ x), with an absolute error at the working precision."""
        return 1 - self._cdf(x)

    def at_nodes(self, panel):
        """Density and survival function at the panel's nodes."""
        (pdf,) = self._densities(panel)
        begin = self.sf(panel.begin)
        return pdf, [begin - part for part in panel.cumulative(pdf)]

    def tails(self, x):
        """P(S < x) and P(S ≥ x), with a relative error at the working precision.

        The tail that may be tiny is integrated from x outwards.
        """
        if x < self.xi:
            lower = self._tail(x, -1)
            return lower, 1 - lower
        upper = self._tail(x, 1)
        return 1 - upper, upper

    def _tail(self, x, side):
        """Integral of the density from x outwards.

        The integral ends where the density is negligible relative to its maximum from x on.
        """
        reach, largest = self.omega / 2**20, self.pdf(x)
        while (density := self.pdf(x + side * reach)) > mp.mpf(10) ** -mp.dps * largest:
            reach, largest = 1.5 * reach, max(largest, density)
        panels = Panels(self._densities, *sorted([x, x + side * reach]))
        return panels.integral(panels.columns[0])

    def _densities(self, panel):
        return [[self.pdf(x) for x in panel.points]]
