"""`python -m tests.bench [NAME ...] [--json]`: speed and memory against floors of the same run.

Names: cold_start ping observe_alone observe_many slow_disk preview recall memory deaf_client gates;
all if none is given. `tests.bench.locomo`, `.recall_scale`, `.formation_score`, `.slow_inputs` and
`.oracles` are commands of their own. MNEMOD_BENCH_DIR says on which disk. Exits 1 if something
asked for is not met.
"""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from tests.bench import measures
from tests.bench.table import show


def main() -> int:
    known = [measure.__name__ for measure in measures.ALL]
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *known])
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with Console(stderr=True).status("starting") as status:
        figures = measures.run(arguments.names, status.update)
    show(figures, as_json=arguments.json)
    return 0 if all(figure.is_met is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
