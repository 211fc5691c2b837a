"""A bot: a function of the user's that plays by looking, called before each frame."""

from __future__ import annotations

import os
import random
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.driver.driver import Driver
from harness.errors import HarnessError, InputError, RequestError, UnknownName, printable
from harness.expressions import Expression, compiled
from harness.games.generators import Generators
from harness.playtest.names import Names
from harness.values.files import read_file, reason
from harness.values.inputs import Controls, InputFrame, input_frame
from harness.values.notation import parse
from harness.values.timeline import Vocabulary

BOT = re.compile(r"(?P<file>.+\.py):(?P<function>[A-Za-z_]\w*)")

Bot = Callable[["BotView"], Any]


class BotView:
    """What a bot sees: the play so far. It looks; what it returns is what it presses.

    ``rng`` is a generator of the bot's own, seeded with the run's seed.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._names: Names | None = None
        self._compiled: dict[str, Expression] = {}
        self.rng = random.Random(f"bot/{driver.seed}")

    @property
    def frame(self) -> int:
        """Frames since reset; the bot is about to play the next one."""
        return self._driver.frame

    @property
    def seed(self) -> int:
        """The run's seed."""
        return self._driver.seed

    @property
    def scene(self) -> str:
        """The scene that is played."""
        return self._driver.scene

    def value(self, expression: str) -> Any:
        """The value of an expression now, as a plain value."""
        if self._names is None:
            self._names = Names(self._driver)
        if expression not in self._compiled:
            self._compiled[expression] = compiled(expression)
        self._names.update(self._driver.frame)
        return self._names.plain(self._names.evaluator(self._compiled[expression])())


def bot_input(bot: Bot, driver: Driver, frames: int) -> Iterator[InputFrame]:
    """Ask the bot before each frame, and give what it presses as that frame's input."""
    view = BotView(driver)
    vocabulary = driver.game.folder.vocabulary
    generators = Generators(f"bot/{driver.seed}")
    for _ in range(frames):
        try:
            with generators.swapped_in():
                answer = bot(view)
        except HarnessError:
            raise
        except (Exception, SystemExit) as error:
            raise RequestError(_told(bot, error, driver.frame + 1)) from error
        last = driver.inputs[-1] if driver.inputs else InputFrame()
        controls = pressed(answer, vocabulary, last.pointer)
        yield input_frame(controls, last.held, driver.dt)


def pressed(answer: Any, vocabulary: Vocabulary, pointer: tuple[float, float]) -> Controls:
    """Read a bot's answer: nothing, controls as text (``"right jump"``), or a list of them.

    Raises:
        RequestError: it says nothing playable.
    """
    if answer is None:
        return Controls(pointer=pointer)
    if isinstance(answer, str):
        words = re.findall(r"[^\s,()]+(?:\([^()]*\))?", answer)
    elif isinstance(answer, Iterable):
        words = [str(word) for word in answer]
    else:
        raise RequestError(
            f"a bot gives None, text or a list of controls, not {type(answer).__name__}"
        )
    try:
        timeline = parse(", ".join(f"{word}@1" for word in words), vocabulary)
    except (InputError, UnknownName) as error:
        raise RequestError(f"the bot gave {answer!r}: {error}") from None
    return next(timeline.spans(1, pointer=pointer))[1]


def load_bot(text: str, base: Path) -> Bot:
    """Load ``bot.py:function``, with the file as it is now.

    Raises:
        RequestError: the file or the function is not there, or fails to load.
    """
    match = BOT.fullmatch(text)
    if match is None:
        raise RequestError(f"a bot is file.py:function, not {text!r}")
    file = Path(os.path.realpath(base / match["file"]))
    module = ModuleType(f"playtest_bot_{file.stem}")
    module.__file__ = str(file)
    try:
        source = read_file(file)
    except FileNotFoundError:
        raise RequestError(f"no bot at {file}") from None
    except (OSError, ValueError) as error:
        raise RequestError(f"cannot read the bot {file}: {reason(error)}") from None
    try:
        exec(compile(source, str(file), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        why = printable(f"{type(error).__name__}: {error}")
        raise RequestError(f"the bot {file} does not load: {why}") from None
    function = module.__dict__.get(match["function"])
    if not callable(function):
        there = [
            name
            for name, value in module.__dict__.items()
            if callable(value) and not name.startswith("_")
        ]
        raise UnknownName("function", match["function"], there, file.name)
    return function  # type: ignore[no-any-return]


def _told(bot: Bot, error: BaseException, frame: int) -> str:
    entries = traceback.extract_tb(error.__traceback__)
    file = getattr(getattr(bot, "__code__", None), "co_filename", "")
    ours = [entry for entry in entries if entry.filename == file] or entries[-1:]
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}: " if ours else ""
    why = printable(f"{type(error).__name__}: {error}")
    return f"the bot failed before frame {frame}: {place}{why}"
