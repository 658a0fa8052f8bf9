"""Which address other devices in the same network reach this machine by."""

import socket


def lan_address() -> str | None:
    """Give this machine's own IPv4 address in its network, or None where it has none.

    Nothing is sent: "connecting" a datagram socket only makes the system choose the way out, and
    with it the address that others see. The far end lies in a range kept for documentation.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address
