"""What this repository's own suites share."""

pytest_plugins = ["pytester"]
