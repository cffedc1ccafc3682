import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { trashUsage } from "../../../lib/server/http/request/trash_requests.ts";

/** How much the trash of all users holds, for administrators. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "see how full the trash is");
    return jsonAnswer(await trashUsage(ctx.state.cubby));
  },
});
