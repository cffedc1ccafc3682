import { read } from "../../../lib/shared/schemas/read.ts";
import { webhookDraftSchema } from "../../../lib/shared/schemas/webhook.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { listAnswer, listOf } from "../../../lib/server/http/request/lists/list.ts";
import { webhooksOf } from "../../../lib/server/http/request/webhook_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, list, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { listParameters } from "../../../lib/server/http/openapi/parameters.ts";
import { badWebhook, webhookBody } from "../../../lib/server/http/openapi/parts/administration.ts";
import { toWebhookInfo } from "../../../lib/server/features/webhooks/webhook.ts";

/** The webhooks, listed and added by administrators. */
export const handler = calls({
  GET: {
    id: "listWebhooks",
    tag: "Server",
    summary: "List the webhooks",
    description:
      "The oldest first, with their last deliveries: each has the `status` of the answer, or " +
      "the `fault` if there was no answer. A server without `--webhooks` answers all calls " +
      "about webhooks with 501 `not_supported`.",
    who: "admin",
    parameters: listParameters("the name"),
    answers: { 200: list("The list.", schemaNamed("Webhook")) },
    refusals: ["invalid_option", "not_supported"],
    examples: `
$ curl -s $CUBBY/api/webhooks -H "X-Auth: $TOKEN" -H 'Accept: application/json' | jq -r .code
not_supported
`,
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
    description:
      "Events are sent as `POST` with JSON, signed as in Standard Webhooks, only to addresses " +
      "of the internet unless the server was started with others; any other URL is 400 " +
      "`invalid_option`. The `secret` of the signatures is returned this once. There are at " +
      "most 20 webhooks.",
    who: "admin",
    body: webhookBody,
    answers: { 201: json("The webhook and its secret.", schemaNamed("NewWebhook")) },
    refusals: [...badWebhook, "exists", "not_supported"],
    examples: `
$ curl -s $CUBBY/api/webhooks -H "X-Auth: $TOKEN" -H 'Accept: application/json' --json '{"name": "Chat", "url": "https://chat.example/in", "events": ["writes", "shares"], "current_password": "a cub naps beside 7 rivers"}' | jq -r .code
not_supported
`,
    async handle(ctx, body) {
      const webhooks = webhooksOf(ctx, "add a webhook");
      const draft = read(webhookDraftSchema, body);
      await requireReauthentication(ctx, body);
      const { hook, state } = await webhooks.add(draft);
      recordActivity(ctx, "webhook_add", { subject: hook.name });
      const { secret } = hook;
      return jsonAnswer({ ...toWebhookInfo(hook, state), secret }, { status: 201 });
    },
  },
});
