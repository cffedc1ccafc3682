import { read } from "../../../../lib/shared/schemas/read.ts";
import { webhookDraftSchema } from "../../../../lib/shared/schemas/webhook.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { recordActivity } from "../../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { webhooksOf } from "../../../../lib/server/http/request/webhook_requests.ts";
import { jsonAnswer, textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { json, schemaNamed, text } from "../../../../lib/server/http/openapi/answers.ts";
import { jsonBody, passwordProof } from "../../../../lib/server/http/openapi/json_body.ts";
import {
  badWebhook,
  webhookBody,
  webhookParameter,
} from "../../../../lib/server/http/openapi/parts/administration.ts";
import { toWebhookInfo } from "../../../../lib/server/features/webhooks/webhook.ts";

/** A webhook, shown, changed as a whole, or removed by administrators. */
export const handler = calls({
  GET: {
    id: "readWebhook",
    tag: "Server",
    summary: "Show a webhook",
    who: "admin",
    parameters: [webhookParameter],
    answers: { 200: json("The webhook.", schemaNamed("Webhook")) },
    refusals: ["not_found", "not_supported"],
    async handle(ctx) {
      const { hook, state } = await webhooksOf(ctx, "see a webhook").get(ctx.params.id ?? "");
      return jsonAnswer(toWebhookInfo(hook, state));
    },
  },
  PUT: {
    id: "changeWebhook",
    tag: "Server",
    summary: "Change a webhook as a whole",
    description:
      "A webhook that was switched off for its failures starts again. Switching one off " +
      "discards its queued events.",
    who: "admin",
    parameters: [webhookParameter],
    body: webhookBody,
    answers: { 200: json("The webhook as it is now.", schemaNamed("Webhook")) },
    refusals: [...badWebhook, "not_found", "not_supported"],
    async handle(ctx, body) {
      const webhooks = webhooksOf(ctx, "change a webhook");
      const draft = read(webhookDraftSchema, body);
      await requireReauthentication(ctx, body);
      const { hook, state } = await webhooks.change(ctx.params.id ?? "", draft);
      recordActivity(ctx, "webhook_change", { subject: hook.name });
      return jsonAnswer(toWebhookInfo(hook, state));
    },
  },
  DELETE: {
    id: "removeWebhook",
    tag: "Server",
    summary: "Remove a webhook",
    description: "Discards its queued events.",
    who: "admin",
    parameters: [webhookParameter],
    body: jsonBody({ current_password: passwordProof }, []),
    answers: { 200: text("Removed.", schemaNamed("Empty")) },
    refusals: ["wrong_credentials", "throttled", "not_found", "not_supported"],
    async handle(ctx, body) {
      const webhooks = webhooksOf(ctx, "remove a webhook");
      await requireReauthentication(ctx, body);
      const { name } = await webhooks.remove(ctx.params.id ?? "");
      recordActivity(ctx, "webhook_remove", { subject: name });
      return textAnswer();
    },
  },
});
