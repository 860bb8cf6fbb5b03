"""Debian's packages, for what a machine lacks."""

import os
import shutil
import subprocess


def install(package):
    """Whether the package could be installed, which is so where that needs no password."""
    if not shutil.which("apt-get"):
        return False
    root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if root and not shutil.which("sudo"):
        return False
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet=2"]
    commands = (["update"], ["install", "--yes", package])
    return all(subprocess.run([*apt, *command], stdout=subprocess.DEVNULL).returncode == 0 for command in commands)
