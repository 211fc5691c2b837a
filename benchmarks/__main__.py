"""``python -m benchmarks`` runs every benchmark; the exit status is 1 when a bound is missed."""

from __future__ import annotations

import sys

from benchmarks import frame, script, see, serve, start, worker

if __name__ == "__main__":
    missed_at_start = start.main(sys.argv[1:])
    print()
    missed_by_looking = see.main(sys.argv[1:])
    print()
    missed_in_workers = worker.main(sys.argv[1:])
    print()
    missed_over_mcp = serve.main(sys.argv[1:])
    print()
    missed_by_programs = script.main(sys.argv[1:])
    print()
    missed = (
        missed_at_start,
        missed_by_looking,
        missed_in_workers,
        missed_over_mcp,
        missed_by_programs,
    )
    sys.exit(max(*missed, frame.main(sys.argv[1:])))
