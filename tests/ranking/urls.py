"""Addresses for the tests of this app alone: no game, no tables."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from ninja import NinjaAPI

from ranking.api import router
from ranking.http import install

api = NinjaAPI(urls_namespace="ranking-tests", docs_url=None)
install(api)
api.add_router("", router)


def home(request: HttpRequest) -> HttpResponse:
    return HttpResponse("home")


urlpatterns = [
    path("", home, name="home"),
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
    path("", include("ranking.urls")),
]
