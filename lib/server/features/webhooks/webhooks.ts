import { randomId } from "../../core/kv/random_id.ts";
import { DomainError } from "../../../shared/errors.ts";
import { parsePath } from "../../../shared/path.ts";
import type { WebhookDraft } from "../../../shared/schemas/webhook.ts";
import type { WebhookRights } from "../../core/config/webhook_options.ts";
import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import type { ActivityListener, TimedActivity } from "../audit/record.ts";
import { Deliveries, type DeliveryOptions } from "./deliveries.ts";
import { EventQueue } from "./queue.ts";
import { makeSecret } from "./signature.ts";
import { readTarget } from "./target.ts";
import type { Attempt, DeliveryState, Webhook } from "./webhook.ts";
import { dayMs } from "../../../shared/time.ts";

/** How long the former secret signs besides a new one, in milliseconds. */
const overlapMs = dayMs;

/** A webhook by its id, at most 8 KiB: a URL, a path, a secret. */
const webhookRecords = new Collection<Webhook>("webhooks", { max: 20 });

/** Dependencies of the webhooks. */
export interface WebhooksOptions extends DeliveryOptions {
  store: Store;
  rights: WebhookRights;
}

/** A webhook and how its deliveries go. */
export interface ShownWebhook {
  hook: Webhook;
  state: DeliveryState;
}

/** The servers that events are delivered to. */
export class Webhooks implements ActivityListener {
  readonly #store: Store;
  readonly #rights: WebhookRights;
  readonly #queue: EventQueue;
  readonly #deliveries: Deliveries;
  readonly #now: () => number;

  constructor({ store, rights, ...options }: WebhooksOptions) {
    this.#store = store;
    this.#rights = rights;
    this.#now = options.now ?? Date.now;
    this.#queue = new EventQueue(store);
    this.#deliveries = new Deliveries(this.#queue, () => this.#kept(), rights, options);
  }

  /** All of it: which webhook wants what is looked up later. */
  accepts(): boolean {
    return true;
  }

  /** Tells the webhooks of what was done. Nobody waits for that. */
  handle(activity: TimedActivity): void {
    this.#deliveries.enqueue(activity);
  }

  /** All of them, the oldest first. */
  async list(): Promise<ShownWebhook[]> {
    const hooks = await this.#all();
    return await Promise.all(
      hooks.map(async (hook) => ({ hook, state: await this.#queue.state(hook.id) })),
    );
  }

  /** @throws DomainError `not_found` */
  async get(id: string): Promise<ShownWebhook> {
    const hook = found(await webhookRecords.get(this.#store, id));
    return { hook, state: await this.#queue.state(id) };
  }

  /** @throws DomainError `invalid_option` for a URL that is not allowed; `invalid_path`; `exists` */
  async add(draft: WebhookDraft): Promise<ShownWebhook> {
    const facts = this.#read(draft);
    if ((await this.#all()).length >= webhookRecords.max) {
      throw new DomainError(
        "exists",
        `Cannot add the webhook: at most ${webhookRecords.max} are allowed`,
      );
    }
    const id = randomId(12);
    const hook: Webhook = { ...facts, id, secret: makeSecret(), created: Date.now() };
    await webhookRecords.set(this.#store, [id], hook);
    return { hook, state: await this.#queue.state(id) };
  }

  /**
   * Changes a webhook; one that had ended starts again when it is switched on.
   *
   * @throws DomainError `not_found`; as {@linkcode add}
   */
  async change(id: string, draft: WebhookDraft): Promise<ShownWebhook> {
    const facts = this.#read(draft);
    await webhookRecords.update(this.#store, [id], (hook) => ({ ...found(hook), ...facts }));
    if (facts.enabled) await this.#queue.reset(id);
    else await this.#queue.clear(id, false);
    return await this.get(id);
  }

  /**
   * Gives a webhook a new secret, with which all deliveries are signed from now on; with the former
   * one as well for a day.
   *
   * @throws DomainError `not_found`
   */
  async renewSecret(id: string): Promise<ShownWebhook> {
    const hook = await webhookRecords.update(this.#store, [id], (now) => {
      const hook = found(now);
      const former = { secret: hook.secret, until: this.#now() + overlapMs };
      return { ...hook, secret: makeSecret(), former };
    });
    return { hook, state: await this.#queue.state(id) };
  }

  /** @throws DomainError `not_found` */
  async remove(id: string): Promise<Webhook> {
    const { hook } = await this.get(id);
    await webhookRecords.remove(this.#store, id);
    await this.#queue.forget(id);
    return hook;
  }

  /**
   * Sends a test event now, also to a webhook that is off.
   *
   * @throws DomainError `not_found`
   */
  async test(id: string): Promise<Attempt> {
    const { hook } = await this.get(id);
    return await this.#deliveries.test(hook);
  }

  /** From now on delivers, in turn with all other threads and servers. */
  start(): void {
    this.#deliveries.start();
  }

  /** Queues what was told so far. Never rejects. */
  async flush(): Promise<void> {
    await this.#deliveries.flush();
  }

  /** Delivers what is due, and waits for it. */
  async deliver(): Promise<void> {
    await this.#deliveries.flush();
    await this.#deliveries.deliverDue();
    await this.#deliveries.idle();
  }

  /** Stops. What waits is delivered by another thread, or after the next start. */
  close(): void {
    this.#deliveries.close();
  }

  #read(draft: WebhookDraft) {
    const { name, url, events, path, enabled } = draft;
    readTarget(url, this.#rights);
    return { name, url, events: [...new Set(events)], path: parsePath(path).path, enabled };
  }

  async #all(): Promise<Webhook[]> {
    const hooks = await webhookRecords.list(this.#store);
    return hooks.sort((a, b) => a.created - b.created);
  }

  async #kept(): Promise<Webhook[]> {
    return await this.#store.cachedRead(webhookRecords.prefix(), () => this.#all());
  }
}

/** @throws DomainError `not_found` */
function found(hook: Webhook | null): Webhook {
  if (hook) return hook;
  throw new DomainError("not_found", "Cannot find the webhook: no such id");
}
