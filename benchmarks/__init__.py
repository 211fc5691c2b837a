"""What the harness costs, measured against its own promises."""
