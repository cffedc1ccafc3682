import * as v from "valibot";
import { about, choice, count, flag, nameUpTo, time } from "./parts.ts";
import {
  deliveryFaults,
  maxWebhookNameLength,
  maxWebhookUrlLength,
  webhookEvents,
  webhookStates,
} from "./choices/webhook_choices.ts";

const id = v.pipe(v.string(), v.regex(/^[\w-]{16}$/));

const event = v.picklist(webhookEvents);

/** The schema of {@linkcode WebhookDelivery}. */
const deliverySchema = v.object({
  id: about("The `webhook-id` that was sent.", v.pipe(v.string(), v.regex(/^msg_[\w-]+$/))),
  type: about("The event: an action of the activity log, or `test`.", v.string()),
  at: time,
  attempt: about("Which attempt of this event it was.", v.pipe(count, v.minValue(1))),
  ok: about("Whether the answer was 2xx.", v.boolean()),
  status: about("The status of the answer; null without one.", v.nullable(count)),
  fault: about("Why there is no status.", v.nullable(v.picklist(deliveryFaults))),
  next: about("When it is tried again; null for never.", v.nullable(time)),
});

/** An attempt to deliver an event. */
export type WebhookDelivery = v.InferOutput<typeof deliverySchema>;

/** The schema of {@linkcode WebhookInfo}. */
export const webhookSchema = about(
  "A server that receives events.",
  v.object({
    id,
    name: v.string(),
    url: v.string(),
    events: v.array(event),
    path: about(
      'Events about entries are sent if the entries are in this folder; "/" for all.',
      v.string(),
    ),
    enabled: v.boolean(),
    state: about(
      "`failed` after days of failures, `gone` after the answer 410: nothing is sent any more " +
        "until it is switched on again.",
      v.picklist(webhookStates),
    ),
    created: time,
    queued: about("How many events wait.", count),
    dropped: about(
      "How many events were given up since it was switched on: too many were waiting, or a day " +
        "of attempts failed.",
      count,
    ),
    failingSince: about("Since when nothing arrives; null while all does.", v.nullable(time)),
    deliveries: about("The last attempts, the latest first.", v.array(deliverySchema)),
  }),
);

/** A webhook without its secret. Times are RFC 3339. */
export type WebhookInfo = v.InferOutput<typeof webhookSchema>;

/** The schema of {@linkcode NewWebhook}. */
export const newWebhookSchema = about(
  "A new webhook.",
  v.object({
    ...webhookSchema.entries,
    secret: about(
      "The key of the signatures, returned this once.",
      v.pipe(v.string(), v.regex(/^whsec_[A-Za-z0-9+/]{43}=$/)),
    ),
  }),
);

/** A webhook with its secret. */
export type NewWebhook = v.InferOutput<typeof newWebhookSchema>;

const aUrl = `a URL of up to ${maxWebhookUrlLength} characters`;

/** The schema of {@linkcode WebhookDraft}. */
export const webhookDraftSchema = v.object({
  name: about(
    "What it is for. It appears in the activity log, the URL does not.",
    nameUpTo(maxWebhookNameLength),
  ),
  url: about(
    "Where events are sent: https, unless the server allows http as well.",
    v.pipe(v.string(aUrl), v.trim(), v.maxLength(maxWebhookUrlLength, aUrl)),
  ),
  events: about(
    "The kinds of events that it receives.",
    v.pipe(
      v.array(choice(webhookEvents), "a list"),
      v.minLength(1, "a list with a kind of event at least"),
      v.maxLength(webhookEvents.length, "a list of different kinds"),
    ),
  ),
  path: about(
    "A path from the root of the server, so that events about entries elsewhere are left out.",
    v.optional(v.pipe(v.string("a text"), v.maxLength(4_000, "a shorter path")), "/"),
  ),
  enabled: about("Whether events are sent.", v.optional(flag, true)),
});

/** A webhook as it is to be. */
export type WebhookDraft = v.InferOutput<typeof webhookDraftSchema>;
