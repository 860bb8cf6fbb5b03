"""A golden file and its values made anew, side by side.

A string must be the same to its last digit, and a double the nearest double to the exact value. Two kinds of values
have rules of their own: `Approximate`, which was computed in doubles when the files were first made, and `Rounding`.
"""

from collections import Counter
from dataclasses import dataclass

from mpmath import mp


@dataclass(frozen=True)
class Approximate:
    """A value that the file has with an error of up to `tolerance`."""

    value: mp.mpf
    tolerance: mp.mpf


@dataclass(frozen=True)
class Rounding:
    """The difference of two ways to the same value: nothing but rounding, here and in the file."""

    value: mp.mpf


LARGEST_ROUNDING = mp.mpf("1e-24")


class Unmatched(Exception):
    """The file and what is made anew do not have the same entries."""


class Comparison:
    """Of a file with what is made anew; `kept` tells, by the reason, which keys of the file are not made anew."""

    def __init__(self, name, file, made, kept):
        self.counts, self.differences = Counter(), []
        self._why = {key: reason for reason, keys in kept.items() for key in keys}
        self.renewed = self._renew(name, file, made)

    def _renew(self, path, file, made):
        """The file's value, or that made anew where they differ."""
        if isinstance(made, dict) and isinstance(file, dict):
            if lost := made.keys() - file.keys():
                raise Unmatched(f"{path}: the file has no {', '.join(sorted(lost))}; add any value, then --write")
            return {key: self._entry(f"{path} {key}", key, value, made) for key, value in file.items()}
        if isinstance(made, list) and isinstance(file, list) and len(made) == len(file):
            return [self._renew(f"{path}[{k}]", *values) for k, values in enumerate(zip(file, made))]
        if isinstance(made, (dict, list)):
            raise Unmatched(f"{path}: the file has not as many entries as are made anew")
        known, how = number(file), "to all digits"
        match made:
            case Rounding(value):
                how = "rounding errors"
                same = known is not None and max(abs(known), abs(value)) < LARGEST_ROUNDING
                made = mp.nstr(value, 5)
            case Approximate(value, tolerance):
                how = "approximate in the file"
                same = known is not None and abs(known - value) <= tolerance
                made = float(value)
            case _:
                same = type(file) is type(made) and file == made
        self.counts[how] += count(file)
        if same:
            return file
        self.differences.append(f"{path}: {file!r} in the file, {made!r} made anew")
        return made

    def _entry(self, path, key, value, made):
        if key in made:
            return self._renew(path, value, made[key])
        if key not in self._why:
            raise Unmatched(f"{path}: is not made anew; make it, or say in KEPT why it stays")
        self.counts[self._why[key]] += count(value)
        return value


def count(value):
    """How many numbers a value holds."""
    if isinstance(value, (dict, list)):
        return sum(map(count, value.values() if isinstance(value, dict) else value))
    return int(number(value) is not None)


def number(value):
    """The number that a value of the file is; those of more digits than a double are strings."""
    try:
        return None if value is None else mp.mpf(value)
    except (TypeError, ValueError):
        return None
