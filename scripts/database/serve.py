"""Runs SecantusDB for as long as the process that holds its standard input lives."""

import os
import signal
import sys
import threading
import time

from secantus.cli import main
from secantus.server import SecantusDBServer


def stop_at_end_of_input() -> None:
    # Nothing is ever written there: it ends with the keeper, however the keeper ends.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(3)
    os._exit(1)


def wait(server: SecantusDBServer) -> None:
    def stop(*_: object) -> None:
        # A second signal would stop it once more in the middle of the first time.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        server.stop()
        sys.exit(0)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    # A signal that comes while the main thread hands over the interpreter lock does not
    # interrupt a wait without a timeout, so its handler would never run.
    while not server._stop_event.wait(0.2):
        pass


if __name__ == "__main__":
    SecantusDBServer.wait = wait
    threading.Thread(target=stop_at_end_of_input, daemon=True).start()
    sys.exit(main())
