import type { State } from "../../../../lib/server/define.ts";
import { noteActivity } from "../../../../lib/server/http/request/activities.ts";
import {
  readJsonObject,
  readOptionalObject,
} from "../../../../lib/server/http/request/json_body.ts";
import { requireReauthentication } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { webhooksOf } from "../../../../lib/server/http/request/webhook_requests.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { jsonAnswer, textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { toWebhookInfo } from "../../../../lib/server/webhooks/webhook.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";
import { webhookDraftSchema } from "../../../../lib/shared/schemas/webhook.ts";

/** A webhook, shown, changed as a whole, or removed by administrators. */
export const handler = methods<State>({
  async GET(ctx) {
    const { hook, state } = await webhooksOf(ctx, "see a webhook").get(ctx.params.id ?? "");
    return jsonAnswer(toWebhookInfo(hook, state));
  },
  async PUT(ctx) {
    const webhooks = webhooksOf(ctx, "change a webhook");
    const body = await readJsonObject(ctx);
    const draft = read(webhookDraftSchema, body);
    await requireReauthentication(ctx, body);
    const { hook, state } = await webhooks.change(ctx.params.id ?? "", draft);
    noteActivity(ctx, "webhook_change", { subject: hook.name });
    return jsonAnswer(toWebhookInfo(hook, state));
  },
  async DELETE(ctx) {
    const webhooks = webhooksOf(ctx, "remove a webhook");
    const body = await readOptionalObject(ctx);
    await requireReauthentication(ctx, body);
    const { name } = await webhooks.remove(ctx.params.id ?? "");
    noteActivity(ctx, "webhook_remove", { subject: name });
    return textAnswer();
  },
});
