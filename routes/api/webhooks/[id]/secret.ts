import { calls } from "../../../../lib/server/http/calls.ts";
import { recordActivity } from "../../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { webhooksOf } from "../../../../lib/server/http/request/webhook_requests.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";
import { jsonBody, passwordProof } from "../../../../lib/server/http/openapi/json_body.ts";
import { webhookParameter } from "../../../../lib/server/http/openapi/parts/administration.ts";
import { toWebhookInfo } from "../../../../lib/server/features/webhooks/webhook.ts";

/** Gives a webhook a new secret, which is returned only now. */
export const handler = calls({
  POST: {
    id: "renewWebhookSecret",
    tag: "Server",
    summary: "Give a webhook a new secret",
    description:
      "The `secret` is returned this once. For 24 hours deliveries are signed with the former " +
      "secret as well: the header has both signatures, with a space between them.",
    who: "admin",
    parameters: [webhookParameter],
    body: jsonBody({ current_password: passwordProof }, []),
    answers: { 200: json("The webhook and its new secret.", schemaNamed("NewWebhook")) },
    refusals: ["wrong_credentials", "throttled", "not_found", "not_supported"],
    async handle(ctx, body) {
      const webhooks = webhooksOf(ctx, "renew the secret of a webhook");
      await requireReauthentication(ctx, body);
      const { hook, state } = await webhooks.renewSecret(ctx.params.id ?? "");
      recordActivity(ctx, "webhook_change", { subject: `${hook.name}: secret` });
      return jsonAnswer({ ...toWebhookInfo(hook, state), secret: hook.secret });
    },
  },
});
