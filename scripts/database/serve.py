"""Runs SecantusDB, with some of its functions replaced, for as long as the process at the other end of its
standard input lives (docs/decisions/005-embedded-database.md)."""

import os
import signal
import sys
import threading
import time

# Python's isolated mode leaves out the folder of the script.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import patches  # noqa: E402
from secantus.cli import main  # noqa: E402


def stop_at_end_of_input() -> None:
    # Nothing is ever written to it: it is closed when the keeper ends, however that happens.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(3)
    os._exit(1)


if __name__ == "__main__":
    patches.apply()
    threading.Thread(target=stop_at_end_of_input, daemon=True).start()
    sys.exit(main())
