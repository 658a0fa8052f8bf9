"""Where every address of the site leads: pages of the three apps, one API, the admin's desk."""

from importlib import import_module
from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path
from ninja import NinjaAPI

from ranking.http import install

api = NinjaAPI(
    title="Domino tables",
    version="1",
    urls_namespace="api-1",
    docs_url=None,
    openapi_url="/openapi.json",
)
install(api)

for module in ("ranking.api", "dominoes.table.api", "lobby.api"):
    if find_spec(module):
        api.add_router("", import_module(module).router)

urlpatterns = [
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
    *(
        path("", include(module))
        for module in (
            "lobby.urls",
            "dominoes.table.urls",
            "dominoes.table.sheet_urls",
            "ranking.urls",
        )
        if find_spec(module)
    ),
]
