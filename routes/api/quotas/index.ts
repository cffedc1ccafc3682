import type { State } from "../../../lib/server/define.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { quotaList } from "../../../lib/server/http/request/lists/quota_lists.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** The users with a quota, and how much each has in use, for administrators. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "look at the quotas");
    return await listAnswer(ctx, quotaList(ctx));
  },
});
