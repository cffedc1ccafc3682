import type { State } from "../../../lib/server/define.ts";
import { encodePath } from "../../../lib/shared/path.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { refuseAsCode } from "../../../lib/server/http/response/not_as_code.ts";
import { sendFile } from "../../../lib/server/http/response/send_file.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { serverPath } from "../../../lib/server/audit/places.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** An entry in the user's own trash: read, restored, or deleted for good. */
export const handler = methods<State>({
  async GET(ctx) {
    refuseAsCode(ctx.req);
    const { id = "" } = ctx.params;
    const { trash } = ctx.state.cubby;
    const { file, ...info } = await trash.open(accessFor(ctx), signedInOf(ctx).user.id, id);
    const inline = flagOption(ctx.url.searchParams, "inline");
    if (ctx.req.method !== "HEAD") return await sendFile(ctx.req, { ...info, file }, { inline });
    file.close();
    return await sendFile(ctx.req, info, { inline });
  },

  async POST(ctx) {
    const { cubby } = ctx.state;
    const { id = "" } = ctx.params;
    const replaces = flagOption(ctx.url.searchParams, "override");
    const access = accessFor(ctx);
    const path = await cubby.trash.restore(access, signedInOf(ctx).user.id, id, replaces);
    cubby.touched(access, path);
    noteActivity(ctx, "restore", { path: serverPath(access, path) });
    const location = `${ctx.config.basePath}/api/resources${encodePath(path)}`;
    return textAnswer("OK\n", { headers: { "content-location": location } });
  },

  async DELETE(ctx) {
    const { id = "" } = ctx.params;
    const access = accessFor(ctx);
    access.need(`Cannot delete "${id}"`, "delete");
    const { trash } = ctx.state.cubby;
    const { user } = signedInOf(ctx);
    const { path } = await trash.records.get(user.id, id);
    await trash.remove(user.id, id, access);
    noteActivity(ctx, "purge", { path });
    return textAnswer("OK\n");
  },
});
