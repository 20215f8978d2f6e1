import { requestScope } from "~/lib/request-scope.server";

interface Options {
  every: () => number;
  /** Ends soon after `stopped` aborts. */
  work: (stopped: AbortSignal) => Promise<void>;
  onError: (error: unknown) => void;
}

/** Does work in the background again and again, never twice at once. */
export class Poller {
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #work: Promise<void> | undefined;
  #again = false;
  #isStarted = false;
  readonly #stopped = new AbortController();

  constructor(private readonly options: Options) {}

  /** Works now and regularly, until `stop`. The process may end meanwhile. */
  start(): void {
    this.#isStarted = true;
    void this.wake();
  }

  /** Works now, or once more after work that is under way; resolves then. Never rejects. */
  wake(): Promise<void> {
    this.#again = true;
    // Outside of the request that may have asked for it: neither its work nor its failures are of that request.
    return (this.#turn ??= requestScope
      .exit(() => this.#run())
      .finally(() => {
        this.#turn = undefined;
        this.#schedule();
      }));
  }

  /** Works now, or joins work that is under way. Rejects when that fails. */
  join(): Promise<void> {
    return (this.#work ??= requestScope
      .exit(() => this.options.work(this.#stopped.signal))
      .finally(() => (this.#work = undefined)));
  }

  /** Resolves when work under way is over. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#turn, this.#work?.catch(() => {})]);
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped.signal.aborted) {
      if (this.#work) {
        // It may have begun before what the next is to see.
        await this.#work.catch(() => {});
        continue;
      }
      this.#again = false;
      await this.join().catch((error: unknown) => {
        if (!this.#stopped.signal.aborted) this.options.onError(error);
      });
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isStarted || this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => void this.wake(), this.options.every()).unref();
  }
}
