"""`python -m c4lab`: the command `c4lab`, with all of its subcommands."""

import os
import subprocess
import sys

from . import command


def main() -> int:
    """Replaces this process by the command, or runs it as a child if the system cannot."""
    try:
        program = str(command.path())
    except FileNotFoundError as error:
        print(f"c4lab: {error}", file=sys.stderr)
        return 2
    words = [program, *sys.argv[1:]]
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(program, words)
    return subprocess.call(words)


if __name__ == "__main__":
    sys.exit(main())
