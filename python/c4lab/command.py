"""The command `c4lab` of the laboratory, which is part of the wheel."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from ._native import VERSION


def path() -> Path:
    """The program of this package, or else the `c4lab` of the search path.

    Raises FileNotFoundError if there is none.
    """
    name = "c4lab.exe" if os.name == "nt" else "c4lab"
    ours = Path(__file__).parent / "bin" / name
    if ours.is_file():
        return ours
    # The script that pip installed calls this module, so it is not the program.
    scripts = {Path(sys.prefix) / "bin", Path(sys.prefix) / "Scripts", Path(sys.argv[0]).parent}
    folders = [folder for folder in os.get_exec_path() if Path(folder) not in scripts]
    found = shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        raise FileNotFoundError(
            f"this build of the package c4lab {VERSION} has no command: install the wheel that `pip wheel ./python` makes, or "
            "`cargo install --path .` in a checkout of c4lab"
        )
    return Path(found)
