"""Replaces methods of SecantusDB that work badly when it stops, ends transactions, waits for them, forgets
replies and looks for an index, and makes its threads take shorter turns. The reason is at each
(docs/decisions/005-embedded-database.md).

These methods are not public, so every version is refused but the one that this was written for."""

import contextlib
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version

# As in requirements.in. Before an upgrade, look at every name below that begins with an underscore, at the
# methods that `apply` replaces, and at the calls of these.
FITTING = "0.7.0b3"

if version("secantusdb") != FITTING:
    sys.exit(
        f"secantusdb {version('secantusdb')} is not {FITTING}, for which patches.py was written: "
        "see docs/decisions/005-embedded-database.md"
    )

from bson import ObjectId  # noqa: E402
from secantus import aggregate, query, transactions  # noqa: E402
from secantus.server import SecantusDBServer  # noqa: E402
from secantus.sortkey import COMPOUND_SEP  # noqa: E402
from secantus.storage import Storage, WriteConflictError, _is_wt_rollback  # noqa: E402
from secantus.transactions import TransactionRegistry, TxnState  # noqa: E402
from wiredtiger import WiredTigerError  # noqa: E402

# After this time, what a dead client's transaction holds, such as the claim of a tour, is free again.
IDLE_TRANSACTION_SECONDS = 10

# How long a thread keeps the interpreter while others wait for it. During a command with many documents,
# the others wait this long at each of their steps.
TURN_SECONDS = 0.000_5

# Between two attempts of a change that waits for a transaction.
WAIT_SECONDS = 0.01

# In an index more than what any field behind another one begins with.
HIGHEST = b"\xff" * 8


def apply() -> None:
    SecantusDBServer.wait = wait
    TransactionRegistry._prune_locked = end_idle_transactions
    TransactionRegistry._prune_retryable_locked = forget_old_replies
    Storage._update_chunk = wait_without_lock(Storage._update_chunk)
    Storage._delete_chunk = wait_without_lock(Storage._delete_chunk)
    Storage._try_index_id_keys = look_up
    Storage._iter_indexes = indexes_of
    Storage._try_compound_range_id_keys = look_up_each_of_several
    Storage._range_scan_index = scan_range
    aggregate._STAGES["$unionWith"] = union_with
    query._op_matches = matches
    sys.setswitchinterval(TURN_SECONDS)


def wait(server: SecantusDBServer) -> None:
    """Replaces a wait without a timeout. A signal does not interrupt that wait if it arrives while the
    main thread hands over the interpreter lock, and then its handler never runs."""
    # In another thread, because this thread's signal handler needs the lock that this takes.
    threading.Thread(
        target=end_idle_transactions_every_second, args=(server,), daemon=True
    ).start()

    def stop(*_: object) -> None:
        # A second signal would begin to stop the server again while it is stopping.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        address = server.address
        server._stop_event.set()
        # A thread in accept() does not notice that its socket is closed, and stop() waits two
        # seconds for that thread: a last connection wakes it.
        with contextlib.suppress(OSError):
            socket.create_connection(address, timeout=1).close()
        server.stop()
        sys.exit(0)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    # This does not wait for the event, because set() in the signal handler needs the event's lock.
    while not server._stop_event.is_set():
        time.sleep(0.2)


def end_idle_transactions_every_second(server: SecantusDBServer) -> None:
    # The server itself looks for them only when a statement of any transaction arrives.
    while not server._stop_event.wait(1):
        server.transactions.prune_expired()


def end_idle_transactions(registry: TransactionRegistry) -> int:
    """Replaces a method that waits for every running statement, and then takes the transaction of a
    long statement for an idle one."""
    now = time.time()
    ended = 0
    for transaction in list(registry._txns.values()):
        if not transaction.mutex.acquire(blocking=False):
            transaction.last_use = now
            continue
        try:
            # The clock may have been set back since the last use.
            transaction.last_use = min(transaction.last_use, now)
            idle = transaction.last_use < now - IDLE_TRANSACTION_SECONDS
            if idle and transaction.state is TxnState.IN_PROGRESS:
                registry._rollback_quietly(transaction)
                transaction.state = TxnState.ABORTED
                ended += 1
        finally:
            transaction.mutex.release()
    return ended


def wait_without_lock(patient: Callable) -> Callable:
    """Replaces the repetition of a change of many documents that meets what an open transaction has written. It
    kept the collection locked: the transaction could neither write to it again nor end, and neither could the
    change. Each attempt reads its documents anew, so they may change meanwhile."""
    attempt = patient.__wrapped__

    def repeat(storage: Storage, db: str, coll: str, *args: object, **options: object) -> tuple:
        lock = storage._coll_lock(db, coll)
        while True:
            try:
                return attempt(storage, db, coll, *args, **options)
            except WriteConflictError:
                pass
            except WiredTigerError as error:
                if not _is_wt_rollback(error):
                    raise
            lock.release()
            time.sleep(WAIT_SECONDS)
            lock.acquire()

    return repeat


