"""YAML scenarios as tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import UnknownName
from harness.scenario import Scenario, play_scenario, read_scenarios
from harness.values.files import shown_path

if TYPE_CHECKING:
    import pytest

    from harness.testing.context import Context


def scenario_titles(path: Path) -> list[tuple[str, int]]:
    """The name and line of each scenario of a file.

    Raises:
        ConfigError: the file does not fit, with the line.
    """
    return [(scenario.name, scenario.line) for scenario in read_scenarios(path)]


def run_scenario(item: pytest.Item, context: Callable[[Scenario], Context]) -> None:
    """Play the scenario that an item names, as the file is now."""
    found = {scenario.name: scenario for scenario in read_scenarios(item.path)}
    if item.name not in found:
        raise UnknownName("scenario", item.name, found, item.path.name)
    scenario = found[item.name]
    shown_as = shown_path(item.path, item.config.invocation_params.dir)
    play_scenario(context(scenario).play, scenario, shown_as)
