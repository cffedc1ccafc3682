import type { State } from "../../lib/server/define.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { publicOrigin } from "../../lib/server/http/middleware/client_address.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { apiDocument } from "../../lib/server/openapi/document.ts";

/**
 * The description of all calls, for whoever asks: there is no secret in it, and generators of
 * clients send no token. It names the address that it was asked at, so nothing keeps a copy.
 */
export const handler = methods<State>({
  GET(ctx) {
    const { baseUrl, trustedProxies } = ctx.state.cubby.config;
    const { https, host } = publicOrigin(ctx.info, ctx.req, trustedProxies);
    return jsonAnswer(apiDocument(`${https ? "https" : "http"}://${host}${baseUrl}`));
  },
});
