import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import { type Attempt, type DeliveryState, type QueuedEvent, untried } from "./webhook.ts";

/** How the deliveries of a webhook go, at most 8 KiB: counts, the last attempts, who delivers. */
const states = new Collection<DeliveryState>("webhook_states");

/** An event that waits to be delivered, at most 64 KiB, by the time of its next attempt. */
const queuedEvents = new Collection<QueuedEvent, [id: string, due: number, event: string]>(
  "webhook_queue",
);

/** Most events that wait for one webhook; further ones are dropped, and counted. */
export const maxQueued = 1_000;

/** Most events that are queued in one commit: one has 800 KiB. */
const batchSize = 10;

/** Most attempts that are shown. */
const maxAttempts = 20;

/** Most records that are removed in one commit. */
const maxRemoved = 500;

/** An event whose time has come. */
export interface DueEvent {
  entry: Deno.KvEntry<QueuedEvent>;
  event: QueuedEvent;
}

/** The right of a thread to deliver, until it raises the beat again or loses it. */
export interface Claim {
  runner: string;
  beat: number;
}

/** The events that wait for each webhook, and how their deliveries go. */
export class EventQueue {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** How the deliveries of a webhook go. */
  async state(id: string): Promise<DeliveryState> {
    return await states.get(this.#store, id) ?? untried;
  }

  /** Queues events; those that have no room are dropped, and counted. */
  async add(
    id: string,
    events: readonly Omit<QueuedEvent, "tries">[],
    due: number,
    lost = 0,
  ): Promise<void> {
    let missing = lost;
    for (let from = 0; from < events.length || missing > 0; from += batchSize) {
      const batch = events.slice(from, from + batchSize);
      const dropped = missing;
      missing = 0;
      await this.#change(id, (state) => {
        if (state.ended !== null) return { state };
        const taken = batch.slice(0, Math.max(0, maxQueued - state.queued));
        return {
          state: {
            ...state,
            queued: state.queued + taken.length,
            dropped: state.dropped + dropped + batch.length - taken.length,
          },
          build(operation) {
            for (const event of taken) {
              queuedEvents.put(operation, [id, due, event.id], { ...event, tries: 0 });
            }
          },
        };
      });
    }
  }

  /** The event of a webhook whose time came first; null while none is due. */
  async next(id: string, now: number): Promise<DueEvent | null> {
    const prefix = queuedEvents.prefix(id);
    return await this.#store.read(async (kv) => {
      for await (const entry of kv.list<QueuedEvent>({ prefix }, { limit: 1 })) {
        return Number(entry.key[2]) <= now ? { entry, event: entry.value } : null;
      }
      return null;
    });
  }

  /**
   * Takes the right to deliver, or keeps it: one thread of all servers delivers to a webhook.
   *
   * @param from the claim that is held, or that was found and is over; null where none is
   * @returns null when another was faster
   */
  async claim(id: string, runner: string, from: Claim | null): Promise<Claim | null> {
    return await this.#change<Claim | null>(id, (state) => {
      const isSame = state.runner === (from?.runner ?? null) &&
        (from === null || state.beat === from.beat);
      if (!isSame || state.ended !== null) return { result: null };
      const beat = state.beat + 1;
      return { state: { ...state, runner, beat }, result: { runner, beat } };
    }) ?? null;
  }

  /** Gives the right back. */
  async release(id: string, claim: Claim): Promise<void> {
    await this.#change(id, (state) => {
      const isOwn = state.runner === claim.runner && state.beat === claim.beat;
      return isOwn ? { state: { ...state, runner: null } } : {};
    });
  }

  /**
   * Notes an attempt: the event is gone, or waits for the next one.
   *
   * @param next the next state of the webhook
   * @returns false when the claim is lost
   */
  async finish(
    id: string,
    claim: Claim,
    { entry, event }: DueEvent,
    attempt: Attempt,
    next: Pick<DeliveryState, "failingSince" | "ended">,
  ): Promise<boolean> {
    return await this.#change(id, (state) => {
      if (state.runner !== claim.runner || state.beat !== claim.beat) return { result: false };
      const isOver = attempt.next === null;
      return {
        result: true,
        state: {
          ...state,
          ...next,
          queued: Math.max(0, state.queued - (isOver ? 1 : 0)),
          dropped: state.dropped + (isOver && !attempt.ok ? 1 : 0),
          attempts: [attempt, ...state.attempts].slice(0, maxAttempts),
        },
        build(operation) {
          operation.delete(entry.key);
          if (attempt.next === null) return;
          const again = { ...event, tries: event.tries + 1 };
          queuedEvents.put(operation, [id, attempt.next, event.id], again);
        },
      };
    }) ?? false;
  }

  /** Shows an attempt that was made by hand. */
  async note(id: string, attempt: Attempt): Promise<void> {
    await this.#change(id, (state) => {
      const attempts = [attempt, ...state.attempts].slice(0, maxAttempts);
      return { state: { ...state, attempts } };
    });
  }

  /** Drops all that waits. @param isLost counts it as dropped */
  async clear(id: string, isLost: boolean): Promise<void> {
    while (true) {
      const prefix = queuedEvents.prefix(id);
      const keys = await this.#store.read(async (kv) => {
        const entries = await Array.fromAsync(kv.list({ prefix }, { limit: maxRemoved }));
        return entries.map(({ key }) => key);
      });
      if (keys.length === 0) break;
      await this.#store.atomic((operation) => {
        for (const key of keys) operation.delete(key);
        return operation;
      });
    }
    await this.#change(id, (state) => {
      const dropped = state.dropped + (isLost ? state.queued : 0);
      return { state: { ...state, queued: 0, dropped } };
    });
  }

  /** Begins again, for a webhook that is switched on again. */
  async reset(id: string): Promise<void> {
    await this.#change(id, (state) => {
      const runner = state.ended === null ? state.runner : null;
      return { state: { ...state, runner, ended: null, failingSince: null, dropped: 0 } };
    });
  }

  /** Removes the state of a webhook that is gone. */
  async forget(id: string): Promise<void> {
    await this.clear(id, false);
    await states.remove(this.#store, id);
  }

  async #change<T = void>(
    id: string,
    decide: (state: DeliveryState) => {
      state?: DeliveryState;
      result?: T;
      build?: (operation: Deno.AtomicOperation) => void;
    },
  ): Promise<T | undefined> {
    let decided: ReturnType<typeof decide> = {};
    await states.update(this.#store, [id], (now) => {
      decided = decide(now ?? untried);
      return decided.state;
    }, (operation) => decided.build?.(operation));
    return decided.result;
  }
}
