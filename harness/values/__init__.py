"""Frozen values that go down into a run and come back out of it; standard library only."""
