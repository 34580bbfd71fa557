"""How the wheel is built (PEP 517): the command `c4lab` first, then with maturin the module, and both into one wheel.

Both are built for any x86-64: the solver asks the processor when it starts, and takes AVX-512, AVX2 or neither. The checkout's own
builds are for x86-64-v3 (.cargo/config.toml), so the flags stand here. RUSTFLAGS and CARGO_TARGET_DIR are left as they are where
they are set.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import (  # noqa: F401
    get_requires_for_build_editable,
    get_requires_for_build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

PYTHON = Path(__file__).resolve().parent.parent
BASELINE = "-C target-cpu=x86-64 -C no-vectorize-slp -C no-vectorize-loops -C symbol-mangling-version=v0"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the wheel and gives its name."""
    _prepare()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds what `pip install --editable` installs, and gives its name."""
    _prepare()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def _prepare():
    """Sets the flags of both builds, and puts the command into the package. What it builds, maturin finds built."""
    if platform.machine().lower() in ("x86_64", "amd64"):
        os.environ.setdefault("RUSTFLAGS", BASELINE)
    os.environ.setdefault("CARGO_TARGET_DIR", str(PYTHON.parent / "target" / "wheel"))
    folder = PYTHON / "c4lab" / "bin"
    shutil.rmtree(folder, ignore_errors=True)
    build = ["cargo", "build", "--locked", "--profile", "wheel", "--package", "c4lab-python"]
    if os.name != "posix":
        # The laboratory asks a Unix for clocks and processes. The module has solvers all the same.
        _say("no command in this wheel: the laboratory needs a Unix")
    else:
        build += ["--package", "c4lab"]
    _say("compiling the solvers and the command: one to five minutes (pip install --verbose shows what cargo does)")
    subprocess.run(build, cwd=PYTHON.parent, check=True)
    _say("compiled; packing the wheel")
    if os.name == "posix":
        folder.mkdir()
        shutil.copy2(Path(os.environ["CARGO_TARGET_DIR"]).resolve() / "wheel" / "c4lab", folder / "c4lab")


def _say(text):
    """Says it on stderr, which pip keeps to itself unless asked for more, and then on the terminal, where there is one."""
    print(f"c4lab: {text}", file=sys.stderr, flush=True)
    if not sys.stderr.isatty():
        try:
            with open("/dev/tty", "w") as terminal:
                terminal.write(f"\nc4lab: {text}\n")
        except OSError:
            pass
