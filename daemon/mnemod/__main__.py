"""Where `mnemod` and `python -m mnemod` begin. Imports next to nothing: hosts start this often."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line. Returns the exit code."""
    if sys.argv[1:] == ["--version"]:
        from mnemod import __version__

        print(f"mnemod {__version__}")
        return 0
    from mnemod.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
