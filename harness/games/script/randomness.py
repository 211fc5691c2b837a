"""Everything that a program can draw chance from, out of the run's seed."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import uuid
from types import FrameType
from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import Patches, Runtime

PROCESS = 4242
"""What a program is told of its process id, which some take for a seed."""

_NODE = 0x02_00_00_00_00_01
"""What ``uuid.getnode()`` tells of the machine; a locally administered address."""


_KEEPERS = ("multiprocessing",)
"""Packages of Python's that keep what they have drawn, for names and keys."""


class Randomness:
    """``random``, ``os.urandom`` and all that stands on it, numpy's generators, ``uuid``.

    What the system would give comes from one stream of the run's own while the program runs, so
    that a generator made without a seed, ``secrets`` and ``uuid4`` are the same each time.
    """

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self._entropy = random.Random(0)
        self._once = random.Random(0)
        """For what Python draws once in a process, and keeps from one run to the next."""
        self._before_numpy: Any = None
        self._before_fork: Any = None
        self._forks = 0
        self._is_child = False
        self._numpy_seeded: Any = None
        imports.when("numpy.random", self._numpy_loaded, self._numpy_loading)
        imports.when("ssl", self._ssl_loaded)
        imports.when("psutil", self._psutil_loaded)

    def install(self, patches: Patches) -> None:
        """Replace every source that a generator takes its first state from."""
        self._install_entropy(patches)
        self._install_seed(patches)
        self._install_process(patches)
        # Finding a folder for temporary files draws a name for a trial.
        patches.put(tempfile, "tempdir", None)
        # libuuid reads the machine's clock and address.
        patches.put(uuid, "_generate_time_safe", None)
        patches.put(uuid, "_node", _NODE)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._about_to_fork, after_in_child=self._in_child)

    def begin(self) -> None:
        """Seed everything: when the program starts, since imports may have drawn before."""
        seed = self._runtime.seed
        self._entropy.seed(f"entropy {seed}")
        self._once.seed("once")
        self._forks = 0
        random.seed(seed)
        self._seed_numpy()
        uuid._last_timestamp = None  # type: ignore[attr-defined]
        tempfile.tempdir = tempfile._name_sequence = None  # type: ignore[attr-defined]

    def states(self) -> list[Any]:
        """The state of each generator that the program shares, for the state hash."""
        found: list[Any] = [random.getstate(), self._entropy.getstate()]
        numpy = self._numpy_state()
        # Not where nobody drew from it, or it would matter whether something has imported it.
        if numpy is not None and numpy != self._numpy_seeded:
            found.append(numpy)
        return found

    # what the system gives

    def _install_entropy(self, patches: Patches) -> None:
        runtime, real = self._runtime, patches.original(os, "urandom")

        def urandom(size: int, /) -> bytes:
            if not runtime.playing:
                return real(size)  # type: ignore[no-any-return]
            if size < 0:
                raise ValueError("negative argument not allowed")
            return self._stream().randbytes(size)

        def getrandom(size: int, flags: int = 0) -> bytes:
            return urandom(size)

        patches.put(os, "urandom", urandom)
        patches.put(random, "_urandom", urandom)
        if hasattr(os, "getrandom"):
            patches.put(os, "getrandom", getrandom)

    def _stream(self) -> random.Random:
        """What is drawn from by whoever called our caller."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            top = str(frame.f_globals.get("__name__", "")).partition(".")[0]
            if top in _KEEPERS:
                return self._once
            if frame.f_code.co_name == "<module>":
                return self._once if top in sys.stdlib_module_names else self._entropy
            frame = frame.f_back
        return self._entropy

    def _install_seed(self, patches: Patches) -> None:
        runtime, real = self._runtime, patches.original(random.Random, "seed")

        def seed(generator: Any, a: Any = None, version: int = 2) -> None:
            if a is None and runtime.playing:
                a = self._stream().getrandbits(256)
            real(generator, a, version)

        patches.put(random.Random, "seed", seed)
        # The module's function is a method that was bound to the first generator.
        shared = random._inst
        patches.put(random, "seed", shared.seed)

    def _install_process(self, patches: Patches) -> None:
        runtime, real = self._runtime, patches.original(os, "getpid")
        kill = patches.original(os, "kill")

        def getpid() -> int:
            if runtime.playing and not self._is_child and _is_asked_by_program():
                return PROCESS
            return real()  # type: ignore[no-any-return]

        patches.put(os, "getpid", getpid)
        patches.put(os, "kill", lambda process, number, /: kill(self._meant(process), number))

    def _meant(self, process: Any) -> Any:
        if process == PROCESS and self._runtime.playing and not self._is_child:
            return os.getpid()  # asked from here: the real one
        return process

    def _psutil_loaded(self, module: Any, patches: Patches) -> None:
        real = module.Process.__init__

        def begin(process: Any, pid: int | None = None) -> None:
            real(process, self._meant(pid))

        patches.put(module.Process, "__init__", begin)

    def _ssl_loaded(self, module: Any, patches: Patches) -> None:
        patches.put(module, "RAND_bytes", os.urandom)

    # numpy

    def _numpy_loading(self) -> None:
        self._before_numpy = self._entropy.getstate()

    def _numpy_loaded(self, module: Any, patches: Patches) -> None:
        """Seed it as if it had been there from the start; its import draws, and others go on."""
        if self._before_numpy is not None:
            self._entropy.setstate(self._before_numpy)
            self._before_numpy = None
        if self._runtime.playing:
            self._seed_numpy()

    def _seed_numpy(self) -> None:
        module = sys.modules.get("numpy.random")
        if module is not None:
            module.seed(self._runtime.seed)
            self._numpy_seeded = self._numpy_state()

    def _numpy_state(self) -> Any:
        module = sys.modules.get("numpy.random")
        if module is None:
            return None
        kind, keys, *rest = module.get_state()
        return [kind, keys.tolist(), *map(float, rest)]

    # a program that forks

    def _about_to_fork(self) -> None:
        if self._runtime.playing:
            self._before_fork = random.getstate()
            self._forks += 1

    def _in_child(self) -> None:
        if not self._runtime.playing:  # ours, which keeps its state by itself
            return
        # CPython has just seeded it from the system.
        random.setstate(self._before_fork)
        self._is_child = True
        self._entropy.seed(f"child {self._forks} of {self._runtime.seed}")


def _is_asked_by_program() -> bool:
    """Whether the code that called our caller is neither the standard library's nor ours."""
    name = str(sys._getframe(2).f_globals.get("__name__", "")).partition(".")[0]
    return name not in sys.stdlib_module_names and name not in ("harness", "psutil")
