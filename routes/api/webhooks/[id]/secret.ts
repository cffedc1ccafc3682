import type { State } from "../../../../lib/server/define.ts";
import { noteActivity } from "../../../../lib/server/http/request/activities.ts";
import { readOptionalObject } from "../../../../lib/server/http/request/json_body.ts";
import { requireReauthentication } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { webhooksOf } from "../../../../lib/server/http/request/webhook_requests.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { toWebhookInfo } from "../../../../lib/server/webhooks/webhook.ts";

/** Gives a webhook a new secret, which is returned only now. */
export const handler = methods<State>({
  async POST(ctx) {
    const webhooks = webhooksOf(ctx, "renew the secret of a webhook");
    const body = await readOptionalObject(ctx);
    await requireReauthentication(ctx, body);
    const { hook, state } = await webhooks.renewSecret(ctx.params.id ?? "");
    noteActivity(ctx, "webhook_change", { subject: `${hook.name}: secret` });
    return jsonAnswer({ ...toWebhookInfo(hook, state), secret: hook.secret });
  },
});
