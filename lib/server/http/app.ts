import { App, type Middleware, staticFiles } from "fresh";
import type { Cubby } from "../boot/cubby/cubby.ts";
import type { State } from "./define.ts";
import { announceDav } from "./dav/dav_methods.ts";
import { setAddress } from "./middleware/client_address.ts";
import { compress } from "./middleware/compress.ts";
import { type AppHandler, guard, restoreRequest } from "./middleware/guard.ts";
import { heavyAnswers } from "./middleware/heavy_answers.ts";
import { requestLog } from "./middleware/request_log.ts";
import { securityHeaders } from "./middleware/security_headers.ts";

/**
 * The application: every answer is logged and gets its security headers, static files come next,
 * then the file routes with the middlewares of their own.
 */
export function createApp(cubby: Cubby): App<State> {
  return new GuardedApp(cubby)
    .use(restoreRequest, function provideCubby(ctx) {
      ctx.state.cubby = cubby;
      return ctx.next();
    })
    // The nonce of a page is on the answer that it rendered: its policy is set before another stands in.
    .use(requestLog, setAddress, compress, heavyAnswers, securityHeaders, announceDav)
    .use(buildFiles())
    .fsRoutes();
}

/**
 * Serves the files of the build where no route but that for all other addresses matches: the
 * development server looks for a file on the disk at each request, and fails at a path of over
 * 4,095 bytes.
 */
function buildFiles(): Middleware<State> {
  const serve = staticFiles<State>();
  return function buildFiles(ctx) {
    const isOther = ctx.route === null || ctx.route === `${ctx.config.basePath}/*`;
    return isOther ? serve(ctx) : ctx.next();
  };
}

/** An application behind its guard, for every way to make its handler: build, test, dev server. */
class GuardedApp extends App<State> {
  readonly #cubby: Cubby;

  constructor(cubby: Cubby) {
    super({ basePath: cubby.config.baseUrl });
    this.#cubby = cubby;
  }

  override handler(): AppHandler {
    return guard(super.handler(), this.#cubby);
  }
}
