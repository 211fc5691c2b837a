"""Questions to the world: answered with copies, and never changing it."""
