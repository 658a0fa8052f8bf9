"""Settings of the baseline: the site's own database, layer and nothing else."""

import os
from pathlib import Path

from dominoes import environment

SECRET_KEY = "only for measuring"
DEBUG = False
USE_TZ = True
INSTALLED_APPS = ["channels", "tests.bench"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CHANNEL_LAYERS = {"default": environment.channel_layer(os.environ.get("REDIS_URL", ""))}
DATABASES = {
    "default": environment.database(
        os.environ.get("DATABASE_URL", ""), Path(os.environ["DATA_DIR"])
    )
}
if not os.environ.get("DATABASE_URL"):
    # Kept open: opening SQLite's file anew for each message costs more than the message.
    DATABASES["default"]["CONN_MAX_AGE"] = None
