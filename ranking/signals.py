"""What this app tells the others, which it doesn't know."""

from django.dispatch import Signal

signed_out = Signal()
"""A way in has ended: close what was opened by it. Arguments: `player_id`, `session_key` (the
session that ended, or None), `token` (the SHA-256 of the token that was revoked, or None),
`everything` (True: all sessions and tokens of the player)."""

account_closed = Signal()
"""An account was closed, or a guest forgotten, and holds nothing personal any more. Sent inside the
transaction. Arguments: `player_id`."""

own_data = Signal()
"""Somebody downloads what is stored about them. Argument: `player`. A receiver gives a dict of
JSON values, {section: …}, which joins the download."""

result_voided = Signal()
"""A result was voided. Sent inside the transaction. Arguments: `key`, `by` (a player or None),
`reason`."""
