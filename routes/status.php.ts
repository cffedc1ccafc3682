import { HttpError } from "fresh";
import { define } from "../lib/server/http/define.ts";
import { serverStatus } from "../lib/server/http/ocs/capabilities.ts";
import { jsonAnswer } from "../lib/server/http/response/answers.ts";

/** Tells sync clients what server this is, before they sign in and once in a while. */
export const handler = define.handlers({
  async GET(ctx) {
    if (!ctx.state.cubby.config.syncClients) throw new HttpError(404);
    return jsonAnswer(await serverStatus(ctx), { headers: { "cache-control": "no-store" } });
  },
});
