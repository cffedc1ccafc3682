import { keptPlaceIn, pathIn } from "../../../lib/shared/named_roots.ts";
import type { Context, RouteConfig } from "fresh";
import { parsePath, segmentsOf } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/define.ts";
import { DomainError } from "../../../lib/shared/errors.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { audienceIn } from "../../../lib/server/http/request/audience_requests.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { readJsonObject, readOptionalObject } from "../../../lib/server/http/request/json_body.ts";
import { checkParameters } from "../../../lib/server/http/request/query.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import {
  isShareWithin,
  shareListAt,
  sharesWithTokens,
} from "../../../lib/server/http/request/lists/share_lists.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { readShareChange, readShareDraft } from "../../../lib/server/shares/read_draft.ts";
import { type Share, termsOf } from "../../../lib/server/shares/share.ts";
import { newAudience } from "../../../lib/server/shares/share_news.ts";
import { assertMayGive } from "../../../lib/server/shares/visit.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/share{/*}?" };

/** The shares of one entry: listed, made, and, by their hash, changed and ended. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = signedInOf(ctx);
    const place = accessFor(ctx).share(requestPath(ctx, "share").path);
    return await listAnswer(ctx, shareListAt(ctx, user, place));
  },
  async POST(ctx) {
    const { user } = signedInOf(ctx);
    const { path } = requestPath(ctx, "share");
    const target = targetAt(ctx, path);
    checkParameters(ctx.url.searchParams, ["password", "expires", "unit"]);
    const body = await readOptionalObject(ctx);
    const draft = readShareDraft(body, ctx.url.searchParams);
    const audience = await audienceIn(ctx, body);
    if (audience !== undefined) draft.terms = { ...draft.terms, audience };
    assertMayGive(accessFor(ctx), { terms: { ...termsOf({}), ...draft.terms } }, path);
    const share = await ctx.state.cubby.shares.create({ userId: user.id, ...target }, draft);
    const details = { audience: newAudience(null, share) };
    noteActivity(ctx, "share_add", { path: share.path, subject: share.hash, details });
    const [answer] = await sharesWithTokens(ctx, [share], user);
    return jsonAnswer(answer);
  },
  async PATCH(ctx) {
    const { user } = signedInOf(ctx);
    const share = await shareNamed(ctx, "change");
    const body = await readJsonObject(ctx);
    const { path, ...change } = readShareChange(body);
    if (path !== undefined && share.userId !== user.id) {
      throw new DomainError("forbidden", "Cannot move the share: only its owner may do that");
    }
    // The links of a user who lacks the permission by now are dead: no change revives one.
    if (share.userId === user.id) {
      accessFor(ctx).need("Cannot change the share", "share", "download");
    }
    const audience = await audienceIn(ctx, body);
    if (audience !== undefined) change.terms = { ...change.terms, audience };
    const target = path === undefined ? undefined : targetAt(ctx, parsePath(path).path);
    const access = accessFor(ctx);
    const changed = await ctx.state.cubby.shares.change(
      share.hash,
      { ...change, target },
      (next) =>
        assertMayGive(access, next, next.userId === user.id ? pathIn(user, next.path) : null),
    );
    await ctx.state.cubby.recipientUploads.dropEnded(share.userId);
    const details = { audience: newAudience(share, changed) };
    noteActivity(ctx, "share_change", { path: changed.path, subject: share.hash, details });
    const [answer] = await sharesWithTokens(ctx, [changed], user);
    return jsonAnswer(answer);
  },
  async DELETE(ctx) {
    const share = await shareNamed(ctx, "end");
    await ctx.state.cubby.shares.remove(share);
    await ctx.state.cubby.recipientUploads.dropEnded(share.userId);
    noteActivity(ctx, "share_remove", { path: share.path, subject: share.hash });
    return textAnswer();
  },
});

/** The target of a share: an entry that its owner may share. */
function targetAt(
  ctx: Context<State>,
  path: ReturnType<typeof parsePath>["path"],
): Pick<Share, "path" | "place"> {
  const place = accessFor(ctx).share(path);
  return { path: keptPlaceIn(signedInOf(ctx).user, path), place };
}

/** The share whose hash stands in the place of the path; of others for administrators alone. */
async function shareNamed(ctx: Context<State>, verb: "change" | "end"): Promise<Share> {
  const { user } = signedInOf(ctx);
  const [hash = "", ...rest] = segmentsOf(requestPath(ctx, "share").path);
  const share = await ctx.state.cubby.shares.get(rest.length === 0 ? hash : "");
  const isOwn = share.userId === user.id && isShareWithin(share, user);
  if (user.perm.admin || isOwn) return share;
  throw new DomainError("forbidden", `Cannot ${verb} the share: it is somebody else's`);
}
