"""What a worker is started with, so that it is the same each time: hash seed, threads, folders."""

from __future__ import annotations

import os
from pathlib import Path

HASH_SEED = "0"

_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def worker_environment(scratch: Path) -> dict[str, str]:
    """The environment of a worker that writes to ``scratch``."""
    package = str(Path(__file__).resolve().parent.parent.parent)
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONHASHSEED": HASH_SEED,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        "HOME": str(scratch),
        "XDG_CONFIG_HOME": str(scratch),
        "XDG_DATA_HOME": str(scratch),
        "TMPDIR": str(scratch),
        **dict.fromkeys(_THREADS, "1"),
    }
