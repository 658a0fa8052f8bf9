"""Static files under hashed names, collected when they have changed."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Hashed and compressed once collected; plain names as long as nothing has been.

    So a server that was started without ``collectstatic`` still shows its pages whole: whitenoise
    then serves the files from where they lie.
    """

    def url(self, name: str | None, force: bool = False) -> str:
        """Give the address of a static file; as long as nothing is collected, its plain one."""
        if not self.hashed_files and not force:
            return StaticFilesStorage.url(self, name)
        return str(super().url(name, force))


def collect() -> bool:
    """Collect the static files if any changed since the last time; says whether it did.

    Old files stay: a page that is open somewhere may still ask for them.
    """
    stamp = Path(settings.DATA_DIR) / "static.stamp"
    state = _state()
    collected = (Path(settings.STATIC_ROOT) / "staticfiles.json").exists()
    if collected and stamp.exists() and stamp.read_text() == state:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(state)
    return True


def _state() -> str:
    """Give a digest of names, sizes and times of all files that would be collected."""
    seen = hashlib.sha256()
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda item: str(item[0])):
            entry = Path(storage.path(name)).stat()
            seen.update(f"{name} {entry.st_size} {entry.st_mtime_ns}\n".encode())
    return seen.hexdigest()
