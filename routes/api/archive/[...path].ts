import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  archivedFileAnswer,
  archiveFolderAnswer,
} from "../../../lib/server/http/response/browse_answers.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/archive{/*}?" };

/** Shows an archive as a folder; with `entry`, sends a file out of it. */
export const handler = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "archive");
    const access = accessFor(ctx);
    const entry = ctx.url.searchParams.get("entry");
    if (entry === null) return await archiveFolderAnswer(ctx, access, path);
    return await archivedFileAnswer(ctx, access, path, entry);
  },
});
