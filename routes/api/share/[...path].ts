import type { RouteConfig } from "fresh";
import { joinPaths, parsePath, segmentsOf } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/define.ts";
import { DomainError } from "../../../lib/shared/errors.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { readOptionalObject } from "../../../lib/server/http/request/json_body.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { sharesWithTokens } from "../../../lib/server/http/request/share_requests.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { readShareDraft } from "../../../lib/server/shares/read_draft.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/share{/*}?" };

/** The shares of one entry: listed, made, and, by their hash, ended. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = signedInOf(ctx);
    const { shares } = ctx.state.cubby;
    const place = accessFor(ctx).share(requestPath(ctx, "share").path);
    const seen = user.perm.admin ? await shares.list() : await shares.listOf(user.id);
    const here = seen.filter((share) => share.place === place);
    return jsonAnswer(await sharesWithTokens(ctx, here, user));
  },
  async POST(ctx) {
    const { user } = signedInOf(ctx);
    const { path } = requestPath(ctx, "share");
    const place = accessFor(ctx).share(path);
    const body = await readOptionalObject(ctx.req);
    const draft = readShareDraft(body, ctx.url.searchParams);
    const of = { userId: user.id, path: joinPaths(parsePath(user.scope).path, path), place };
    const share = await ctx.state.cubby.shares.create(of, draft);
    const [answer] = await sharesWithTokens(ctx, [share], user);
    return jsonAnswer(answer);
  },
  async DELETE(ctx) {
    const { user } = signedInOf(ctx);
    const { shares } = ctx.state.cubby;
    const [hash = "", ...rest] = segmentsOf(requestPath(ctx, "share").path);
    const share = await shares.get(rest.length === 0 ? hash : "");
    if (!user.perm.admin && share.userId !== user.id) {
      throw new DomainError("forbidden", "Cannot end the share: it is somebody else's");
    }
    await shares.remove(share);
    return textAnswer();
  },
});
