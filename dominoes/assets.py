"""The template tag ``{% styles "table" %}``: a page's style sheets, as one file once collected."""

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from dominoes.static import STYLES, bundle

register = template.Library()


@register.simple_tag
def styles(name: str) -> SafeString:
    """Give the links to the style sheets of that name in `dominoes.static.STYLES`."""
    whole = bundle(name)
    collected = getattr(staticfiles_storage, "hashed_files", {})
    names = [whole] if whole in collected else STYLES[name]
    return format_html_join(
        "\n", '<link rel="stylesheet" href="{}">', ((static(one),) for one in names)
    )
