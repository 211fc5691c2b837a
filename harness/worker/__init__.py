"""A run in a process of its own: whatever the game does there, only that run is hurt.

On Linux a *zygote* is started once for a game and its build; it has imported everything and steps
nothing. Each play is a fork of it. A savestate is a fork that stands still until it is wanted.
Elsewhere each play is a fresh process, and a savestate is its movie.
"""
