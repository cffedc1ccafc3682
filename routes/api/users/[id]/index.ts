import type { State } from "../../../../lib/server/define.ts";
import { jsonAnswer, textAnswer } from "../../../../lib/server/http/response/answers.ts";
import {
  readJsonObject,
  readOptionalObject,
} from "../../../../lib/server/http/request/json_body.ts";
import { noteActivity } from "../../../../lib/server/http/request/activities.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import {
  clientOf,
  signedOutAnswer,
  tokenAnswer,
} from "../../../../lib/server/http/response/session_answers.ts";
import { adminOf, signedInOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { readUserRequest, userIdOf } from "../../../../lib/server/http/request/user_requests.ts";
import { requireReauthentication } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { forgetPlaces } from "../../../../lib/server/places/place_lists.ts";
import { checkOwnChange, needsConfirmation } from "../../../../lib/server/users/own_change.ts";
import { readUserChange, readWhich } from "../../../../lib/server/users/read_user.ts";
import { toUserInfo } from "../../../../lib/server/users/user.ts";

/** One user: administrators see and change all fields, others some of their own. */
export const handler = methods<State>({
  async GET(ctx) {
    const id = userIdOf(ctx);
    const { user: me } = signedInOf(ctx);
    if (me.id !== id) adminOf(ctx, "look at another user");
    const info = toUserInfo(await ctx.state.cubby.users.get(id));
    // The rules are left out: they name entries that the user may not know of.
    return jsonAnswer(me.perm.admin ? info : { ...info, rules: [] });
  },
  async PUT(ctx) {
    const id = userIdOf(ctx);
    const { user: me } = signedInOf(ctx);
    if (me.id !== id) adminOf(ctx, "change another user");
    const { users, sessions } = ctx.state.cubby;
    const { which, data, body } = readUserRequest(await readJsonObject(ctx), id);
    const names = readWhich(which);
    if (!me.perm.admin) checkOwnChange(me, names);

    const user = await users.get(id);
    const change = readUserChange(data, names, user);
    if (needsConfirmation(user, change)) await requireReauthentication(ctx, body);
    const changed = await users.update(id, change);
    noteActivity(ctx, "user_change", {
      subject: `${user.username}: ${names.join(", ")}`,
      details: { account: id, fields: Object.keys(change) },
    });
    await ctx.state.cubby.recipientUploads.dropEnded();
    ctx.state.cubby.quotas.check(await users.acting(id));
    if (user.keepRecent && !changed.keepRecent) await ctx.state.cubby.recent.clear(id);
    // The change ended all sessions of the requesting user: this answer carries a new token.
    const isSignedOut = me.id === id && changed.epoch !== user.epoch;
    if (!isSignedOut) return textAnswer();
    return tokenAnswer(ctx, (await sessions.open(changed, clientOf(ctx))).token);
  },
  async DELETE(ctx) {
    const id = userIdOf(ctx);
    const { user: me } = adminOf(ctx, "delete a user");
    const { shares, store, users } = ctx.state.cubby;
    const user = await users.get(id);
    await requireReauthentication(ctx, await readOptionalObject(ctx));
    await users.remove(user.id);
    noteActivity(ctx, "user_remove", { subject: user.username });
    await shares.removeOf(user.id);
    await ctx.state.cubby.requests.removeOf(user.id);
    await ctx.state.cubby.recipientUploads.dropEnded();
    await forgetPlaces(store, user.id);
    return me.id === id ? signedOutAnswer(ctx) : textAnswer();
  },
});
