import { keptPlaceIn, pathIn } from "../../../lib/shared/named_roots.ts";
import type { Context, RouteConfig } from "fresh";
import { DomainError } from "../../../lib/shared/errors.ts";
import { type EntryPath } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/define.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import {
  requestInfos,
  requestListAt,
  requestNamed,
} from "../../../lib/server/http/request/file_requests.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { readJsonObject, readOptionalObject } from "../../../lib/server/http/request/json_body.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { checkParameters } from "../../../lib/server/http/request/query.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { readRequestChange } from "../../../lib/server/requests/read_request.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/request{/*}?" };

/** The requests for files into one folder: listed, made, and, by their hash, changed and ended. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = signedInOf(ctx);
    const place = placeOf(ctx, requestPath(ctx, "request").path);
    return await listAnswer(ctx, await requestListAt(ctx, user, place));
  },
  async POST(ctx) {
    const { user } = signedInOf(ctx);
    const { path } = requestPath(ctx, "request");
    const place = placeOf(ctx, path);
    checkParameters(ctx.url.searchParams, []);
    const draft = readRequestChange(await readOptionalObject(ctx));
    const of = { userId: user.id, path: keptPlaceIn(user, path), place };
    const request = await ctx.state.cubby.requests.create(of, draft);
    noteActivity(ctx, "request_add", { path: request.path, subject: request.hash });
    const [answer] = await requestInfos(ctx, [request], user);
    return jsonAnswer(answer);
  },
  async PATCH(ctx) {
    const { user } = signedInOf(ctx);
    const request = await requestNamed(ctx, "change");
    // The links of a user who lacks the permission by now are dead.
    if (request.userId === user.id) {
      const access = accessFor(ctx);
      access.need("Cannot change the request", "share", "create");
      const path = pathIn(user, request.path);
      if (path !== null) access.needWritable(path, "Cannot change the request");
    }
    const change = readRequestChange(await readJsonObject(ctx));
    const changed = await ctx.state.cubby.requests.change(request.hash, change);
    noteActivity(ctx, "request_change", { path: changed.path, subject: changed.hash });
    const [answer] = await requestInfos(ctx, [changed], user);
    return jsonAnswer(answer);
  },
  async DELETE(ctx) {
    const request = await requestNamed(ctx, "end");
    await ctx.state.cubby.requests.remove(request);
    noteActivity(ctx, "request_remove", { path: request.path, subject: request.hash });
    return textAnswer();
  },
});

/** The place of a folder for which the user may ask for files. */
function placeOf(ctx: Context<State>, path: EntryPath): EntryPath {
  const access = accessFor(ctx);
  access.need(`Cannot request files for "${path}"`, "share", "create");
  access.needWritable(path, `Cannot request files for "${path}"`);
  const entry = access.stat(path);
  if (entry.isFolder) return access.placeOf(entry);
  throw new DomainError("not_found", `Cannot request files for "${path}": it is no folder`);
}
