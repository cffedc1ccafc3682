import { calls } from "../../../../lib/server/http/calls.ts";
import { webhooksOf } from "../../../../lib/server/http/request/webhook_requests.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";
import { webhookParameter } from "../../../../lib/server/http/openapi/parts/administration.ts";
import { toWebhookInfo } from "../../../../lib/server/features/webhooks/webhook.ts";

/** Sends a test event to a webhook, for administrators, and shows what came of it. */
export const handler = calls({
  POST: {
    id: "testWebhook",
    tag: "Server",
    summary: "Send a test event to a webhook",
    description:
      "Sends one event of the type `test`, also for a webhook that is off, before the answer: " +
      "the first delivery of the answer has the result.",
    who: "admin",
    parameters: [webhookParameter],
    answers: { 200: json("The webhook with this delivery.", schemaNamed("Webhook")) },
    refusals: ["not_found", "not_supported"],
    async handle(ctx) {
      const webhooks = webhooksOf(ctx, "test a webhook");
      const id = ctx.params.id ?? "";
      await webhooks.test(id);
      const { hook, state } = await webhooks.get(id);
      return jsonAnswer(toWebhookInfo(hook, state));
    },
  },
});