def forget_old_replies(registry: TransactionRegistry) -> None:
    """Replaces a method that looks at every remembered reply at each write outside of a transaction:
    thousands of them make each write ten times as slow. Replies are in order of age."""
    replies = registry._retryable
    cutoff = time.time() - transactions._RETRYABLE_RECORD_LIFETIME_SECONDS
    while replies:
        oldest = next(iter(replies))
        if len(replies) <= transactions._RETRYABLE_RECORD_MAX and replies[oldest][1] >= cutoff:
            return
        del replies[oldest]


look_up_unpatched = Storage._try_index_id_keys
read_indexes = Storage._iter_indexes
look_up_one = Storage._try_compound_range_id_keys

looked_up = threading.local()


def look_up(
    storage: Storage, db: str, coll: str, filter: dict, *, collation: object = None
) -> list | None:
    """Replaces a method that reads the collection's indexes from the storage again and again, which took half
    of the server's time: during one look-up they are read once."""
    if getattr(looked_up, "indexes", None) is not None:
        return look_up_unpatched(storage, db, coll, filter, collation=collation)
    looked_up.indexes = {}
    try:
        return look_up_unpatched(storage, db, coll, filter, collation=collation)
    finally:
        looked_up.indexes = None


def indexes_of(storage: Storage, db: str, coll: str) -> Iterable:
    known = getattr(looked_up, "indexes", None)
    if known is None:
        return read_indexes(storage, db, coll)
    if (db, coll) not in known:
        known[db, coll] = list(read_indexes(storage, db, coll))
    return known[db, coll]


def look_up_each_of_several(
    storage: Storage, db: str, coll: str, filter: dict, *, collation: object = None
) -> list | None:
    """Replaces a method that knows one operator of a filter, behind the fields that it compares. Of a guide's
    tours (`$in`) and a range of dates, all that those tours have was read: here each tour has a look-up."""
    found = look_up_one(storage, db, coll, filter, collation=collation)
    field = next((field for field, clause in filter.items() if is_list_of_values(clause)), None)
    if found is not None or field is None:
        return found
    found = {}
    for value in filter[field]["$in"]:
        one = {**filter, field: value}
        compares = not any(isinstance(clause, dict) for clause in one.values())
        find = storage._try_compound_eq_id_keys if compares else storage._try_compound_range_id_keys
        ids = find(db, coll, one, collation=collation)
        if ids is None:
            return None
        found.update(dict.fromkeys(ids))
    return list(found)


scan_range_unpatched = Storage._range_scan_index


def scan_range(
    storage: Storage,
    db: str,
    coll: str,
    name: str,
    lower: bytes | None,
    lower_inclusive: bool,
    upper: bytes | None,
    upper_inclusive: bool,
    *,
    prefix: bytes | None = None,
) -> list:
    """Replaces a method that leaves out the upper bound itself where the index has further fields: behind it
    stand their values. It may find too much, since each document is compared once more."""
    if prefix is not None and upper is not None and upper_inclusive:
        upper = upper + COMPOUND_SEP + HIGHEST
    bounds = (lower, lower_inclusive, upper, upper_inclusive)
    return scan_range_unpatched(storage, db, coll, name, *bounds, prefix=prefix)


def is_list_of_values(clause: object) -> bool:
    return (
        isinstance(clause, dict)
        and list(clause) == ["$in"]
        and isinstance(clause["$in"], list)
        and not any(isinstance(value, dict) for value in clause["$in"])
    )


matches_one_by_one = query._op_matches

compared = threading.local()


def matches(values: list, op: str, arg: object, *rest: object, **options: object) -> bool:
    """Replaces a method that compares each document with every value of a list: of 500 ids it looks in a set."""
    if op == "$in" and len(values) == 1 and type(values[0]) is ObjectId:
        ids = ids_of(arg)
        if ids is not None:
            return values[0] in ids
    return matches_one_by_one(values, op, arg, *rest, **options)


def ids_of(arg: object) -> frozenset | None:
    """The set of a list that has only ids; one command compares thousands of documents with the same list."""
    # It keeps the list, so that no other one has its place in memory.
    if getattr(compared, "list", None) is not arg:
        compared.list = arg
        has_only_ids = isinstance(arg, list) and all(type(value) is ObjectId for value in arg)
        compared.ids = frozenset(arg) if has_only_ids else None
    return compared.ids


union_with_all = aggregate._STAGES["$unionWith"]


def union_with(spec: object, docs: list, ctx: aggregate.PipelineContext) -> list:
    """Replaces a stage that reads the whole other collection, whatever its pipeline looks for there: here the
    collection is asked for what the pipeline's first stage wants."""
    pipeline = spec.get("pipeline") if isinstance(spec, Mapping) else None
    first = pipeline[0] if isinstance(pipeline, list) and pipeline else None
    finds = isinstance(first, Mapping) and list(first) == ["$match"] and first["$match"]
    if not isinstance(finds, Mapping) or not spec.get("coll") or ctx.collation is not None:
        return union_with_all(spec, docs, ctx)
    name = spec["coll"]
    found = ctx.storage.find_matching(ctx.db_name, name, dict(finds))
    within = aggregate.PipelineContext(storage=ctx.storage, db_name=ctx.db_name, coll_name=name)
    return [*docs, *aggregate.apply_pipeline(found, pipeline, within)]
