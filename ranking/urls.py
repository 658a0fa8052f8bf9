"""Addresses of the ladder, of players and of everything about oneself."""

from django.contrib.auth import views as auth
from django.urls import path

from ranking import account_views, views

urlpatterns = [
    path("ladder/", views.ladder_view, name="ladder"),
    path("players/<str:name>/", views.player_view, name="player"),
    path("players/<str:name>/matches/", views.history_view, name="player-matches"),
    path("about/stored/", views.stored_view, name="stored"),
    path("settings/", account_views.settings_view, name="settings"),
    path("settings/language/", account_views.language, name="set_language"),
    path("settings/tokens/", account_views.tokens, name="tokens"),
    path("settings/data/", account_views.own_data, name="own-data"),
    path("settings/close/", account_views.close, name="close-account"),
    path("accounts/guest/", account_views.guest, name="guest"),
    path("accounts/signup/", account_views.sign_up, name="signup"),
    path("accounts/login/", account_views.SignIn.as_view(), name="login"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path(
        "accounts/password_change/",
        account_views.PasswordChange.as_view(),
        name="password_change",
    ),
    path("accounts/password_reset/", account_views.PasswordReset.as_view(), name="password_reset"),
    path(
        "accounts/password_reset/done/",
        auth.PasswordResetDoneView.as_view(template_name="registration/password_reset_sent.html"),
        name="password_reset_done",
    ),
    path(
        "accounts/reset/<uidb64>/<token>/",
        account_views.PasswordResetConfirm.as_view(),
        name="password_reset_confirm",
    ),
    path(
        "accounts/reset/done/",
        auth.PasswordResetCompleteView.as_view(
            template_name="registration/password_reset_finished.html"
        ),
        name="password_reset_complete",
    ),
]
