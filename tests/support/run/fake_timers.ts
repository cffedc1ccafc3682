/** Timers that a test has in hand: what did not happen when they are over never will. */

/** In the place of the real timers until it is disposed of. */
export interface FakeTimers extends Disposable {
  /** Lets time pass, in milliseconds: due timers run in order, and what follows from them. */
  pass(ms: number): Promise<void>;
  /** Waits for what takes real time, such as a request; fails after ten seconds. */
  until(holds: () => boolean): Promise<void>;
}

interface Timer {
  at: number;
  run(): void;
}

/** Takes the place of `setTimeout` and `clearTimeout`. */
export function fakeTimers(): FakeTimers {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map<number, Timer>();
  let now = 0;
  let count = 0;
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
  Object.assign(globalThis, {
    setTimeout: (action: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      timers.set(++count, { at: now + ms, run: () => action(...args) });
      return count;
    },
    clearTimeout: (id: number | undefined) => void timers.delete(id ?? 0),
  });

  function takeNext(end: number): Timer | undefined {
    const [next] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) =>
      a.at - b.at
    );
    if (next) timers.delete(next[0]);
    return next?.[1];
  }

  return {
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (let next = takeNext(end); next; next = takeNext(end)) {
        now = next.at;
        next.run();
        await settle();
      }
      now = end;
    },
    async until(holds) {
      const end = Date.now() + 10_000;
      while (!holds()) {
        if (Date.now() > end) throw new Error(`Cannot wait any longer: ${holds}`);
        await settle();
      }
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, { setTimeout, clearTimeout }),
  };
}
