import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { chosenAnswer, downloadAnswer } from "../../../lib/server/http/response/download_answer.ts";
import { noteDownload } from "../../../lib/server/http/request/activities.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/raw{/*}?" };

/**
 * Downloads one file, or a folder or chosen entries as an archive; by a form where the choice is
 * too long for an address.
 */
export const handler = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "raw");
    const access = accessFor(ctx);
    const answer = await downloadAnswer(ctx, access, path, signedInOf(ctx).settings);
    if (answer.ok) noteDownload(ctx, access, path);
    return answer;
  },

  async POST(ctx) {
    const { path } = requestPath(ctx, "raw");
    const access = accessFor(ctx);
    const answer = await chosenAnswer(ctx, access, path, signedInOf(ctx).settings);
    noteDownload(ctx, access, path);
    return answer;
  },
});
