"""Scene files: read as a tree of entities, edited line by line, compared property by property."""
