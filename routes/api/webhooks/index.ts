import { read } from "../../../lib/shared/schemas/read.ts";
import { webhookDraftSchema } from "../../../lib/shared/schemas/webhook.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { listAnswer, listOf } from "../../../lib/server/http/request/lists/list.ts";
import { webhooksOf } from "../../../lib/server/http/request/webhook_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, list } from "../../../lib/server/openapi/answers.ts";
import { listParameters } from "../../../lib/server/openapi/parameters.ts";
import { badWebhook, webhookBody } from "../../../lib/server/openapi/parts/webhooks.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";
import { toWebhookInfo } from "../../../lib/server/webhooks/webhook.ts";

/** The webhooks, listed and added by administrators. */
export const handler = calls({
  GET: {
    id: "listWebhooks",
    tag: "Server",
    summary: "List the webhooks",
    description: "For administrators, the oldest first, with their last deliveries.",
    who: "admin",
    parameters: listParameters("the name"),
    answers: { 200: list("The list.", schemaNamed("Webhook")) },
    refusals: ["invalid_option", "not_supported"],
    async handle(ctx) {
      const list = listOf(await webhooksOf(ctx, "list webhooks").list(), {
        positionOf: ({ hook }) => hook.id,
        textOf: ({ hook }) => hook.name,
        show: (some) => some.map(({ hook, state }) => toWebhookInfo(hook, state)),
      });
      return await listAnswer(ctx, list);
    },
  },
  POST: {
    id: "addWebhook",
    tag: "Server",
    summary: "Add a webhook",
    description: "For administrators. Events are sent as `POST` with JSON, signed as Standard " +
      "Webhooks has it, to addresses of the internet alone, unless the server was started with " +
      "others. There are at most 20.",
    who: "admin",
    body: webhookBody,
    answers: { 201: json("The webhook and its secret.", schemaNamed("NewWebhook")) },
    refusals: [...badWebhook, "exists", "not_supported"],
    async handle(ctx, body) {
      const webhooks = webhooksOf(ctx, "add a webhook");
      const draft = read(webhookDraftSchema, body);
      await requireReauthentication(ctx, body);
      const { hook, state } = await webhooks.add(draft);
      noteActivity(ctx, "webhook_add", { subject: hook.name });
      const { secret } = hook;
      return jsonAnswer({ ...toWebhookInfo(hook, state), secret }, { status: 201 });
    },
  },
});
