import type { RouteConfig } from "fresh";
import type { State } from "../../../../lib/server/define.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { restoreShared } from "../../../../lib/server/http/request/shared_changes.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/public/trash{/*}?" };

/** Entries that recipients of a share have deleted in it: put back by whoever of them did. */
export const handler = methods<State>({
  async POST(ctx) {
    const location = await restoreShared(ctx);
    return textAnswer("OK\n", { headers: { "content-location": location } });
  },
});
