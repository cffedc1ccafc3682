import type { State } from "../../lib/server/define.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { sharedWithMe } from "../../lib/server/http/request/share_requests.ts";

/** The shares for the user. */
export const handler = methods<State>({
  async GET(ctx) {
    return jsonAnswer(await sharedWithMe(ctx));
  },
});
