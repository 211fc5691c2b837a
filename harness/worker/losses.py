"""What is told of a run whose process was lost."""

from __future__ import annotations

from dataclasses import replace

from harness.values.run import ErrorInfo, RunRequest, RunResult, run_id


def lost_run(
    request: RunRequest, info: ErrorInfo, start: int, seed: int, scene: str, build: str
) -> RunResult:
    """Tell the end of a process as the result of a run that began at frame ``start``."""
    info = replace(info, frame=max(0, info.frame - start))
    return RunResult(
        "error",
        "error",
        info.frame,
        start,
        seed,
        scene,
        build,
        "",
        error=info,
        request=request,
        run_id=run_id(request, build, ""),
    )
