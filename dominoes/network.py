"""Which address other devices in the same network reach this machine by."""

import ipaddress
import socket


def lan_address() -> str | None:
    """Give this machine's own IPv4 address in its network, or None where it has none.

    An address that the whole world reaches is none of these: a site there must be made public.

    Nothing is sent: "connecting" a datagram socket only makes the system choose the way out, and
    with it the address that others see. The far end lies in a range kept for documentation.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    found = ipaddress.ip_address(address)
    return None if found.is_loopback or found.is_unspecified or found.is_global else address
