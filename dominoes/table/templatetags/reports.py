"""What other pages say of reports."""

from typing import Any

from django import template

from dominoes.table.reports import unread
from ranking.models import Player

register = template.Library()


@register.inclusion_tag("table/report_answers.html")
def report_answers(user: Any) -> dict[str, Any]:
    """A note where answers to one's reports wait, else nothing."""
    return {"answers": unread(user) if isinstance(user, Player) else 0}
