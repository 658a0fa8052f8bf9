"""Static files under hashed names."""

from django.contrib.staticfiles.storage import StaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Hashed and compressed once collected; plain names as long as nothing has been.

    So a server that was started without ``collectstatic`` still shows its pages whole: whitenoise
    then serves the files from where they lie.
    """

    def url(self, name: str | None, force: bool = False) -> str:
        """Give the address of a static file; names that aren't collected stay as they are."""
        if not self.hashed_files and not force:
            return StaticFilesStorage.url(self, name)
        return str(super().url(name, force))
