"""A bot that looks before each frame: it pushes the crate, waits for the door, jumps the spikes."""

JUMP_BEFORE = 40


def careful(play):
    if play.value("game.status") != "playing":
        return None
    ahead = play.value("spikes.position.x - player.position.x")
    if 0 < ahead < JUMP_BEFORE:
        return "right jump"
    if ahead < JUMP_BEFORE or play.value("door.open") or play.value("player.position.x < 240"):
        return "right"
    return None
