"""Run a module with servers of its own: ``python -m tests.with_servers pytest -m servers``.

The settings of the test run find PostgreSQL and Redis in ``TEST_DATABASE_URL`` and
``TEST_REDIS_URL``. Where one is missing this says so and runs nothing, unless everything is
required (``REQUIRE_ALL=1``).
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import services


def main(command: list[str]) -> int:
    """Run ``command``; gives its exit status."""
    missing = [
        name
        for name, tool in (("PostgreSQL", services.postgres_tools), ("Redis", services.redis_tool))
        if tool() is None
    ]
    if missing:
        required = os.environ.get("REQUIRE_ALL") == "1"
        print(f"Not run on PostgreSQL and Redis, for lack of {' and '.join(missing)}.")
        return 1 if required else 0
    with tempfile.TemporaryDirectory(prefix="dominoes-servers-") as folder:
        redis = services.Redis(Path(folder))
        postgres = services.Postgres(Path(folder))
        try:
            redis.start()
            postgres.create()
            env = os.environ | {
                "TEST_DATABASE_URL": postgres.fresh(),
                "TEST_REDIS_URL": redis.url,
            }
            return subprocess.run([sys.executable, "-m", *command], env=env, check=False).returncode
        finally:
            redis.stop()
            postgres.remove()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
