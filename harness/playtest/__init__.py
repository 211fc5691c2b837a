"""One play of a game, with every verb that a scenario, an agent or a person has."""
