"""Plays public games, or any others, that have never heard of the harness, and prints a table.

Each game is played three times under the same seeded player: in two processes with different hash
seeds, and in one that sleeps for a random while at every picture. All three must be the same bits.

    python -m benchmarks.games                        # games.yaml, checked out below ./games
    python -m benchmarks.games --only boing,snake
    python -m benchmarks.games my/game/main.py other/game "-m pygame.examples.aliens"
    python -m benchmarks.games --examples             # all of pygame's and pymunk's
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import pkgutil
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

LIST = Path(__file__).parent / "games.yaml"
SEED = 1
KEYS = "left,right,up,down,space,return,w,a,s,d,z,x"
CLICK_EVERY = 23
SLEEP = 0.003
MOST_NOTE = 200
HASH_SEEDS = ("1", "2", "3")
"""Of the three processes; the last one sleeps."""

EXAMPLES = ("pygame.examples", "pymunk.examples")
NO_GAMES = frozenset(
    (
        *("arcade", "box2d_vertical_stack", "spiderweb", "using_sprites_pyglet"),
        *("colors_pyglet_batch", "pyglet_util_demo", "matplotlib_util_demo"),
        *("audiocapture", "camera", "midi", "video", "glcube"),
        *("playmus", "scaletest", "run"),
        *("sound", "basic_test", "headless_no_windows_needed", "newtons_cradle"),
        *("shapes_for_draw_demos", "threaded_space"),
    )
)
"""Examples for other libraries; of what no test has; that want a file; that show nothing."""


@dataclass(frozen=True)
class Game:
    """A game of the list. Without a repository it is installed, or lies where ``entry`` says."""

    id: str
    entry: str
    repository: str = ""
    commit: str = ""
    needs: tuple[str, ...] = ()


@dataclass
class Played:
    """One play: how it ended, its marks, and four hex digits of every frame's hash.

    ``seconds`` are of the process's CPU, from frame 0 on.
    """

    ended: str = ""
    frame: int = 0
    seconds: float = 0.0
    trail: str = ""
    marks: list[str] = field(default_factory=list)
    note: str = ""


def listed() -> list[Game]:
    """The games of the list."""
    import yaml

    games = yaml.safe_load(LIST.read_text(encoding="utf-8"))
    return [Game(**{**game, "needs": tuple(game.get("needs", ()))}) for game in games]


def examples() -> list[Game]:
    """All examples that pygame and pymunk bring along."""
    found = []
    for package in EXAMPLES:
        spec = importlib.util.find_spec(package)
        for module in pkgutil.iter_modules(spec.submodule_search_locations if spec else ()):
            if module.name not in NO_GAMES and not module.ispkg and module.name[:1] != "_":
                found.append(Game(module.name, f"-m {package}.{module.name}"))
    return found


def place(game: Game, root: Path) -> str:
    """The file, folder or module that a game starts from."""
    if game.entry.startswith("-m "):
        if importlib.util.find_spec(game.entry[3:].strip()) is None:
            raise FileNotFoundError(f"pip install {' '.join(game.needs) or game.entry[3:]}")
        return game.entry
    folder = root / game.repository if game.repository else Path()
    path = folder / game.entry
    if not path.exists():
        raise FileNotFoundError(_how_to_fetch(game, folder) if game.repository else f"no {path}")
    return str(path.resolve())


def _how_to_fetch(game: Game, folder: Path) -> str:
    there = f"https://github.com/{game.repository}"
    return f"git clone {there} {folder} && git -C {folder} checkout {game.commit}"


def player(size: tuple[int, int], frames: int) -> str:
    """Input of a seeded player: keys at random all the time, and clicks here and there."""
    chance = random.Random(SEED)
    clicks = [
        f"click({chance.randrange(size[0])},{chance.randrange(size[1])})@{frame}"
        for frame in range(CLICK_EVERY, frames, CLICK_EVERY)
    ]
    return ", ".join([f"random({KEYS})@1-{frames}", *clicks])


def play(entry: str, frames: int, sleeps: bool) -> Played:
    """Play a game here and now: the process is its own."""
    from harness.errors import GameError, HarnessError
    from harness.games.script.runtime import Runtime
    from harness.playtest.play import Playtest

    if sleeps:
        Runtime.shown = _sleeping(Runtime.shown)  # type: ignore[method-assign]
    playtest, found, clock = Playtest(entry), Played(), time.process_time
    began = clock()
    try:
        playtest.reset(seed=SEED)
        began = clock()
        last = playtest.step(frames, input=player(playtest.stage.game.folder.size, frames))
        found.ended = "frames" if last == frames else "exit"
    except HarnessError as error:
        run = error.run if isinstance(error, GameError) else None
        found.ended = run.stopped if run is not None else "error"
        if found.ended != "exit" or run.status == "failed":
            found.note = " ".join(str(error).split())[:MOST_NOTE]
    found.seconds = clock() - began
    movie = playtest.played()
    if movie is not None:
        found.frame = movie.marks[-1].frame
        found.trail = "".join(mark.trail for mark in movie.marks)
        found.marks = [f"{mark.frame} {mark.state_hash}" for mark in movie.marks]
    return found


def _sleeping(shown: Any) -> Any:
    sleep, chance = time.sleep, random.Random(time.time_ns())

    def shown_late(runtime: Any) -> None:
        sleep(chance.random() * SLEEP)
        shown(runtime)

    return shown_late


def played_apart(entry: str, frames: int, number: int, timeout: float) -> Played:
    """Play a game in a process of its own, the ``number``-th of three."""
    with tempfile.TemporaryDirectory() as home:
        answer = Path(home) / "answer.json"
        command = [sys.executable, "-m", "benchmarks.games", f"--one={entry}"]
        command += ["--frames", str(frames), "--answer", str(answer)]
        if number == len(HASH_SEEDS) - 1:
            command.append("--sleeps")
        environment = {**os.environ, "PYTHONHASHSEED": HASH_SEEDS[number], "HOME": home}
        environment["PYTHONPATH"] = os.pathsep.join(
            [str(Path(__file__).resolve().parent.parent), *_given_paths()]
        )
        try:
            done = subprocess.run(
                command, env=environment, timeout=timeout, capture_output=True,
                stdin=subprocess.DEVNULL, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Played(note=f"no answer within {timeout:g} s")
        if not answer.exists():
            said = done.stderr.decode(errors="replace").strip().splitlines()
            return Played(
                note=f"ended with {done.returncode}: {said[-1] if said else ''}"[:MOST_NOTE]
            )
        return Played(**json.loads(answer.read_text(encoding="utf-8")))


def _given_paths() -> list[str]:
    return list(filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))


def difference(plays: list[Played]) -> str:
    """Where the plays part, in words; nothing where they are the same."""
    first = plays[0]
    for other, who in zip(plays[1:], ("another hash seed", "random sleeps"), strict=False):
        if other.trail != first.trail:
            pairs = zip(first.trail, other.trail, strict=False)
            same = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
            frame = min(len(first.trail), len(other.trail)) if same is None else same
            return f"frame {frame // 4 + 1} differs under {who}"
        if (other.ended, other.frame, other.note) != (first.ended, first.frame, first.note):
            return f"{other.ended or other.note} at frame {other.frame} under {who}"
        if other.marks != first.marks:
            pair = next(
                (m for m, n in zip(first.marks, other.marks, strict=False) if m != n), "the last"
            )
            return f"the whole state differs under {who} at the mark of frame {pair.split()[0]}"
    return ""


def row(game: Game, entry: str, frames: int, timeout: float) -> dict[str, Any]:
    """Play a game three times, and say how it went."""
    plays = [played_apart(entry, frames, number, timeout) for number in range(len(HASH_SEEDS))]
    first = plays[0]
    started = bool(first.marks)
    parted = difference(plays) if started else ""
    speed = first.frame / first.seconds if first.seconds else 0.0
    return {
        "game": game.id,
        "started": "yes" if started else "no",
        "frames": first.frame,
        "ended": first.ended,
        "fps": round(speed),
        "same bits": "" if not started else "no" if parted else "yes",
        "note": "; ".join(filter(None, [parted, first.note])),
    }


def table(rows: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    """Print rows as they come, as a table of Markdown."""
    seen = []
    for number, found in enumerate(rows):
        if not number:
            print("| " + " | ".join(found) + " |")
            print("|" + " --- |" * len(found))
        print("| " + " | ".join(str(cell).replace("|", "/") for cell in found.values()) + " |")
        sys.stdout.flush()
        seen.append(found)
    return seen


def main(arguments: list[str] | None = None) -> int:
    """Play, print; the exit status is 1 when a game is missing or not the same bits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("entries", nargs="*", help="files, folders or '-m module' (games.yaml)")
    parser.add_argument("--root", type=Path, default=Path("games"), help="where checkouts lie")
    parser.add_argument("--only", help="these ids of the list, with commas between")
    parser.add_argument("--examples", action="store_true", help="all examples of the libraries")
    parser.add_argument("--frames", type=int, default=3000)
    parser.add_argument("--timeout", type=float, default=120, help="seconds a process may take")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--answer", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--sleeps", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.one is not None:
        found = play(chosen.one, chosen.frames, chosen.sleeps)
        chosen.answer.write_text(json.dumps(asdict(found)), encoding="utf-8")
        return 0
    games = _games(chosen)
    seen = table(_rows(games, chosen))
    held = [found for found in seen if found["same bits"] == "yes"]
    print(f"\n{len(held)} of {len(games)} games start and are the same bits in three processes")
    return 0 if games and len(held) == len(games) else 1


def _games(chosen: argparse.Namespace) -> list[Game]:
    if chosen.entries:
        return [Game(entry.rpartition("/")[2], entry) for entry in chosen.entries]
    games = examples() if chosen.examples else listed()
    only = chosen.only.split(",") if chosen.only else [game.id for game in games]
    return [game for game in games if game.id in only]


def _rows(games: list[Game], chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for game in games:
        try:
            entry = place(game, chosen.root)
        except (FileNotFoundError, ImportError) as error:
            print(f"{game.id}: {error}", file=sys.stderr)
            continue
        yield row(game, entry, chosen.frames, chosen.timeout)


if __name__ == "__main__":
    sys.exit(main())
