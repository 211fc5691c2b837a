"""The built-in tools; importing this package registers them, play first."""

from harness.tools import play as play  # isort: skip
from harness.tools import look as look  # isort: skip
from harness.tools import branch as branch  # isort: skip
from harness.tools import check as check  # isort: skip
from harness.tools import scene as scene  # isort: skip
from harness.tools import reference as reference  # isort: skip
