import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { usageFor } from "../../../lib/server/files/listing/usage.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/usage{/*}?" };

/** The usage of the disk at a path, or of the quota of the one who asks. */
export const handler = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "usage");
    return jsonAnswer(await usageFor(accessFor(ctx), path));
  },
});
