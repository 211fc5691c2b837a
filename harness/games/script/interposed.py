"""All that is interposed on, in the order in which it is put in and begun."""

from __future__ import annotations

from harness.games.script.clipboard import Clipboard
from harness.games.script.clock import PygameTime
from harness.games.script.desktop import Desktop
from harness.games.script.devices import Devices
from harness.games.script.display import Display
from harness.games.script.events import Events
from harness.games.script.exits import Exits
from harness.games.script.folders import Folders
from harness.games.script.fonts import Fonts
from harness.games.script.imports import Imports
from harness.games.script.mixer import Mixer
from harness.games.script.outside import Outside
from harness.games.script.processes import Processes
from harness.games.script.randomness import Randomness
from harness.games.script.runtime import Interposition, Patches, Runtime
from harness.games.script.spaces import Spaces
from harness.games.script.threads import Threads
from harness.games.script.times import Times
from harness.games.script.toolkit import Toolkit


class Interposed:
    """The interpositions of one process, on one runtime."""

    def __init__(self, runtime: Runtime, pads: int = 0) -> None:
        self.runtime = runtime
        self.patches = Patches()
        imports = Imports()
        self.times = Times(runtime, imports)
        self.randomness = Randomness(runtime, imports)
        self.folders = Folders(runtime, imports)
        self.threads = Threads(runtime, imports)
        self.processes = Processes(runtime, imports)
        self.processes.starting = self.folders.part
        self.outside = Outside(runtime, imports)
        self.mixer = Mixer(runtime, imports)
        self.display = Display(runtime, imports)
        self.devices = Devices(runtime, pads)
        self.spaces = Spaces(runtime)
        self.exits = Exits(runtime)
        self._all: list[Interposition] = [
            self.times,
            PygameTime(runtime),
            self.randomness,
            self.mixer,
            self.display,
            Desktop(runtime, imports),
            Clipboard(runtime, imports),
            Toolkit(runtime, imports),
            Fonts(),
            self.outside,
            self.processes,
            self.threads,
            self.folders,
            Events(runtime, imports),
            self.devices,
            self.spaces,
            self.exits,
            imports,
        ]

    def install(self) -> None:
        """Replace everything, once a process; pygame is imported by then."""
        for each in self._all:
            each.install(self.patches)

    def begin(self, seed: int) -> None:
        """Be as in a process that has just begun, for a run with a seed."""
        self.runtime.begin(seed)
        for each in self._all:
            each.begin()
