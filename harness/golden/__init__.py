"""Pictures of the game: drawn off screen, and compared with the goldens that were approved."""
