import { App, staticFiles } from "fresh";
import type { Cubby } from "./cubby.ts";
import type { State } from "./define.ts";
import { noteAddress } from "./http/client_address.ts";
import { compressAssets } from "./http/compress_assets.ts";
import { heavyAnswers } from "./http/heavy_answers.ts";
import { requestLog } from "./http/request_log.ts";
import { securityHeaders } from "./http/security_headers.ts";

/**
 * The application: what is open is put at hand, every answer is logged and gets its security
 * headers, static files come next, then the file routes with the middlewares of their own.
 */
export function createApp(cubby: Cubby): App<State> {
  return new App<State>({ basePath: cubby.config.baseUrl })
    .use(function provideCubby(ctx) {
      ctx.state.cubby = cubby;
      return ctx.next();
    })
    .use(requestLog, noteAddress, securityHeaders, compressAssets, heavyAnswers)
    .use(staticFiles())
    .fsRoutes();
}
