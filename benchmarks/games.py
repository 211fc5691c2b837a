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
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.plays import MOST_NOTE, Kept, Played, keep, play

LIST = Path(__file__).parent / "games.yaml"
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


def played_apart(entry: str, frames: int, number: int, timeout: float) -> Played:
    """Play a game in a process of its own, the ``number``-th of three."""
    options = ["--sleeps"] if number == len(HASH_SEEDS) - 1 else []
    answer = _apart(entry, frames, HASH_SEEDS[number], timeout, options)
    return Played(note=answer) if isinstance(answer, str) else Played(**answer)


def kept_apart(entry: str, frames: int, timeout: float) -> Kept:
    """Save and load a game of so many frames, in processes of its own."""
    answer = _apart(entry, frames, HASH_SEEDS[0], timeout, ["--keep"])
    return Kept(note=answer) if isinstance(answer, str) else Kept(**answer)


def _apart(
    entry: str, frames: int, hash_seed: str, timeout: float, options: list[str]
) -> dict[str, Any] | str:
    """What a process of its own says of a game; why it says nothing."""
    with tempfile.TemporaryDirectory() as home:
        answer = Path(home) / "answer.json"
        command = [sys.executable, "-m", "benchmarks.games", f"--one={entry}"]
        command += ["--frames", str(frames), "--answer", str(answer), *options]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "HOME": home}
        environment["PYTHONPATH"] = os.pathsep.join(
            [str(Path(__file__).resolve().parent.parent), *_given_paths()]
        )
        try:
            done = subprocess.run(
                command, env=environment, timeout=timeout, capture_output=True,
                stdin=subprocess.DEVNULL, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"no answer within {timeout:g} s"
        if answer.exists():
            found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
            return found
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return f"ended with {done.returncode}: {said[-1] if said else ''}"[:MOST_NOTE]


def _given_paths() -> list[str]:
    return list(filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))


def difference(plays: list[Played]) -> str:
    """Where the plays part, in words; nothing where they are the same."""
    first = plays[0]
    for other, who in zip(plays[1:], ("another hash seed", "random sleeps"), strict=False):
        if not other.marks:
            return f"{other.note} under {who}"
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


def row(game: Game, entry: str, chosen: argparse.Namespace) -> dict[str, Any]:
    """Play a game three times, and say how it went."""
    frames, timeout, saves = chosen.frames, chosen.timeout, chosen.saves
    plays = [played_apart(entry, frames, number, timeout) for number in range(len(HASH_SEEDS))]
    first = plays[0]
    started = bool(first.marks)
    parted = difference(plays) if started else ""
    kept = kept_apart(entry, first.frame, timeout) if started and saves else Kept()
    speed = first.frame / first.seconds if first.seconds else 0.0
    return {
        "game": game.id,
        "started": "yes" if started else "no",
        "frames": first.frame,
        "ended": first.ended,
        "fps": round(speed),
        "same bits": "" if not started else "no" if parted else "yes",
        **({"savestates": kept.by} if saves else {}),
        "note": "; ".join(filter(None, [parted, first.note, kept.note])),
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
    parser.add_argument("--saves", action="store_true", help="try a savestate of each as well")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--answer", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--sleeps", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--keep", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.one is not None:
        found = (
            keep(chosen.one, chosen.frames)
            if chosen.keep
            else play(chosen.one, chosen.frames, chosen.sleeps)
        )
        chosen.answer.write_text(json.dumps(asdict(found)), encoding="utf-8")
        return 0
    games = _games(chosen)
    seen = table(_rows(games, chosen))
    held = [found for found in seen if found["same bits"] == "yes"]
    print(f"\n{len(held)} of {len(games)} games start and are the same bits in three processes")
    if chosen.saves:
        kept = [found for found in seen if found["savestates"] in ("fork", "movie")]
        print(f"{len(kept)} of {len(games)} play on from a savestate as they did")
        held = [found for found in held if found in kept]
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
        yield row(game, entry, chosen)


if __name__ == "__main__":
    sys.exit(main())
