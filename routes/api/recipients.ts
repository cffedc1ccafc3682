import type { State } from "../../lib/server/define.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { recipientNames } from "../../lib/server/http/request/share_requests.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";

/** Names of users and groups that one may share with. */
export const handler = methods<State>({
  async GET(ctx) {
    return jsonAnswer(await recipientNames(ctx, ctx.url.searchParams.get("query") ?? ""));
  },
});
