"""Installs packages of Debian."""

import os
import shutil
import subprocess


def install(package):
    """Installs a package if that needs no password, and returns whether it was installed."""
    if not shutil.which("apt-get"):
        return False
    root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if root and not shutil.which("sudo"):
        return False
    apt = [*root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet=2", "-o", "DPkg::Lock::Timeout=600"]
    commands = (["update"], ["install", "--yes", package])
    return all(subprocess.run([*apt, *command], stdout=subprocess.DEVNULL).returncode == 0 for command in commands)
