"""The command `c4lab`, which the wheel brings with it: the laboratory."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ._native import VERSION


class Ended(NamedTuple):
    """How the command ended, and what it wrote."""

    status: int
    stdout: str
    stderr: str


def path() -> Path:
    """The program: that of this package, or else the `c4lab` of the search path.

    Raises FileNotFoundError where there is none.
    """
    name = "c4lab.exe" if os.name == "nt" else "c4lab"
    ours = Path(__file__).parent / "bin" / name
    if ours.is_file():
        return ours
    # The script that pip installed calls this module, and is not what is looked for.
    scripts = {Path(sys.prefix) / "bin", Path(sys.prefix) / "Scripts", Path(sys.argv[0]).parent}
    folders = [folder for folder in os.get_exec_path() if Path(folder) not in scripts]
    found = shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        raise FileNotFoundError(
            f"this build of the package c4lab {VERSION} has no command: install the wheel that `pip wheel ./python` makes, or "
            "`cargo install --path .` in a checkout of c4lab"
        )
    return Path(found)


def run(arguments: Sequence[str]) -> Ended:
    """Runs the command to its end.

    On Ctrl-C the command ends its search, keeps what it has, and KeyboardInterrupt is raised.
    """
    environment = dict(os.environ)
    # What is killed here leaves no measurement behind (on Linux).
    environment["C4LAB_END_WITH_PARENT"] = "1"
    # Engines that are classes of a module find it where this process does.
    environment["PYTHONPATH"] = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
    words = [str(path()), *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=environment, text=True, encoding="utf-8"
    ) as process:
        try:
            stdout, stderr = process.communicate()
        except KeyboardInterrupt:
            try:
                # A terminal has told it, too; a second signal would end it at once.
                process.communicate(timeout=1)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                process.communicate()
            raise
    return Ended(process.returncode, stdout, stderr)
