"""What a program asks of somebody's desktop: dialogs, browser, camera, MIDI.

Nobody sits there in a test, so that each is answered at once, and noted where it may matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.games.script.imports import Imports
from harness.games.script.runtime import MILLISECOND, Patches, Runtime

_CANCELLED: dict[str, dict[str, Any]] = {
    "tkinter.filedialog": {
        "askopenfilename": "",
        "asksaveasfilename": "",
        "askdirectory": "",
        "askopenfilenames": (),
        "askopenfile": None,
        "asksaveasfile": None,
        "askopenfiles": [],
    },
    "tkinter.messagebox": {
        "showinfo": "ok",
        "showwarning": "ok",
        "showerror": "ok",
        "askquestion": "no",
        "askokcancel": False,
        "askyesno": False,
        "askyesnocancel": None,
        "askretrycancel": False,
    },
    "tkinter.simpledialog": {"askstring": None, "askinteger": None, "askfloat": None},
    "tkinter.colorchooser": {"askcolor": (None, None)},
}
"""What a dialog gives when it is closed without an answer."""

_NO_DEVICE = -1


class Desktop:
    """All that stands around a game on somebody's screen, and is not there."""

    def __init__(self, runtime: Runtime, imports: Imports) -> None:
        self._runtime = runtime
        for name, answers in _CANCELLED.items():
            imports.when(name, self._answering(answers))
        imports.when("webbrowser", self._webbrowser_loaded)
        imports.when("pygame.camera", self._camera_loaded)
        imports.when("pygame.pypm", self._midi_loaded)
        imports.when("pygame._sdl2.video", self._video_loaded)

    def install(self, patches: Patches) -> None:
        """Replace what pygame itself has of these."""
        import pygame

        if hasattr(pygame.display, "message_box"):
            patches.put(pygame.display, "message_box", self._message_box)

    def begin(self) -> None:
        """Nothing is kept."""

    # dialogs

    def _answering(self, answers: dict[str, Any]) -> Callable[[Any, Patches], None]:
        def loaded(module: Any, patches: Patches) -> None:
            for name, answer in answers.items():
                patches.put(module, name, self._dialog(name, answer))

        return loaded

    def _dialog(self, name: str, answer: Any) -> Callable[..., Any]:
        def dialog(*_: Any, **__: Any) -> Any:
            self._runtime.note(f"the game opens a dialog, {name}: answered with {answer!r} at once")
            return answer

        return dialog

    def _message_box(
        self,
        title: str,
        message: str | None = None,
        message_type: str = "info",
        parent_window: Any = None,
        buttons: Any = ("OK",),
        return_button: int = 0,
        escape_button: int | None = None,
    ) -> int:
        self._runtime.note(f"the game shows a message, {title!r}: answered at once")
        return return_button

    def _video_loaded(self, module: Any, patches: Patches) -> None:
        if hasattr(module, "messagebox"):

            def messagebox(title: str, message: str, *_: Any, **given: Any) -> int:
                return self._message_box(title, return_button=given.get("return_button", 0))

            patches.put(module, "messagebox", messagebox)

    def _webbrowser_loaded(self, module: Any, patches: Patches) -> None:
        def open(url: str, *_: Any, **__: Any) -> bool:
            self._runtime.note(f"the game opens {url} in a browser, which there is none of here")
            return True

        for name in ("open", "open_new", "open_new_tab"):
            patches.put(module, name, open)
        patches.put(module, "get", lambda *_: module)

    # devices that are not there

    def _camera_loaded(self, module: Any, patches: Patches) -> None:
        def camera(*_: Any, **__: Any) -> Any:
            import pygame

            raise pygame.error("no camera: there is none where a game is tested")

        for name, value in (
            ("init", lambda *_: None),
            ("quit", lambda: None),
            ("list_cameras", lambda: []),
            ("Camera", camera),
        ):
            patches.put(module, name, value)

    def _midi_loaded(self, module: Any, patches: Patches) -> None:
        """Have no devices; pygame.midi itself says so then, of whichever is asked for."""
        runtime = self._runtime
        for name, value in (
            ("Initialize", lambda: None),
            ("Terminate", lambda: None),
            ("CountDevices", lambda: 0),
            ("GetDefaultInputDeviceID", lambda: _NO_DEVICE),
            ("GetDefaultOutputDeviceID", lambda: _NO_DEVICE),
            ("GetDeviceInfo", lambda _: None),
            ("Time", lambda: runtime.read() // MILLISECOND),
        ):
            patches.put(module, name, value)
