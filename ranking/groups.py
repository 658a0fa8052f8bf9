"""Who among the site's keepers may do what: two groups, made by themselves after `migrate`.

Moderators look into things and void matches; administrators touch accounts as well. Other apps
add their permissions with `grant`, from their `AppConfig.ready`.
"""

from typing import Any

from django.apps import apps
from django.db.models.signals import post_migrate

MODERATORS = "Moderators"
ADMINISTRATORS = "Administrators"

_rights: dict[str, set[str]] = {
    MODERATORS: {
        "ranking.view_player",
        "ranking.view_result",
        "ranking.view_side",
        "ranking.view_act",
        "ranking.void_result",
    },
    ADMINISTRATORS: {"ranking.change_player"},
}


def grant(group: str, *permissions: str) -> None:
    """Give a group (and administrators whatever moderators have) permissions, `app.codename`."""
    _rights[group].update(permissions)


def connect() -> None:
    """Have the groups made or brought up to date whenever the database was migrated."""
    # After the last of our apps: by then every permission is there.
    post_migrate.connect(_bring_up, sender=apps.get_app_config("auth"))


def _bring_up(using: str, **more: Any) -> None:
    from django.contrib.auth.models import Group, Permission

    known = {
        f"{permission.content_type.app_label}.{permission.codename}": permission
        for permission in Permission.objects.using(using).select_related("content_type")
    }
    for name in (MODERATORS, ADMINISTRATORS):
        wanted = _rights[name] | (_rights[MODERATORS] if name == ADMINISTRATORS else set())
        group, _made = Group.objects.using(using).get_or_create(name=name)
        group.permissions.add(*(known[right] for right in wanted if right in known))
