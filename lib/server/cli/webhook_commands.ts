import { DomainError } from "../../shared/errors.ts";
import { read } from "../../shared/schemas/read.ts";
import { webhookDraftSchema } from "../../shared/schemas/webhook.ts";
import { webhookEvents } from "../../shared/schemas/choices/webhook_choices.ts";
import { type Attempt, toWebhookInfo } from "../features/webhooks/webhook.ts";
import { Webhooks } from "../features/webhooks/webhooks.ts";
import { type Call, type Command, wordAt } from "./command.ts";
import { type CommandFlag, dataOf } from "./flags.ts";
import { tableLines } from "./texts.ts";

const flags: readonly CommandFlag[] = [
  { name: "events", value: "KINDS", between: /,/ },
  { name: "path", value: "FOLDER" },
];

/** The events of a webhook that is added without saying which. */
const usualEvents = ["writes", "shares", "requests"];

/** The commands about webhooks. */
export const webhookCommands: Command[] = [
  {
    name: "webhooks ls",
    words: "",
    about: "list the webhooks and their deliveries",
    async run(call) {
      const webhooks = await openWebhooks(call, "list webhooks");
      const rows = (await webhooks.list()).map(({ hook, state: of }) => {
        const { id, name, url, events, path, state, queued, dropped } = toWebhookInfo(hook, of);
        const [last] = of.attempts;
        const counts = [String(queued), String(dropped)];
        return [
          id,
          name,
          url,
          events.join(","),
          path,
          state,
          ...counts,
          last ? describe(last) : "none",
        ];
      });
      const head = ["id", "name", "url", "events", "folder", "state", "waiting", "dropped", "last"];
      for (const line of tableLines(head, rows)) call.print(line);
    },
  },
  {
    name: "webhooks add",
    words: "<name> <url>",
    about: `add a webhook, and print its secret; --events of ${webhookEvents.join(",")}; --path`,
    flags,
    async run(call) {
      const webhooks = await openWebhooks(call, "add a webhook");
      const draft = read(webhookDraftSchema, {
        ...{ name: wordAt(call, 0, "name"), url: wordAt(call, 1, "URL"), events: usualEvents },
        ...dataOf(call.flags, flags),
      });
      const { hook } = await webhooks.add(draft);
      await call.records.note("webhook_add", { subject: hook.name });
      call.print(`Added the webhook "${hook.name}": ${hook.id}`);
      printSecret(call, hook.secret);
    },
  },
  {
    name: "webhooks rm",
    words: "<id>",
    about: "remove a webhook and its queued events",
    async run(call) {
      const webhooks = await openWebhooks(call, "remove a webhook");
      const { name } = await webhooks.remove(wordAt(call, 0, "id"));
      await call.records.note("webhook_remove", { subject: name });
      call.print(`Removed the webhook "${name}"`);
    },
  },
  {
    name: "webhooks test",
    words: "<id>",
    about: "send a test event; exits with 1 if it does not arrive",
    async run(call) {
      const webhooks = await openWebhooks(call, "test a webhook");
      const attempt = await webhooks.test(wordAt(call, 0, "id"));
      call.print(`Sent ${attempt.id}: ${describe(attempt)}`);
      return attempt.ok ? 0 : 1;
    },
  },
  {
    name: "webhooks renew",
    words: "<id>",
    about: "renew the secret and print it; the former one stays valid for 24 hours",
    async run(call) {
      const webhooks = await openWebhooks(call, "renew the secret of a webhook");
      const { hook } = await webhooks.renewSecret(wordAt(call, 0, "id"));
      await call.records.note("webhook_change", { subject: `${hook.name}: secret` });
      call.print(`The webhook "${hook.name}" has a new secret`);
      printSecret(call, hook.secret);
    },
  },
];

/** @throws DomainError `invalid_option` where the server has no webhooks */
async function openWebhooks(
  { records: { store, config } }: Call,
  action: string,
): Promise<Webhooks> {
  const { webhooks: rights } = await config();
  if (!rights) {
    const reason = "the option --webhooks is off (config set --webhooks)";
    throw new DomainError("invalid_option", `Cannot ${action}: ${reason}`);
  }
  // A server delivers what waits; here nothing runs that could fail later.
  return new Webhooks({ store, rights, report: () => {} });
}

function printSecret({ print }: Call, secret: string): void {
  print(`Its secret, shown only once: ${secret}`);
}

/** The result of an attempt. */
function describe({ ok, status, fault }: Attempt): string {
  return `${ok ? "arrived" : "failed"} (${fault ?? `HTTP ${status}`})`;
}
