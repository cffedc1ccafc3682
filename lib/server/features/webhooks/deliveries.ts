import type { WebhookRights } from "../../core/config/webhook_options.ts";
import type { TimedActivity } from "../audit/record.ts";
import { isStoreUnusable } from "../../core/kv/circuit_breaker.ts";
import { type Outcome, post, type PostOptions } from "./post.ts";
import type { Claim, EventQueue } from "./queue.ts";
import { signaturesOf } from "./signature.ts";
import { readTarget } from "./target.ts";
import {
  type Attempt,
  eventOf,
  isWanted,
  type QueuedEvent,
  testEvent,
  type Webhook,
} from "./webhook.ts";
import { dayMs, hourMs, minuteMs } from "../../../shared/time.ts";

/** How long activities are gathered before they are queued together, in milliseconds. */
const gatherMs = 200;

/** Most activities that wait to be queued; further ones are dropped, and counted. */
const maxGathered = 2_000;

/** Pause before another try when the store refuses, in milliseconds. */
const retryMs = 1_000;

/** Interval at which events are looked for whose time has come, in milliseconds. */
const lookMs = 1_000;

/**
 * A thread that has not raised its beat for so long has lost its webhook, in milliseconds; an
 * attempt takes 10 s at most.
 */
const lostMs = 30_000;

/** The pauses before further attempts, in milliseconds: a day in all. */
export const retryPauses = [
  ...[5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs],
  ...[hourMs, 2 * hourMs, 4 * hourMs, 6 * hourMs, 10 * hourMs],
];

/** A webhook at which nothing has arrived for so long is switched off, in milliseconds. */
const failedMs = 2 * dayMs;

/** Options of deliveries. */
export interface DeliveryOptions {
  /** Is told of a store that fails. */
  report: (error: unknown) => void;
  /** Is told of a webhook that was switched off for its failures, or because it is gone. */
  onEnded?: (hook: Webhook) => void;
  /** As `PostOptions` has it. */
  resolve?: PostOptions["resolve"];
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

/**
 * The deliveries of one thread. Each event is in the store before it is sent, and goes when it has
 * arrived, so that it survives a restart. It may arrive twice, when a server dies in between: its
 * id tells the receiver.
 */
export class Deliveries {
  readonly #queue: EventQueue;
  readonly #hooks: () => Promise<readonly Webhook[]>;
  readonly #rights: WebhookRights;
  readonly #options: DeliveryOptions;
  readonly #runner: string = crypto.randomUUID();
  /** The webhooks that this thread delivers to. */
  readonly #delivering = new Map<string, Promise<void>>();
  /** The claims of others, and since when they are as they are, by this thread's clock. */
  readonly #seen = new Map<string, Claim & { at: number }>();
  readonly #closing = new AbortController();
  #gathered: TimedActivity[] = [];
  /** Deliveries that the store did not take, by webhook. */
  readonly #unqueued = new Map<string, ReturnType<typeof eventOf>[]>();
  #lost = 0;
  #gathering: ReturnType<typeof setTimeout> | null = null;
  #flushing: Promise<void> = Promise.resolve();
  #looking: ReturnType<typeof setInterval> | undefined;
  #isFailing = false;

  constructor(
    queue: EventQueue,
    hooks: () => Promise<readonly Webhook[]>,
    rights: WebhookRights,
    options: DeliveryOptions,
  ) {
    this.#queue = queue;
    this.#hooks = hooks;
    this.#rights = rights;
    this.#options = options;
  }

  /** Takes an activity for the webhooks that want it. */
  enqueue(activity: TimedActivity): void {
    if (this.#closing.signal.aborted) return;
    if (this.#gathered.length >= maxGathered) this.#lost++;
    else this.#gathered.push(activity);
    this.#gather(gatherMs);
  }

  #gather(ms: number): void {
    this.#gathering ??= setTimeout(() => void this.flush().then(() => this.deliverDue()), ms);
  }

  /** Queues what was told so far. Never rejects: what cannot be queued is kept for the next time. */
  async flush(): Promise<void> {
    // An earlier flush may still be at work on a part of it.
    this.#flushing = this.#flushing.then(() => this.#queueGathered());
    await this.#flushing;
  }

  async #queueGathered(): Promise<void> {
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    this.#gathering = null;
    if (this.#gathered.length === 0 && this.#lost === 0 && this.#unqueued.size === 0) return;
    const [activities, lost] = [this.#gathered, this.#lost];
    this.#gathered = [];
    this.#lost = 0;
    let isRead = false;
    await this.#orReport(async () => {
      const hooks = await this.#hooks();
      isRead = true;
      const enabled = hooks.filter((hook) => hook.enabled);
      for (const id of this.#unqueued.keys()) {
        if (!enabled.some((hook) => hook.id === id)) this.#unqueued.delete(id);
      }
      const results = await Promise.allSettled(enabled.map(async (hook) => {
        const events = activities.filter((each) => isWanted(hook, each)).map(eventOf);
        await this.#add(hook.id, [...this.#unqueued.get(hook.id) ?? [], ...events], lost);
      }));
      for (const result of results) if (result.status === "rejected") throw result.reason;
    });
    if (!isRead) {
      this.#gathered = [...activities, ...this.#gathered].slice(0, maxGathered);
      this.#lost += lost;
    }
    const isLeft = this.#gathered.length > 0 || this.#unqueued.size > 0;
    if (isLeft && !this.#closing.signal.aborted) this.#gather(retryMs);
  }

  /** Events that cannot be queued now may be queued twice, by the same id, as a part of them was. */
  async #add(id: string, events: ReturnType<typeof eventOf>[], lost: number): Promise<void> {
    try {
      await this.#queue.add(id, events, this.#now(), lost);
      this.#unqueued.delete(id);
    } catch (error) {
      this.#unqueued.set(id, events.slice(0, maxGathered));
      throw error;
    }
  }

