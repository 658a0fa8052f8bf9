"""What games and variants are called on pages: said by the site, in `RANKING_TITLES`.

A site that says nothing gets the words as they come with the results.
"""

from django.conf import settings


def variant_title(game: str, variant: str) -> str:
    """The name of a variant for people, in the language of the page."""
    titles = getattr(settings, "RANKING_TITLES", {})
    given = titles.get(f"{game}/{variant}")
    return str(given) if given is not None else variant.replace("-", " ").capitalize()
