"""`{% load invitation %}{% invitation code as inv %}`: inv.link, inv.code and inv.qr of a room.

A tag, so that the table's page can show how others come in without knowing the lobby.
"""

from django import template
from django.template import Context

from lobby import invitations

register = template.Library()


@register.simple_tag(takes_context=True)
def invitation(context: Context, code: str) -> invitations.Invitation:
    """The invitation to the room with that code, as seen from the present request."""
    return invitations.for_table(context["request"], code)
