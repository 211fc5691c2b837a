"""``python -m benchmarks`` runs every benchmark; the exit status is 1 when a bound is missed."""

from __future__ import annotations

import sys

from benchmarks import frame, start, worker

if __name__ == "__main__":
    missed_at_start = start.main(sys.argv[1:])
    print()
    missed_in_workers = worker.main(sys.argv[1:])
    print()
    sys.exit(max(missed_at_start, missed_in_workers, frame.main(sys.argv[1:])))
