"""The table's addresses."""

from django.urls import path

from dominoes.table import health, match_views, report_views, views

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("metrics", health.show_metrics, name="metrics"),
    path("tables/<str:code>/", views.table_page, name="table"),
    path("tables/<str:code>/act/", views.act, name="table-act"),
    path("tables/<str:code>/report/", report_views.table_report, name="table-report"),
    path("reports/", report_views.own_reports, name="reports"),
    path("matches/<str:match_id>/report/", report_views.report_page, name="report"),
    path("matches/<str:match_id>/", match_views.match_page, name="match"),
    path("matches/<str:match_id>/record/", match_views.match_record, name="match-record"),
]
