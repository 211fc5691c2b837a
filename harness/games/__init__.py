"""How a game comes under the driver."""
