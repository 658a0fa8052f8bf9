"""The addresses of the pages that explain."""

from django.urls import path

from dominoes.table import sheet_views

urlpatterns = [
    path("rules/", sheet_views.rules_index, name="rules-index"),
    path("rules/<str:system>/", sheet_views.rules, name="rules"),
    path("fair/", sheet_views.fair, name="fair"),
]
