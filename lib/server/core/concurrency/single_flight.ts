interface Shared<T> {
  result: Promise<T>;
  controller: AbortController;
  /** Number of callers waiting for the result. */
  waiting: number;
}

/** Shares one run of a piece of work between concurrent callers. */
export class SingleFlight<T> {
  readonly #shared = new Map<string, Shared<T>>();

  /**
   * Waits for the work of a key: the one under way, or a new one.
   *
   * @param work its signal is aborted when no caller waits any more
   * @param signal ends this caller's wait
   * @throws what the work throws; the signal's reason
   */
  async join(
    key: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    signal?.throwIfAborted();
    const shared = this.#shared.get(key) ?? this.#start(key, work);
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    shared.waiting++;
    try {
      return await Promise.race([shared.result, left]);
    } finally {
      signal?.removeEventListener("abort", leave);
      if (--shared.waiting === 0) shared.controller.abort();
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => this.#shared.delete(key));
    // When every caller has left, a failure has no handler.
    result.catch(() => {});
    const shared = { result, controller, waiting: 0 };
    this.#shared.set(key, shared);
    return shared;
  }
}
