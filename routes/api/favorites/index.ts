import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { favoritesOf } from "../../../lib/server/http/request/place_requests.ts";

/** The user's own favourites, in their order. */
export const handler = methods<State>({
  async GET(ctx) {
    return jsonAnswer(await favoritesOf(ctx));
  },
});
