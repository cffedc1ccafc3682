import type { State } from "../../../../lib/server/define.ts";
import { webhooksOf } from "../../../../lib/server/http/request/webhook_requests.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { toWebhookInfo } from "../../../../lib/server/webhooks/webhook.ts";

/** Sends a test event to a webhook, for administrators, and shows what came of it. */
export const handler = methods<State>({
  async POST(ctx) {
    const webhooks = webhooksOf(ctx, "test a webhook");
    const id = ctx.params.id ?? "";
    await webhooks.test(id);
    const { hook, state } = await webhooks.get(id);
    return jsonAnswer(toWebhookInfo(hook, state));
  },
});
