"""Where every address of the site leads: pages of the three apps, one API, the keepers' desk."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI

import dominoes.table.api
import lobby.api
import ranking.api
from ranking.http import install

# Without ninja's own page of documentation: it would need scripts from elsewhere.
api = NinjaAPI(
    title="Domino tables",
    version="1",
    urls_namespace="api-1",
    docs_url=None,
    openapi_url="/openapi.json",
    # Reading it changes nothing, so a wrong method is told as such, with or without a token.
    docs_decorator=lambda view: csrf_exempt(require_safe(view)),
)
install(api)
api.add_router("", ranking.api.router)
api.add_router("", dominoes.table.api.router)
api.add_router("", lobby.api.router)


def favicon(request: HttpRequest) -> HttpResponse:
    """Lead those who ask without having read a page (the keepers' desk, bookmarks) to the icon."""
    return redirect(static("icons/icon-192.png"))


urlpatterns = [
    path("favicon.ico", favicon, name="favicon"),
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
    path("", include("lobby.urls")),
    path("", include("dominoes.table.urls")),
    path("", include("dominoes.table.sheet_urls")),
    path("", include("ranking.urls")),
]
