"""Roots of a function of one variable."""

from mpmath import mp


def root(f, a, b):
    """Where f changes its sign between a and b: halvings until f is nearly straight, then secants."""
    positive = f(a) > 0
    for _ in range(20):
        middle = (a + b) / 2
        a, b = (middle, b) if (f(middle) > 0) == positive else (a, middle)
    return secant(f, a, b)


def secant(f, a, b):
    """The root of f near a and b. The error left after a step is of the order of that step times the one before."""
    before, now = f(a), f(b)
    while now != before and abs(b - a) > mp.mpf(10) ** (-0.6 * mp.dps):
        a, b, before = b, b - now * (b - a) / (now - before), now
        now = f(b)
    return b
