import type { State } from "../../lib/server/define.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { publicOrigin } from "../../lib/server/http/middleware/client_address.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { apiDocument } from "../../lib/server/openapi/document.ts";

/**
 * The description of all calls. It is public: it contains no secret, and generators of clients send
 * no token. It names the address of its request, so it must not be cached.
 */
export const handler = methods<State>({
  GET(ctx) {
    const { baseUrl, trustedProxies } = ctx.state.cubby.config;
    const { https, host } = publicOrigin(ctx.info, ctx.req, trustedProxies);
    return jsonAnswer(apiDocument(`${https ? "https" : "http"}://${host}${baseUrl}`));
  },
});
