"""The choices that have names."""

from truecount import _core

__all__ = ["families", "methods"]


def methods() -> dict[str, str]:
    """Every method's name with what it is; ``cs`` besides is Continuous Sweep with a threshold of your own."""
    return dict(_core.names("methods"))


def families() -> dict[str, str]:
    """Every family's name with what it is for."""
    return dict(_core.names("families"))
