import { HttpError, type RouteConfig } from "fresh";
import { define } from "../../lib/server/http/define.ts";
import { filesHome, redirect } from "../../lib/server/http/pages/redirects.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";

/** A trailing slash matches as well, which the file's name alone does not. */
export const config: RouteConfig = { routeOverride: "/index.php/*?" };

/** The pages that sync clients open in a browser: the files, or one of them by its number. */
const pages = /^\/index\.php(?:\/?|\/apps\/files(?:\/.*)?|\/f\/\d+)$/;

/**
 * Other addresses of Nextcloud's front page. Clients take this answer for a clear no: a user has no
 * picture, a device is not to be wiped, an app is not installed.
 */
export const handler = define.handlers((ctx) => {
  if (!ctx.state.cubby.config.syncClients) throw new HttpError(404);
  const isPage = pages.test(ctx.url.pathname.slice(ctx.config.basePath.length));
  if (ctx.req.method === "GET" && isPage) return redirect(filesHome(ctx));
  return jsonAnswer([], { status: 404, headers: { "cache-control": "no-store" } });
});
