/** A webhook by its id, at most 8 KiB: a URL, a path, a secret. */
export function webhookKey(id: string): Deno.KvKey {
  return ["webhooks", id];
}

/** Prefix of the webhooks. */
export function webhooksPrefix(): Deno.KvKey {
  return ["webhooks"];
}

/** How the deliveries of a webhook go, at most 8 KiB: counts, the last attempts, who delivers. */
export function webhookStateKey(id: string): Deno.KvKey {
  return ["webhook_states", id];
}

/** An event that waits to be delivered, at most 64 KiB, by the time of its next attempt. */
export function queuedEventKey(id: string, due: number, event: string): Deno.KvKey {
  return ["webhook_queue", id, due, event];
}

/** Prefix of the events that wait for a webhook, in the order of their next attempts. */
export function queuedEventsPrefix(id: string): Deno.KvKey {
  return ["webhook_queue", id];
}
