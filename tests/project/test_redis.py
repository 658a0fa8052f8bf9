"""Redis as the layer between processes, and what becomes of us without it."""

import asyncio
import time

import pytest
import redis
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.core.cache.backends.redis import RedisCache

from dominoes import environment
from tests import services

#: Some versions of the client give up on a connection that was silent for five seconds.
SILENCE = 6.5


async def test_a_subscriber_that_hears_nothing_for_a_while_stays(
    redis_server: services.Redis,
) -> None:
    layer = RedisPubSubChannelLayer(**environment.channel_layer(redis_server.url)["CONFIG"])
    channel = await layer.new_channel()
    await layer.group_add("tables", channel)
    waiting = asyncio.create_task(layer.receive(channel))
    await asyncio.sleep(SILENCE)
    assert not waiting.done()
    await layer.group_send("tables", {"type": "news", "seq": 17})
    assert await asyncio.wait_for(waiting, 5) == {"type": "news", "seq": 17}
    await layer.flush()


def test_a_cache_that_is_gone_is_noticed_at_once() -> None:
    url = f"redis://127.0.0.1:{services.free_port()}"
    wanted = environment.cache(url)
    cache = RedisCache(url, {"OPTIONS": wanted["OPTIONS"]})
    begun = time.monotonic()
    with pytest.raises(redis.exceptions.ConnectionError):
        cache.add("key", 1)
    assert time.monotonic() - begun < 3
