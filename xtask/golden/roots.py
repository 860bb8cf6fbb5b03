"""Roots of a function of one variable."""

from mpmath import mp


def root(f, a, b):
    """The sign change of f between a and b, by bisection and then the secant method."""
    positive = f(a) > 0
    for _ in range(20):
        middle = (a + b) / 2
        a, b = (middle, b) if (f(middle) > 0) == positive else (a, middle)
    return secant(f, a, b)


def secant(f, a, b):
    """The root of f near a and b, by the secant method.

    The error after a step is of the order of that step times the previous step, hence the exponent
    0.6.
    """
    f_a, f_b = f(a), f(b)
    while f_b != f_a and abs(b - a) > mp.mpf(10) ** (-0.6 * mp.dps):
        a, b, f_a = b, b - f_b * (b - a) / (f_b - f_a), f_b
        f_b = f(b)
    return b
