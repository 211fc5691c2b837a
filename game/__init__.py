"""Crate and Door: a small platformer, and the reference game of the playtest harness."""
