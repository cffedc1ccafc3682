import { isoOf } from "../../../shared/time.ts";
import { type EntryPath, isInside } from "../../../shared/path.ts";
import type { WebhookDelivery, WebhookInfo } from "../../../shared/schemas/webhook.ts";
import {
  type WebhookEvent,
  webhookEventOf,
} from "../../../shared/schemas/choices/webhook_choices.ts";
import type { TimedActivity } from "../audit/record.ts";

/** A webhook in the store. Times are in milliseconds since 1970. */
export interface Webhook {
  id: string;
  name: string;
  url: string;
  /** Signs; never in an answer after the first. */
  secret: string;
  /** The secret before, which signs as well until then. */
  former?: { secret: string; until: number };
  events: readonly WebhookEvent[];
  path: EntryPath;
  enabled: boolean;
  created: number;
}

/** An attempt that was made. */
export interface Attempt extends Omit<WebhookDelivery, "at" | "next"> {
  at: number;
  next: number | null;
}

/** How the deliveries of a webhook go. */
export interface DeliveryState {
  queued: number;
  dropped: number;
  failingSince: number | null;
  /** Why nothing is sent any more. */
  ended: "failed" | "gone" | null;
  /** The last attempts, the latest first. */
  attempts: readonly Attempt[];
  /** The thread that delivers, and a number that it raises before each attempt. */
  runner: string | null;
  beat: number;
}

/** An event that waits. */
export interface QueuedEvent {
  id: string;
  type: string;
  body: string;
  /** The attempts so far. */
  tries: number;
}

/** The state of a webhook that was never used. */
export const untried: DeliveryState = {
  queued: 0,
  dropped: 0,
  failingSince: null,
  ended: null,
  attempts: [],
  runner: null,
  beat: 0,
};

/** A webhook as administrators see it. */
export function toWebhookInfo(hook: Webhook, state: DeliveryState): WebhookInfo {
  const { id, name, url, events, path, enabled, created } = hook;
  const { queued, dropped, failingSince } = state;
  return {
    ...{ id, name, url, events: [...events], path, enabled, queued, dropped },
    state: !enabled ? "off" : state.ended ?? "on",
    created: isoOf(created),
    failingSince: failingSince === null ? null : isoOf(failingSince),
    deliveries: state.attempts.map((attempt) => ({
      ...attempt,
      at: isoOf(attempt.at),
      next: attempt.next === null ? null : isoOf(attempt.next),
    })),
  };
}

/** Whether a webhook is to be told of what was done. */
export function isWanted({ enabled, events, path }: Webhook, activity: TimedActivity): boolean {
  const event = webhookEventOf(activity.action, activity.request !== undefined);
  if (!enabled || event === null || !events.includes(event)) return false;
  const places = [activity.path, activity.to].filter((place) => place !== undefined);
  return places.length === 0 ||
    places.some((place) => place === path || isInside(place as EntryPath, path));
}

/** The longest path and subject that are sent, in characters: an event fits into a record. */
const maxPathLength = 2_000;
const maxSubjectLength = 1_000;

/** The event that tells of an activity. JSON escapes what names may have in them. */
export function eventOf(activity: TimedActivity): Omit<QueuedEvent, "tries"> {
  const { action, user, address, path, to, subject, request, at } = activity;
  const data = {
    user: user?.name ?? null,
    userId: user?.id ?? null,
    address,
    path: clipped(path, maxPathLength),
    to: clipped(to, maxPathLength),
    subject: clipped(subject, maxSubjectLength),
    request: request ?? null,
  };
  const body = JSON.stringify({ type: action, timestamp: isoOf(at), data });
  return { id: makeEventId(), type: action, body };
}

/** The event of "send test". */
export function testEvent(name: string, at: number): Omit<QueuedEvent, "tries"> {
  const body = JSON.stringify({ type: "test", timestamp: isoOf(at), data: { webhook: name } });
  return { id: makeEventId(), type: "test", body };
}

function makeEventId(): string {
  return `msg_${crypto.randomUUID().replaceAll("-", "")}`;
}

function clipped(text: string | undefined, maxLength: number): string | null {
  if (text === undefined) return null;
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
