from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from harness.games.script.desktop import Desktop
from harness.games.script.runtime import Runtime


def test_dialogs_are_answered_as_if_they_were_closed(
    interposed: Callable[..., Any], runtime: Runtime
) -> None:
    pytest.importorskip("tkinter")
    interposed(Desktop)
    from tkinter import filedialog, messagebox

    assert filedialog.askopenfilename(title="a level") == ""
    assert messagebox.askyesno("quit", "really?") is False
    assert any("dialog, askopenfilename: answered with ''" in note for note in runtime.notes)


def test_a_browser_is_not_opened(interposed: Callable[..., Any], runtime: Runtime) -> None:
    import webbrowser

    interposed(Desktop)
    assert webbrowser.open("https://example.org")
    assert webbrowser.get().open_new_tab("https://example.org")
    assert runtime.notes == [
        "the game opens https://example.org in a browser, which there is none of here"
    ]


def test_there_is_no_camera_and_no_midi(interposed: Callable[..., Any]) -> None:
    import pygame

    interposed(Desktop)
    import pygame.camera
    import pygame.midi

    pygame.camera.init()
    assert pygame.camera.list_cameras() == []
    with pytest.raises(pygame.error, match="no camera"):
        pygame.camera.Camera("/dev/video0")
    pygame.midi.init()
    assert pygame.midi.get_count() == 0
    assert pygame.midi.get_default_output_id() == -1
    with pytest.raises(pygame.midi.MidiException, match="invalid"):
        pygame.midi.Output(0)
    pygame.midi.quit()


def test_a_message_of_pygame_ce_is_answered(
    interposed: Callable[..., Any], runtime: Runtime
) -> None:
    import pygame

    if not hasattr(pygame.display, "message_box"):
        pytest.skip("pygame has none")
    interposed(Desktop)
    assert pygame.display.message_box("Oh", "no", buttons=("a", "b"), return_button=1) == 1
    assert "'Oh'" in runtime.notes[0]
