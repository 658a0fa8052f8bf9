"""The lobby's addresses. They stand before the table's: `tables/new/` is no code."""

from django.urls import path

from lobby import quick, views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play, name="play"),
    path("invites/<int:invite_id>/decline/", views.decline, name="invite-decline"),
    path("tables/new/", views.new_table, name="table-new"),
    path("tables/<str:code>/choices/", views.choices, name="table-choices"),
    path("tables/<str:code>/invite/", views.invite, name="table-invite"),
    path("join/", views.join, name="join"),
    path("join/<str:code>/", views.join_room, name="join-room"),
    path("quick/", quick.quick, name="quick"),
    path("quick/pair/<str:code>/", quick.pair, name="quick-pair"),
    path("companions/", quick.people, name="companions"),
]
