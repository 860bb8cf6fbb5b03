"""Comparison of a golden file with its recomputed values.

Strings must agree in every digit, and doubles must be the nearest double to the exact value;
`Approximate` values have another rule.
"""

from collections import Counter
from dataclasses import dataclass

from mpmath import mp


@dataclass(frozen=True)
class Approximate:
    """An exact value; the file's value was computed in doubles and may differ by `tolerance`."""

    value: mp.mpf
    tolerance: mp.mpf


class StructureMismatch(Exception):
    """Raised if the file and the recomputed values do not have the same entries."""


class Comparison:
    """A comparison of a file with its recomputed values.

    `not_recomputed` has lists of keys, by the reason for which these keys of the file are not
    recomputed. `counts` has the number of values by the rule of their comparison, or by that
    reason. `updated` is the file's content with the differing values replaced.
    """

    def __init__(self, name, file, recomputed, not_recomputed):
        self.counts, self.differences = Counter(), []
        self._reasons = {key: reason for reason, keys in not_recomputed.items() for key in keys}
        self.updated = self._update(name, file, recomputed)

    def _update(self, path, file, recomputed):
        """Returns the file's value, or the recomputed value if they differ."""
        if isinstance(recomputed, dict) and isinstance(file, dict):
            if missing := recomputed.keys() - file.keys():
                raise StructureMismatch(
                    f"{path}: the file has no {', '.join(sorted(missing))}; add any value, then --write"
                )
            return {key: self._update_entry(f"{path} {key}", key, value, recomputed) for key, value in file.items()}
        if isinstance(recomputed, list) and isinstance(file, list) and len(recomputed) == len(file):
            return [self._update(f"{path}[{k}]", *values) for k, values in enumerate(zip(file, recomputed))]
        if isinstance(recomputed, (dict, list)):
            raise StructureMismatch(f"{path}: the file has not as many entries as are made anew")
        file_number, rule = number(file), "to all digits"
        match recomputed:
            case Approximate(value, tolerance):
                rule = "approximate in the file"
                agrees = file_number is not None and abs(file_number - value) <= tolerance
                recomputed = float(value)
            case _:
                agrees = type(file) is type(recomputed) and file == recomputed
        self.counts[rule] += count_numbers(file)
        if agrees:
            return file
        self.differences.append(f"{path}: {file!r} in the file, {recomputed!r} made anew")
        return recomputed

    def _update_entry(self, path, key, value, recomputed):
        if key in recomputed:
            return self._update(path, value, recomputed[key])
        if key not in self._reasons:
            raise StructureMismatch(f"{path}: is not made anew; make it, or say in NOT_RECOMPUTED why it stays")
        self.counts[self._reasons[key]] += count_numbers(value)
        return value


def count_numbers(value):
    """Returns the number of numbers in a value and its entries."""
    if isinstance(value, (dict, list)):
        return sum(map(count_numbers, value.values() if isinstance(value, dict) else value))
    return int(number(value) is not None)


def number(value):
    """Returns a value of the file as a number, or `None`; long numbers are strings in the file."""
    try:
        return None if value is None else mp.mpf(value)
    except (TypeError, ValueError):
        return None
