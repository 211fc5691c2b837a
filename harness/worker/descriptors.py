"""The descriptors that a game has open, which a fork shares with the process that it came from."""

from __future__ import annotations

import os
import socket
import stat
import sys

_FOLDER = "/proc/self/fd"


def opened() -> frozenset[int]:
    """What is open in this process now."""
    # The listing itself is among them, and closed by now.
    return frozenset(handle for name in os.listdir(_FOLDER) if _is_open(handle := int(name)))


def _is_open(handle: int) -> bool:
    try:
        os.fstat(handle)
    except OSError:
        return False
    return True


def shared(ours: frozenset[int]) -> str:
    """Why a fork would not be a copy: what is written to, or talked over; empty when nothing is."""
    for handle in sorted(opened() - ours):
        mode = os.fstat(handle).st_mode
        name = _name(handle)
        if stat.S_ISREG(mode) and _access(handle) != os.O_RDONLY:
            return f"the game writes to an open file, {os.path.basename(name)}"
        talks = stat.S_ISSOCK(mode) and not _is_systems(handle)
        if talks or stat.S_ISFIFO(mode) or name.startswith("anon_inode:"):
            return "the game has a socket or a pipe open"
    return ""


def unshare(ours: frozenset[int]) -> None:
    """Open the files that are read anew where they stand: forks share the place in a file."""
    if sys.platform == "win32":
        return
    for handle in opened() - ours:
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                continue
            place = os.lseek(handle, 0, os.SEEK_CUR)
            own = os.open(f"{_FOLDER}/{handle}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        os.lseek(own, place, os.SEEK_SET)
        os.dup2(own, handle, inheritable=os.get_inheritable(handle))
        os.close(own)


def _is_systems(handle: int) -> bool:
    """Whether a socket is one on which the system tells of devices, as SDL has one open.

    Nobody answers there, and no device of the machine's is part of a game here.
    """
    with socket.socket(fileno=os.dup(handle)) as found:
        return found.family == getattr(socket, "AF_NETLINK", None)


def _access(handle: int) -> int:
    if sys.platform == "win32":
        return os.O_RDWR
    import fcntl

    return fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE


def _name(handle: int) -> str:
    try:
        return os.readlink(f"{_FOLDER}/{handle}")
    except OSError:
        return ""
