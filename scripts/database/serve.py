"""Runs SecantusDB for as long as the process that holds its standard input lives, with some of its
functions replaced (docs/decisions/005-embedded-database.md)."""

import os
import signal
import sys
import threading
import time

from secantus import transactions
from secantus.cli import main
from secantus.server import SecantusDBServer
from secantus.transactions import TransactionRegistry, TxnState

# What the transaction of a client that died holds, such as the claim of a tour, is free after this.
IDLE_TRANSACTION_SECONDS = 10


def stop_at_end_of_input() -> None:
    # Nothing is ever written there: it ends with the keeper, however the keeper ends.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(3)
    os._exit(1)


def end_idle_transactions(registry: TransactionRegistry) -> int:
    """In place of the server's own, which waits for every statement that is being worked on, and
    then takes the transaction of a long one for idle."""
    now = time.time()
    ended = 0
    for transaction in list(registry._txns.values()):
        if not transaction.mutex.acquire(blocking=False):
            transaction.last_use = now
            continue
        try:
            idle = transaction.last_use < now - IDLE_TRANSACTION_SECONDS
            if idle and transaction.state is TxnState.IN_PROGRESS:
                registry._rollback_quietly(transaction)
                transaction.state = TxnState.ABORTED
                ended += 1
        finally:
            transaction.mutex.release()
    return ended


def forget_old_replies(registry: TransactionRegistry) -> None:
    """In place of the server's own, which looks at every remembered reply at every write outside of
    a transaction, so that thousands of them make each write take ten times as long. They stand in
    the order in which they were given."""
    replies = registry._retryable
    cutoff = time.time() - transactions._RETRYABLE_RECORD_LIFETIME_SECONDS
    while replies:
        oldest = next(iter(replies))
        if len(replies) <= transactions._RETRYABLE_RECORD_MAX and replies[oldest][1] >= cutoff:
            return
        del replies[oldest]


def end_idle_transactions_every_second(server: SecantusDBServer) -> None:
    # By itself the server does so only when some transaction's statement comes in.
    while not server._stop_event.wait(1):
        server.transactions.prune_expired()


def wait(server: SecantusDBServer) -> None:
    # Not in this thread, whose signal handler needs the lock that this takes.
    threading.Thread(
        target=end_idle_transactions_every_second, args=(server,), daemon=True
    ).start()

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
    TransactionRegistry._prune_locked = end_idle_transactions
    TransactionRegistry._prune_retryable_locked = forget_old_replies
    threading.Thread(target=stop_at_end_of_input, daemon=True).start()
    sys.exit(main())
