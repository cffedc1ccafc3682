import { HttpError, type RouteConfig } from "fresh";
import { define } from "../lib/server/http/define.ts";
import { isApiCall } from "../lib/server/http/response/error_response.ts";
import { filesHome, redirect, toSignIn } from "../lib/server/http/pages/redirects.ts";

/** A trailing slash matches as well, which the file's name alone does not. */
export const config: RouteConfig = { routeOverride: "/*" };

/** Other addresses redirect to the files area; under the API they are unknown calls. */
export const handler = define.handlers({
  GET(ctx) {
    if (isApiCall(ctx)) throw new HttpError(404);
    if (!ctx.state.signedIn) return toSignIn(ctx);
    const path = ctx.url.pathname.slice(ctx.config.basePath.length + 1);
    return redirect(filesHome(ctx) + path + ctx.url.search);
  },
});
