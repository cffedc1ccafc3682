import { webhookEvents } from "../../shared/schemas/choices/webhook_choices.ts";
import type { NewWebhook, WebhookDelivery, WebhookInfo } from "../../shared/schemas/webhook.ts";
import { type ApiCommand, apiCommand, type Columns, jsonAnswerTo } from "./api_commands.ts";
import { type Command, wordAt } from "./command.ts";

const columns: Columns = {
  ...{ id: "id", name: "name", url: "url", events: "events", folder: "path", state: "state" },
  ...{ waiting: "queued", dropped: "dropped" },
  last: ({ deliveries }) => {
    const [last] = deliveries as WebhookDelivery[];
    return last ? describe(last) : "none";
  },
};

const declared: readonly ApiCommand[] = [
  {
    name: "webhooks ls",
    about: "list the webhooks and their deliveries",
    ...{ route: "webhooks/index", method: "GET", show: columns },
  },
  {
    name: "webhooks add",
    about: `add a webhook, and print its secret; --events of ${webhookEvents.join(",")}; --path`,
    ...{ route: "webhooks/index", method: "POST", words: ["name", "url"] },
    defaults: { events: ["writes", "shares", "requests"] },
    async show(name, answer) {
      const { id, secret }: NewWebhook = await answer.json();
      return [`Added the webhook "${name}": ${id}`, secretLine(secret)];
    },
  },
  {
    name: "webhooks rm",
    about: "remove a webhook and its queued events",
    ...{ route: "webhooks/[id]/index", method: "DELETE", words: ["id"] },
    show: (id) => `Removed the webhook "${id}"`,
  },
  {
    name: "webhooks renew",
    about: "renew the secret and print it; the former one stays valid for 24 hours",
    ...{ route: "webhooks/[id]/secret", method: "POST", words: ["id"] },
    async show(_, answer) {
      const { name, secret }: NewWebhook = await answer.json();
      return [`The webhook "${name}" has a new secret`, secretLine(secret)];
    },
  },
];

/** The commands about webhooks: calls of the API. */
export const webhookCommands: Command[] = [
  ...declared.map(apiCommand),
  {
    name: "webhooks test",
    words: "<id>",
    about: "send a test event; exits with 1 if it does not arrive",
    async run(call) {
      const place = wordAt(call, 0, "id");
      const request = { route: "webhooks/[id]/test", method: "POST", place } as const;
      const { deliveries: [last] } = await jsonAnswerTo(call, request) as WebhookInfo;
      if (!last) return 1;
      call.print(`Sent ${last.id}: ${describe(last)}`);
      return last.ok ? 0 : 1;
    },
  },
];

function secretLine(secret: string): string {
  return `Its secret, shown only once: ${secret}`;
}

/** The result of an attempt. */
function describe({ ok, status, fault }: WebhookDelivery): string {
  return `${ok ? "arrived" : "failed"} (${fault ?? `HTTP ${status}`})`;
}
