"""Static files under hashed names, collected when they have changed."""

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import StaticFilesStorage, staticfiles_storage
from django.core.files.storage import Storage
from django.core.management import call_command
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError
from whitenoise.storage import CompressedManifestStaticFilesStorage

log = logging.getLogger(__name__)

# Style sheets that pages ask for together. Each of these is one file once collected: on a phone's
# line every request before the first paint costs more than what it brings.
STYLES: Final = {
    "site": ("css/base.css", "css/site.css"),
    "table": (
        "css/line.css",
        "css/table.css",
        "css/table-menu.css",
        "css/table-seats.css",
        "css/table-boards.css",
        "css/table-hand.css",
        "css/table-phone.css",
        "css/table-land.css",
        "css/table-desk.css",
    ),
}


def bundle(name: str) -> str:
    """Give the name of the file that has all style sheets of that name in `STYLES`."""
    return f"css/all-{name}.css"


_HASHED: Final = re.compile(r"\.[0-9a-f]{12}\.[a-z0-9]+$")


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Hashed and compressed once collected; plain names as long as nothing has been.

    So a server that was started without ``collectstatic`` still shows its pages whole: whitenoise
    then serves the files from where they lie. The same goes for a file that is newer than what was
    collected.
    """

    def url(self, name: str | None, force: bool = False) -> str:
        """Give the address of a static file; as long as it isn't collected, its plain one."""
        if self.hashed_files or force:
            try:
                return str(super().url(name, force))
            except ValueError:
                log.warning("not collected yet: %s", name)
        return StaticFilesStorage.url(self, name)

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str | None, bool | Exception]]:
        """Hash and compress what was collected, and the style sheets that are joined first."""
        if not dry_run:
            for name, parts in STYLES.items():
                if all(part in paths for part in parts):
                    self._join(bundle(name), [paths[part] for part in parts])
                    paths[bundle(name)] = (self, bundle(name))
        yield from super().post_process(paths, dry_run, **options)

    def _join(self, name: str, parts: list[tuple[Storage, str]]) -> None:
        whole = []
        for storage, path in parts:
            with storage.open(path) as part:
                whole.append(part.read())
        Path(self.path(name)).write_bytes(b"\n".join(whole))


class StaticFiles(WhiteNoiseMiddleware):
    """Serve static files, those too that were collected after this process began.

    While a site is upgraded one process after the other, a page of the new version may ask an old
    process for its style sheets.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with the file, or hand the request on."""
        url = request.path_info
        if url.startswith(self.static_prefix) and url not in self.files and _HASHED.search(url):
            self._look_again(url)
        answer: HttpResponseBase = super().__call__(request)
        return answer

    def get_static_url(self, name: str) -> str | None:
        """Give a file's hashed address; names are asked for here that are no files, too."""
        collected = getattr(staticfiles_storage, "hashed_files", {})
        return staticfiles_storage.url(name) if name in collected else None

    def _look_again(self, url: str) -> None:
        root = os.path.join(os.path.abspath(self.static_root), "")
        path = os.path.join(root, url.removeprefix(self.static_prefix))
        if self.url_is_canonical(url) and self.path_is_child_of(path, root):
            try:
                self.files[url] = self.get_static_file(path, url)
            except MissingFileError:
                return


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
    seen = hashlib.sha256(repr(STYLES).encode())
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda item: str(item[0])):
            entry = Path(storage.path(name)).stat()
            seen.update(f"{name} {entry.st_size} {entry.st_mtime_ns}\n".encode())
    return seen.hexdigest()
