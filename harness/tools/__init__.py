"""The built-in tools; importing this package registers them."""

from harness.tools import play as play  # isort: skip
from harness.tools import branch as branch
