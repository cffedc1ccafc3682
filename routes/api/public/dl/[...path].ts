import type { RouteConfig } from "fresh";
import type { State } from "../../../../lib/server/define.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { sharedDownload } from "../../../../lib/server/http/response/shared_download.ts";
import { visitByCall } from "../../../../lib/server/http/request/share_requests.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/public/dl{/*}?" };

/** Downloads shared entries, for visitors with the link and the password. */
export const handler = methods<State>({
  async GET(ctx) {
    return await sharedDownload(ctx, await visitByCall(ctx, "public/dl"));
  },
});
