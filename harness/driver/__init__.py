"""The only floor that steps a game."""
