"""Pages about oneself: being a guest, signing up, in and out, settings, closing."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from ranking import players, prefs
from ranking.accounts import close_account, stored_about
from ranking.forms import CloseForm, EmailForm, GuestForm, SettingsForm, SignInForm, SignUpForm
from ranking.http import LIMITS, allowed, player_of
from ranking.models import Player
from ranking.sessions import end_everywhere, keep_choices, sign_in, sign_in_guest

MOST_TOKENS = 20
"""Live tokens of one player: more than anyone's programs need, few enough to look through."""


def _me(request: HttpRequest) -> Player:
    assert isinstance(request.user, Player)
    return request.user


def _next(request: HttpRequest) -> str:
    """Where to go on: the page that was wanted, if it is one of ours, else the home page."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else resolve_url(settings.LOGIN_REDIRECT_URL)


def _too_often(request: HttpRequest, what: str, form: Any) -> bool:
    """Count one use by this address; over the limit the form says so."""
    wait = allowed(what, request, *LIMITS[what])
    if wait is None:
        return False
    minutes = -(-wait // 60)
    form.add_error(
        None,
        _("Too many from your address. Please try again in %(minutes)d minutes.")
        % {"minutes": minutes},
    )
    return True


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guest(request: HttpRequest) -> HttpResponse:
    """Play under a name, without an account."""
    if request.user.is_authenticated:
        return redirect(_next(request))
    form = GuestForm(request.POST or None)
    status = 200
    if form.is_valid():
        if _too_often(request, "guests", form):
            status = 429
        else:
            try:
                sign_in_guest(request, form.cleaned_data["name"])
                return redirect(_next(request))
            except ValueError as fault:
                form.add_error("name", str(fault))
    context = {"form": form, "next": _next(request)}
    return render(request, "registration/guest.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account; a guest keeps everything they have played."""
    user = player_of(request)
    if user is not None and not user.is_guest:
        return redirect(_next(request))
    form = SignUpForm(request.POST or None, guest=user)
    status = 200
    if form.is_valid():
        if _too_often(request, "signup", form):
            status = 429
        else:
            try:
                player = form.save()
            except ValueError as fault:
                form.add_error("name", str(fault))
            else:
                sign_in(request, player)
                messages.success(request, _("Welcome, %(name)s.") % {"name": player.name})
                return redirect(_next(request))
    context = {"form": form, "guest": user, "next": _next(request)}
    return render(request, "registration/signup.html", context, status=status)


class SignIn(auth.LoginView):
    """Django's own sign-in; the session is new, and choices come along."""

    authentication_form = SignInForm
    template_name = "registration/login.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in."""
        player = form.get_user()
        sign_in(self.request, player)
        return keep_choices(redirect(self.get_success_url()), player)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """The form, and how to get on without it."""
        return super().get_context_data(guest_form=GuestForm(), **more)


class PasswordReset(auth.PasswordResetView):
    """Sends a link to the account's address, where the site can send mail."""

    template_name = "registration/password_reset_form.html"
    email_template_name = "registration/password_reset_email.txt"
    subject_template_name = "registration/password_reset_subject.txt"
    extra_context = {"mail": True}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Without mail there is only the administrator to ask."""
        if not settings.MAIL_CONFIGURED:
            return render(request, self.template_name, {"mail": False})
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        """Send the mail, unless this address has asked for too many."""
        if _too_often(self.request, "reset", form):
            return self.render_to_response(self.get_context_data(form=form), status=429)
        return super().form_valid(form)


class PasswordResetConfirm(auth.PasswordResetConfirmView):
    """Sets the new password, and ends every other way in."""

    template_name = "registration/password_reset_confirm.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the password; tokens made under the old one end with it."""
        response = super().form_valid(form)
        end_everywhere(form.user)
        return response


@method_decorator(never_cache, name="dispatch")
class PasswordChange(auth.PasswordChangeView):
    """Changes the password of whoever is signed in, and ends every other way in."""

    template_name = "registration/password_change.html"
    success_url = reverse_lazy("settings")

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the password and keep this session alone."""
        player = form.save()
        end_everywhere(player)
        update_session_auth_hash(self.request, player)
        messages.success(self.request, _("Your new password is set."))
        return redirect(self.get_success_url())


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_view(request: HttpRequest) -> HttpResponse:
    """Language, theme and switches; address, tokens and the way out are linked from here."""
    player = _me(request)
    about = request.POST.get("form")
    form = SettingsForm(player, request.POST if about == "settings" else None)
    email = EmailForm(request.POST if about == "email" else None, instance=player)
    if about == "settings" and form.is_valid():
        form.save()
        messages.success(request, _("Your settings are stored."))
        return keep_choices(redirect("settings"), player)
    if about == "email" and not player.is_guest and email.is_valid():
        email.save()
        messages.success(request, _("Your address is stored."))
        return redirect("settings")
    context = {
        "form": form,
        "email_form": email,
        "tokens": player.tokens.filter(revoked=None).order_by("-created"),
        "token": request.session.pop("new_token", None),
    }
    return render(request, "ranking/settings.html", context)


@require_POST
def language(request: HttpRequest) -> HttpResponseBase:
    """The switch at the foot of every page: a cookie, and the settings of whoever is signed in.

    Takes `language` and `next`, a path of this site; an unknown language changes nothing.
    """
    chosen = request.POST.get("language", "")
    if isinstance(request.user, Player) and chosen in dict(settings.LANGUAGES):
        prefs.store(request.user, {"language": chosen})
    return set_language(request)


@login_required
@require_POST
def tokens(request: HttpRequest) -> HttpResponse:
    """Make a token (shown once, on the next page), or revoke one."""
    player = _me(request)
    revoke = request.POST.get("revoke", "")
    live = player.tokens.filter(revoked=None)
    if revoke:
        if revoke.isascii() and revoke.isdigit() and len(revoke) < 19:
            players.revoke_tokens(player, int(revoke))
        messages.success(request, _("The token is revoked."))
    elif live.count() >= MOST_TOKENS:
        messages.error(request, _("You have many tokens already. Revoke one that you don't use."))
    else:
        label = request.POST.get("label", "").replace("\0", "").strip()[:60]
        request.session["new_token"] = players.make_token(player, label)
    return redirect("settings")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD"])
def own_data(request: HttpRequest) -> HttpResponse:
    """Everything stored about oneself, as a JSON file."""
    player = _me(request)
    response = JsonResponse(
        stored_about(player),
        encoder=DjangoJSONEncoder,
        json_dumps_params={"indent": 1, "ensure_ascii": False},
    )
    response["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return response


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest) -> HttpResponse:
    """Close the account (or be forgotten as a guest), after asking once more."""
    player = _me(request)
    form = CloseForm(player, request.POST or None)
    if form.is_valid():
        try:
            close_account(player)
        except ValueError as fault:
            form.add_error(None, str(fault))
        else:
            logout(request)
            messages.success(request, _("Your account is closed. Thank you for playing."))
            return redirect("home")
    return render(request, "ranking/close.html", {"form": form, "player": player})
