"""The built-in tools; importing this package registers them."""

from harness.tools import branch as branch
from harness.tools import check as check
from harness.tools import look as look
from harness.tools import play as play
from harness.tools import scene as scene
