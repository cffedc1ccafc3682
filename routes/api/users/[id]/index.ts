import { calls } from "../../../../lib/server/http/calls.ts";
import { adminOf, sessionOf, signedInOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { readUserRequest, userIdOf } from "../../../../lib/server/http/request/user_requests.ts";
import { jsonAnswer, textAnswer } from "../../../../lib/server/http/response/answers.ts";
import {
  clientOf,
  signedOutAnswer,
  tokenAnswer,
} from "../../../../lib/server/http/response/session_answers.ts";
import { headers, json, schemaNamed, text } from "../../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../../lib/server/http/openapi/json_body.ts";
import {
  badUser,
  currentPassword,
  userBody,
  userParameter,
} from "../../../../lib/server/http/openapi/parts/accounts.ts";
import { forgetPlaces } from "../../../../lib/server/features/places/place_lists.ts";
import {
  checkOwnChange,
  needsConfirmation,
} from "../../../../lib/server/features/accounts/users/own_change.ts";
import {
  ownFieldNames,
  readUserChange,
  readWhich,
} from "../../../../lib/server/features/accounts/users/read_user.ts";
import { toUserInfo } from "../../../../lib/server/features/accounts/users/user.ts";

const ownFields = ownFieldNames.filter((name) => name !== "password")
  .map((name) => `\`${name}\``).join(", ");

/** One user: administrators see and change all fields, others some of their own. */
export const handler = calls({
  GET: {
    id: "getUser",
    tag: "Users",
    summary: "Describe a user",
    description:
      "Administrators can get every user, others only themselves, without their own rules.",
    parameters: [userParameter],
    answers: { 200: json("The user.", schemaNamed("User")) },
    refusals: ["not_found"],
    examples: `
$ curl -s $CUBBY/api/users/2 -H "X-Auth: $TOKEN" | jq -r .scope
/photos
`,
    async handle(ctx) {
      const id = userIdOf(ctx);
      const { user: me } = signedInOf(ctx);
      if (me.id !== id) adminOf(ctx, "look at another user");
      const info = toUserInfo(await ctx.state.cubby.users.get(id));
      // The rules are left out: they name entries that the user may not know of.
      return jsonAnswer(me.perm.admin ? info : { ...info, rules: [] });
    },
  },
  PUT: {
    id: "changeUser",
    tag: "Users",
    summary: "Change some fields of a user",
    description:
      "Changes the fields that `which` names, in any case of letters. `all` or an empty list " +
      "stands for all fields; those that `data` leaves out then stay as they are.\n\n" +
      "Administrators can change all fields of all users. Others can change of themselves " +
      `${ownFields} and, unless it is locked, \`password\`.\n\n` +
      "Another name, password or scope, and other permissions, rules or commands, need your " +
      "`current_password` and end all sessions of the user. If that ends your own session, " +
      "the answer is a new token.\n\n" +
      "`roots` are folders that the user finds under names of their own in `/`, in place of " +
      "the scope. No two may have the same name, in any case of letters, or the same path.",
    parameters: [userParameter],
    body: userBody("The fields that are named, with their new values."),
    answers: {
      200: text(
        "Changed; a new token if the former one was invalidated.",
        schemaNamed("TokenOrEmpty"),
        { "Set-Cookie": { ...headers.SetToken, required: false } },
      ),
    },
    refusals: [
      ...badUser,
      "last_admin",
      "not_found",
      "exists",
    ],
    examples: `
$ curl -i -X PUT $CUBBY/api/users/2 -H "X-Auth: $TOKEN" --json '{"what": "user", "which": ["locale"], "data": {"locale": "de"}}'
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8

$ curl -X PUT $CUBBY/api/users/2 -H "X-Auth: $TOKEN" --json '{"what": "user", "which": ["scope"], "data": {"scope": "/"}}'
{"code":"wrong_credentials","message":"Cannot continue: your current password is missing"}
`,
    async handle(ctx, body) {
      const id = userIdOf(ctx);
      const { user: me } = signedInOf(ctx);
      if (me.id !== id) adminOf(ctx, "change another user");
      const { users, sessions } = ctx.state.cubby;
      const { which, data } = readUserRequest(body, id);
      const names = readWhich(which);
      if (!me.perm.admin) checkOwnChange(me, names);

      const user = await users.get(id);
      const change = readUserChange(data, names, user);
      if (needsConfirmation(user, change)) await requireReauthentication(ctx, body);
      const changed = await users.update(id, change);
      recordActivity(ctx, "user_change", {
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
  },
  DELETE: {
    id: "removeUser",
    tag: "Users",
    summary: "Remove a user",
    description:
      "Needs your `current_password`. The user's sessions end; the files stay. The last " +
      "administrator cannot be removed.",
    who: "admin",
    parameters: [userParameter],
    body: jsonBody({ current_password: currentPassword }, []),
    answers: {
      200: text("Removed; the cookie is cleared if it was your own user.", schemaNamed("Empty"), {
        "Set-Cookie": { ...headers.ForgetToken, required: false },
      }),
    },
    refusals: ["wrong_credentials", "throttled", "last_admin", "not_found"],
    examples: `
$ curl -i -X DELETE $CUBBY/api/users/2 -H "X-Auth: $TOKEN" --json '{"current_password": "a cub naps beside 7 rivers"}'
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle(ctx, body) {
      const id = userIdOf(ctx);
      const { user: me } = sessionOf(ctx);
      const { shares, store, users } = ctx.state.cubby;
      const user = await users.get(id);
      await requireReauthentication(ctx, body);
      await users.remove(user.id);
      recordActivity(ctx, "user_remove", { subject: user.username });
      await shares.removeOf(user.id);
      await ctx.state.cubby.requests.removeOf(user.id);
      await ctx.state.cubby.recipientUploads.dropEnded();
      await forgetPlaces(store, user.id);
      return me.id === id ? signedOutAnswer(ctx) : textAnswer();
    },
  },
});
