interface Shared<T> {
  result: Promise<T>;
  controller: AbortController;
  /** How many wait for the result. */
  waiting: number;
}

/** Does a piece of work once for all who want its result at the same time. */
export class SingleFlight<T> {
  readonly #shared = new Map<string, Shared<T>>();

  /**
   * Waits for the work of a key: the one under way, or else a new one.
   *
   * @param work its signal says that nobody waits any more
   * @param signal ends this waiting
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
    // When everybody has left, nobody takes the failure.
    result.catch(() => {});
    const shared = { result, controller, waiting: 0 };
    this.#shared.set(key, shared);
    return shared;
  }
}
