import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Poller } from "~/jobs/poller.server";
import { requestScope } from "~/lib/request-scope.server";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A poller whose work lasts until `end` is called. */
function poller(every = 1_000) {
  const ends: ((error?: Error) => void)[] = [];
  const onError = vi.fn();
  const work = vi.fn<(stopped: AbortSignal) => Promise<void>>(
    () =>
      new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve()))),
  );
  const made = new Poller({ every: () => every, work, onError });
  const end = async (error?: Error) => {
    ends.shift()!(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { made, work, onError, end };
}

test("works at once, and again that long after each end, also after a failure, which it tells", async () => {
  const { made, work, onError, end } = poller();
  made.start();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(1);
  await end(new Error("away"));
  expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("away"));
  await vi.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
});

test("that is woken while it works does so once more, and never twice at once", async () => {
  const { made, work, end } = poller();
  made.start();
  const woken = [made.wake(), made.wake()];
  expect(work).toHaveBeenCalledTimes(1);
  await end();
  expect(work).toHaveBeenCalledTimes(2);
  await end();
  await Promise.all(woken);
  expect(work).toHaveBeenCalledTimes(2);
});

test("lets others join its work, which hear of a failure, and works once more if woken meanwhile", async () => {
  const { made, work, onError, end } = poller();
  const failures: unknown[] = [];
  const join = () => made.join().catch((error: unknown) => failures.push(error));
  const joined = [join(), join()];
  const woken = made.wake();
  expect(work).toHaveBeenCalledTimes(1);
  await end(new Error("away"));
  await Promise.all(joined);
  expect([failures.length, onError.mock.calls.length, work.mock.calls.length]).toEqual([2, 0, 2]);
  const last = join();
  await end();
  await Promise.all([last, woken]);
  expect([failures.length, work.mock.calls.length]).toEqual([2, 2]);
});

test.each([
  ["others have joined", false],
  ["others have joined, where it is woken too", true],
])("that is stopped waits for work that %s, and begins nothing more", async (_, isWoken) => {
  const { made, work, end } = poller();
  const joined = made.join();
  const woken = isWoken ? made.wake() : undefined;
  let stopped = false;
  const stopping = made.stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(stopped).toBe(false);
  await end();
  await Promise.all([joined, woken, stopping]);
  expect(work).toHaveBeenCalledTimes(1);
});

test("that is stopped tells its work, waits for it, and begins nothing more", async () => {
  const { made, work, onError, end } = poller();
  made.start();
  void made.wake();
  let stopped = false;
  const stopping = made.stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(0);
  expect([work.mock.calls[0]![0].aborted, stopped]).toEqual([true, false]);
  await end(new Error("stopped"));
  await stopping;
  await made.wake();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(1);
  expect(onError).not.toHaveBeenCalled();
});

test("works outside of the request that woke or joined it, and fails there", async () => {
  const seen: unknown[] = [];
  const see = () => void seen.push(requestScope.getStore());
  const work = () => Promise.reject(new Error("away")).finally(see);
  const made = new Poller({ every: () => 1_000, work, onError: see });
  await requestScope.run({ requestId: "1", clientAddress: "192.0.2.1" }, async () => {
    await made.wake();
    await made.join().catch(() => {});
  });
  expect(seen).toEqual([undefined, undefined, undefined]);
});
