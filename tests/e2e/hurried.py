"""The site's settings with bots that hardly pause, so that a test waits for the page, not for them.

Everything else is as on any site; what bots do and when they may do it is tested elsewhere.
"""

from dominoes.settings import *  # noqa: F403
from dominoes.table import clock

vars(clock).update(BOT_PAUSE=(0.1, 0.2), BOT_PAUSE_DRAW=(0.05, 0.1))
