"""What lies outside of a program: the network, somebody at the keyboard, other programs."""

from __future__ import annotations

import builtins
import errno
import io
import ipaddress
import os
import select
import socket
import subprocess
import sys
from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import Patches, Runtime

_WAITS = ("accept", "recv", "recv_into", "recvfrom", "recvfrom_into", "sendall")

NO_NETWORK = "a test has no network"
NOBODY_TYPES = "nobody types in a test but the lines of stdin in a harness.yaml"


class Outside:
    """A program is alone: who asks for others is answered at once, in words."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        self.lines: tuple[str, ...] = ()
        """What somebody has typed before the program began."""

    def install(self, patches: Patches) -> None:
        """Replace what reaches out."""
        self._install_network(patches)
        self._install_names(patches)
        self._install_input(patches)
        self._install_programs(patches)

    def begin(self) -> None:
        """Have nothing typed but those lines."""
        sys.stdin = _NobodyTypes(self._runtime, self.lines)

    # the network

    def _install_network(self, patches: Patches) -> None:
        connect = patches.original(socket.socket, "connect")
        connect_ex = patches.original(socket.socket, "connect_ex")
        sendto = patches.original(socket.socket, "sendto")

        def guarded(sock: socket.socket, address: Any, /) -> None:
            self._refuse(sock, address)
            connect(sock, address)

        def guarded_ex(sock: socket.socket, address: Any, /) -> int:
            try:
                self._refuse(sock, address)
            except ConnectionRefusedError as error:
                return error.errno or errno.ECONNREFUSED
            found: int = connect_ex(sock, address)
            return found

        def guarded_to(sock: socket.socket, *arguments: Any) -> int:
            self._refuse(sock, arguments[-1])
            sent: int = sendto(sock, *arguments)
            return sent

        for name in _WAITS:
            patches.put(socket.socket, name, self._out_of_turn(getattr(socket.socket, name)))
        patches.put(select, "select", self._out_of_turn(select.select))
        patches.put(socket.socket, "connect", guarded)
        patches.put(socket.socket, "connect_ex", guarded_ex)
        patches.put(socket.socket, "sendto", guarded_to)

    def _out_of_turn(self, real: Any) -> Any:
        runtime = self._runtime

        def wait(*arguments: Any, **keywords: Any) -> Any:
            if not runtime.threads or runtime.others is None:
                return real(*arguments, **keywords)
            return runtime.others.outside(lambda: real(*arguments, **keywords))

        return wait

    def _refuse(self, sock: socket.socket, address: Any) -> None:
        """Refuse an address on another machine."""
        if not self._runtime.playing or sock.family not in (socket.AF_INET, socket.AF_INET6):
            return
        if not isinstance(address, tuple) or not address:
            return
        host, port = str(address[0]), address[1] if len(address) > 1 else ""
        if _is_here(host):
            self._runtime.note(
                "the game talks to its own machine over a socket: when an answer comes is not the"
                " harness's to say, so the same bits cannot be promised"
            )
            return
        raise self._refusal(host, port)

    def _refusal(self, host: str, port: Any) -> ConnectionRefusedError:
        where = f"{host}:{port}" if port else host
        self._runtime.note(f"the game wanted to connect to {where}, and was refused: {NO_NETWORK}")
        return ConnectionRefusedError(errno.ECONNREFUSED, f"no connection to {where}: {NO_NETWORK}")

    def _install_names(self, patches: Patches) -> None:
        """Look up no names but this machine's: it may take seconds to fail."""
        for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
            real = patches.original(socket, name)

            def lookup(host: Any, *arguments: Any, real: Any = real, **keywords: Any) -> Any:
                text = host.decode() if isinstance(host, bytes) else host
                if self._runtime.playing and text and not _is_number(text) and not _is_here(text):
                    port = arguments[0] if arguments else ""
                    raise socket.gaierror(socket.EAI_NONAME, str(self._refusal(text, port)))
                return real(host, *arguments, **keywords)

            patches.put(socket, name, lookup)

    # somebody at the keyboard

    def _install_input(self, patches: Patches) -> None:
        runtime, real = self._runtime, patches.original(builtins, "input")

        def input(prompt: object = "", /) -> str:
            if not runtime.playing:
                return real(prompt)  # type: ignore[no-any-return]
            print(prompt, end="", flush=True)
            if isinstance(sys.stdin, _NobodyTypes) and (line := sys.stdin.typed()):
                return line.removesuffix("\n")
            runtime.note(f"the game reads input(), which is at its end: {NOBODY_TYPES}")
            raise EOFError(f"input() is at its end: {NOBODY_TYPES}")

        patches.put(builtins, "input", input)
        patches.put(sys, "stdin", _NobodyTypes(runtime))

    # other programs

    def _install_programs(self, patches: Patches) -> None:
        runtime, begin = self._runtime, patches.original(subprocess.Popen, "__init__")

        def started(process: Any, args: Any, *more: Any, **keywords: Any) -> None:
            if runtime.playing and not _asked_by_pygame():
                self._note_program(args)
            begin(process, args, *more, **keywords)

        patches.put(subprocess.Popen, "__init__", started)
        system = patches.original(os, "system")

        def noted(command: Any, /) -> int:
            if runtime.playing:
                self._note_program(command)
            status: int = system(command)
            return status

        patches.put(os, "system", noted)
        if hasattr(os, "startfile"):
            patches.put(os, "startfile", lambda path, *_, **__: self._note_program(path))

    def _note_program(self, args: Any) -> None:
        first = args if isinstance(args, str | bytes | os.PathLike) else next(iter(args), "")
        name = os.path.basename(os.fsdecode(first).split(" ")[0])
        self._runtime.note(
            f"the game starts another program, {name}: what that does is neither seen nor the same"
            " each time"
        )


class _NobodyTypes(io.StringIO):
    """Standard input, with the lines that were typed before; says so when it is at its end."""

    def __init__(self, runtime: Runtime, lines: tuple[str, ...] = ()) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self._runtime = runtime

    def typed(self) -> str:
        """The next line, as somebody has typed it; nothing at the end."""
        return super().readline()

    @property
    def buffer(self) -> io.BytesIO:
        """What is left, as bytes."""
        return io.BytesIO(self._told(super().read()).encode())

    def read(self, size: int | None = -1, /) -> str:
        """What is left, or so many letters of it."""
        return self._told(super().read(size))

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line."""
        return self._told(super().readline(-1 if size is None else size))

    def __next__(self) -> str:  # type: ignore[override]
        line = self._told(super().readline())
        if not line:
            raise StopIteration
        return line

    def _told(self, text: str) -> str:
        if not text and self._runtime.playing:
            self._runtime.note(
                f"the game reads its standard input, which is at its end: {NOBODY_TYPES}"
            )
        return text


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    if host in ("", "localhost", "<broadcast>"):
        return host != "<broadcast>"
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _asked_by_pygame() -> bool:
    """Whether it is pygame that wants to know the fonts of the system."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if name not in sys.stdlib_module_names:
            return name == "pygame"
        frame = frame.f_back
    return False
