"""The pytest side: what stands behind the fixtures, imported when one is first used.

Nothing here, or below, imports a module of the harness inside a function: the plugin may hold a
private copy of the package, which cannot be imported any more once it is loaded.
"""

from harness.errors import HarnessError as HarnessError
from harness.testing.context import Context as Context
from harness.testing.goldens import explanation as explanation
from harness.testing.goldens import unused_goldens as unused_goldens
from harness.testing.scenarios import run_scenario as run_scenario
from harness.testing.scenarios import scenario_titles as scenario_titles
