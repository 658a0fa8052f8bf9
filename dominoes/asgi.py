"""The application that ``manage.py serve`` serves: pages and API by Django, sockets by Channels."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes.settings")

from django.core.asgi import get_asgi_application

pages = get_asgi_application()  # loads the apps, before anything that needs their models

from channels.routing import ProtocolTypeRouter, URLRouter

from dominoes.security import Gate
from dominoes.table.routing import websocket_urlpatterns

application = Gate(
    ProtocolTypeRouter(
        {
            "http": pages,
            "websocket": URLRouter(websocket_urlpatterns),
        }
    )
)