  /** Looks for due events again and again. */
  start(): void {
    this.#looking = setInterval(() => void this.deliverDue(), lookMs);
    Deno.unrefTimer(this.#looking);
  }

  /** Stops at once. */
  close(): void {
    this.#closing.abort();
    clearInterval(this.#looking);
    if (this.#gathering !== null) clearTimeout(this.#gathering);
  }

  /** Sends a test event. It is shown among the attempts, and not tried again. */
  async test(hook: Webhook): Promise<Attempt> {
    const event = { ...testEvent(hook.name, this.#now()), tries: 0 };
    const { status, fault } = await this.#send(hook, event);
    const attempt = { ...attemptOf(event, { status, fault } as Outcome, this.#now()), next: null };
    await this.#queue.note(hook.id, attempt);
    return attempt;
  }

  /** Waits for the deliveries of this thread that are under way. */
  async idle(): Promise<void> {
    while (this.#delivering.size > 0) await Promise.all(this.#delivering.values());
  }

  /** Delivers what is due, to all webhooks at the same time, one event after the other to each. */
  async deliverDue(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    await this.#orReport(async () => {
      const hooks = await this.#hooks();
      for (const { id, enabled } of hooks) {
        if (!enabled || this.#delivering.has(id)) continue;
        if (await this.#queue.next(id, this.#now()) === null || this.#delivering.has(id)) continue;
        const delivering = this.#orReport(() => this.#deliver(id));
        this.#delivering.set(id, delivering.finally(() => this.#delivering.delete(id)));
      }
    });
  }

  async #deliver(id: string): Promise<void> {
    let claim: Claim | null = null;
    try {
      claim = await this.#claim(id);
      while (claim !== null && !this.#closing.signal.aborted) {
        const hook = (await this.#hooks()).find((each) => each.id === id);
        const due = hook?.enabled ? await this.#queue.next(id, this.#now()) : null;
        if (!hook || due === null) break;
        const outcome = await this.#send(hook, due.event);
        // A delivery that was cut off by the end of this process is no failure.
        if (this.#closing.signal.aborted) break;
        if (!await this.#finish(hook, claim, due, outcome)) return;
        claim = await this.#queue.claim(id, this.#runner, claim);
      }
    } finally {
      if (claim !== null && !this.#closing.signal.aborted) await this.#queue.release(id, claim);
    }
  }

  /** Takes the lease for deliveries, if it is free or its holder is lost. */
  async #claim(id: string): Promise<Claim | null> {
    const { runner, beat, ended } = await this.#queue.state(id);
    if (ended !== null) return null;
    if (runner === null) return await this.#queue.claim(id, this.#runner, null);
    const seen = this.#seen.get(id);
    if (seen?.runner !== runner || seen.beat !== beat) {
      this.#seen.set(id, { runner, beat, at: this.#now() });
      return null;
    }
    if (this.#now() - seen.at < lostMs) return null;
    return await this.#queue.claim(id, this.#runner, { runner, beat });
  }

  async #send(hook: Webhook, { id, body }: QueuedEvent): Promise<Outcome> {
    const now = this.#now();
    const timestamp = Math.floor(now / 1000);
    const headers = {
      "content-type": "application/json",
      "user-agent": "Cubby",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signaturesOf(hook, { id, timestamp, body }, now),
    };
    let target;
    try {
      target = readTarget(hook.url, this.#rights);
    } catch {
      // The options of the start have changed since.
      return { status: null, fault: "refused" };
    }
    const { resolve } = this.#options;
    const options = { rights: this.#rights, signal: this.#closing.signal };
    return await post(target, headers, body, { ...options, ...resolve && { resolve } });
  }

  async #finish(
    hook: Webhook,
    claim: Claim,
    due: { entry: Deno.KvEntry<QueuedEvent>; event: QueuedEvent },
    outcome: Outcome,
  ): Promise<boolean> {
    const { id } = hook;
    const now = this.#now();
    const attempt = attemptOf(due.event, outcome, now);
    const { failingSince: since } = await this.#queue.state(id);
    const failingSince = attempt.ok ? null : since ?? now;
    const isGivenUp = !attempt.ok && attempt.next === null;
    const isDead = isGivenUp && failingSince !== null && now - failingSince >= failedMs;
    const ended = outcome.status === 410 ? "gone" : isDead ? "failed" : null;
    const isDone = await this.#queue.finish(id, claim, due, attempt, { failingSince, ended });
    if (isDone && ended !== null) {
      await this.#queue.clear(id, true);
      this.#options.onEnded?.(hook);
    }
    return isDone;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  async #orReport(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#isFailing = false;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      // Once, not each second for as long as the store is away.
      if (!this.#isFailing && !isStoreUnusable(error)) this.#options.report(error);
      this.#isFailing = true;
    }
  }
}

function attemptOf({ id, type, tries }: QueuedEvent, outcome: Outcome, at: number): Attempt {
  const ok = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
  const pause = outcome.status === 410 ? undefined : retryPauses[tries];
  // So that events that failed together do not come together again and again.
  const wait = pause === undefined ? null : Math.round(pause * (0.9 + Math.random() * 0.2));
  const next = ok || wait === null ? null : at + wait;
  return { id, type, at, attempt: tries + 1, ok, ...outcome, next };
}
