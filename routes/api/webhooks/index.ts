import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { listAnswer, listOf } from "../../../lib/server/http/request/lists/list.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { webhooksOf } from "../../../lib/server/http/request/webhook_requests.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { toWebhookInfo } from "../../../lib/server/webhooks/webhook.ts";
import { read } from "../../../lib/shared/schemas/read.ts";
import { webhookDraftSchema } from "../../../lib/shared/schemas/webhook.ts";

/** The webhooks, listed and added by administrators. */
export const handler = methods<State>({
  async GET(ctx) {
    const list = listOf(await webhooksOf(ctx, "list webhooks").list(), {
      positionOf: ({ hook }) => hook.id,
      textOf: ({ hook }) => hook.name,
      show: (some) => some.map(({ hook, state }) => toWebhookInfo(hook, state)),
    });
    return await listAnswer(ctx, list);
  },
  async POST(ctx) {
    const webhooks = webhooksOf(ctx, "add a webhook");
    const body = await readJsonObject(ctx);
    const draft = read(webhookDraftSchema, body);
    await requireReauthentication(ctx, body);
    const { hook, state } = await webhooks.add(draft);
    noteActivity(ctx, "webhook_add", { subject: hook.name });
    const { secret } = hook;
    return jsonAnswer({ ...toWebhookInfo(hook, state), secret }, { status: 201 });
  },
});
