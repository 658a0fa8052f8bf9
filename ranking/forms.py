"""The forms about people: being a guest, signing up and in, settings, closing an account."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import (
    password_validators_help_text_html,
    validate_password,
)
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from ranking import players, prefs
from ranking.models import Player
from ranking.names import MAX_LENGTH, clean_name


class GuestForm(forms.Form):
    """A name, nothing more."""

    name = forms.CharField(
        label=_lazy("Your name"),
        max_length=MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "spellcheck": "false"}),
        help_text=_lazy("As the others at the table will see it."),
    )

    def clean_name(self) -> str:
        """Refuse what can't be shown, in words."""
        try:
            return clean_name(self.cleaned_data["name"])
        except ValueError as fault:
            raise ValidationError(str(fault), code="name") from None


class SignUpForm(forms.Form):
    """A name, a password twice, and an address for when the password is forgotten."""

    name = forms.CharField(
        label=_lazy("Name"),
        max_length=MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "username", "spellcheck": "false"}),
        help_text=_lazy("Everyone will know you by it, and you sign in with it."),
    )
    password = forms.CharField(
        label=_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html(),
    )
    again = forms.CharField(
        label=_lazy("Password once more"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    email = forms.EmailField(
        label=_lazy("E-mail address"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_lazy("May be left empty. It serves only to set a new password, if ever."),
    )

    def __init__(self, *args: Any, guest: Player | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.guest = guest
        if guest is not None:
            self.fields["name"].initial = guest.name

    def clean_name(self) -> str:
        """Refuse names that can't be shown, are reserved or taken, in words."""
        try:
            return players.free_name(self.cleaned_data["name"], for_player=self.guest)
        except ValueError as fault:
            raise ValidationError(str(fault), code="name") from None

    def clean(self) -> dict[str, Any]:
        """Check the password against the site's rules, and that both are the same."""
        data = self.cleaned_data
        password = data.get("password")
        if password:
            holder = Player(name=data.get("name", ""), email=data.get("email", ""))
            try:
                validate_password(password, holder)
            except ValidationError as fault:
                self.add_error("password", fault)
            if data.get("again") != password:
                self.add_error("again", _("The two passwords are not the same."))
        return data

    def save(self) -> Player:
        """Make the account, or turn the guest into one. Raises ValueError with a sentence."""
        data = self.cleaned_data
        if self.guest is not None:
            return players.sign_up(self.guest, data["name"], data["password"], data["email"])
        return players.create_account(data["name"], data["password"], data["email"])


class SignInForm(AuthenticationForm):
    """Django's own, with this site's words."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _lazy(
            "Name and password don't fit. Case matters in the password, not in the name."
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Name")


class SettingsForm(forms.Form):
    """Language, theme, and every switch that was registered."""

    language = forms.ChoiceField(label=_lazy("Language"), required=False)
    theme = forms.ChoiceField(
        label=_lazy("Light"), required=False, choices=prefs.THEMES, widget=forms.RadioSelect
    )

    def __init__(self, player: Player, data: Mapping[str, Any] | None = None) -> None:
        now = prefs.of(player)
        super().__init__(data, initial=now)
        self.player = player
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"),
            required=False,
            choices=[("", _("as the browser")), *settings.LANGUAGES],
            initial=now["language"],
        )
        for switch in prefs.switches():
            kept = now.get(switch.section, {}) if switch.section else now
            self.fields[_field(switch)] = forms.BooleanField(
                label=switch.label,
                help_text=switch.help,
                required=False,
                initial=kept[switch.name],
            )

    def sections(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The switches by section, for the page."""
        found: dict[str, list[forms.BoundField]] = {}
        for switch in prefs.switches():
            found.setdefault(switch.section, []).append(self[_field(switch)])
        return [(prefs.section_title(section), fields) for section, fields in found.items()]

    def save(self) -> None:
        """Keep the choices with the player."""
        chosen: dict[str, Any] = {
            "language": self.cleaned_data["language"],
            "theme": self.cleaned_data["theme"],
        }
        for switch in prefs.switches():
            where = chosen.setdefault(switch.section, {}) if switch.section else chosen
            where[switch.name] = self.cleaned_data[_field(switch)]
        prefs.store(self.player, chosen)


def _field(switch: prefs.Switch) -> str:
    return f"{switch.section}.{switch.name}" if switch.section else switch.name


class EmailForm(forms.ModelForm):
    """The address for a forgotten password."""

    class Meta:
        model = Player
        fields = ("email",)
        labels = {"email": _lazy("E-mail address")}
        help_texts = {"email": _lazy("Serves only to set a new password. Empty removes it.")}


class CloseForm(forms.Form):
    """Asks once more, with the password where there is one."""

    password = forms.CharField(
        label=_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=_lazy("Yes, close it for good"))

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        if not player.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        """Refuse a password that isn't theirs."""
        password: str = self.cleaned_data["password"]
        if not self.player.check_password(password):
            raise ValidationError(_("That is not your password."), code="password")
        return password
