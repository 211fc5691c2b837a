"""The names of keys, mouse buttons and pad buttons, known without importing pygame."""

from __future__ import annotations

_KEY_NAMES = """
a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9
f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15
up down left right home end pageup pagedown insert delete backspace tab return escape space
lshift rshift lctrl rctrl lalt ralt lsuper rsuper mode menu capslock numlock scrollock
clear pause print sysreq power euro help currencysubunit ac_back
kp0 kp1 kp2 kp3 kp4 kp5 kp6 kp7 kp8 kp9
kp_period kp_divide kp_multiply kp_minus kp_plus kp_enter kp_equals
ampersand asterisk at backquote backslash caret colon comma dollar equals exclaim greater hash
leftbracket leftparen less minus percent period plus question quote quotedbl
rightbracket rightparen semicolon slash underscore
"""

KEYS = frozenset(_KEY_NAMES.split())
"""Every key that pygame has a ``K_*`` constant for, under one name in lower case."""

KEY_ALIASES = {
    "enter": "return",
    "esc": "escape",
    "ctrl": "lctrl",
    "shift": "lshift",
    "alt": "lalt",
    "break": "pause",
    "currencyunit": "euro",
    "lgui": "lsuper",
    "lmeta": "lsuper",
    "rgui": "rsuper",
    "rmeta": "rsuper",
    "numlockclear": "numlock",
    "printscreen": "print",
    "scrolllock": "scrollock",
    **{f"kp_{digit}": f"kp{digit}" for digit in range(10)},
}
"""Other words for a key; some are pygame's own second constants for it."""

MOUSE_BUTTONS = ("left", "middle", "right", "x1", "x2")

_PAD_NAMES = """
a b x y back guide start left_stick right_stick left_shoulder right_shoulder up down left right
"""

PAD_BUTTONS = tuple(_PAD_NAMES.split())
"""SDL's controller names, its ``dpad_`` left out."""

PAD_AXES = ("left_x", "left_y", "right_x", "right_y", "left_trigger", "right_trigger")


def key_name(word: str) -> str | None:
    """Give the key that a word names (``space``, ``K_SPACE``, ``esc``), or None."""
    name = word.removeprefix("K_").lower()
    name = KEY_ALIASES.get(name, name)
    return name if name in KEYS else None
