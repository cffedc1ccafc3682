import type { Context, RouteConfig } from "fresh";
import { DomainError, type ErrorCode } from "../../../lib/shared/errors.ts";
import { parsePath, segmentsOf } from "../../../lib/shared/path.ts";
import {
  shareAudienceSchema,
  shareChangeSchema,
  shareRequestSchema,
  shareTermsSchema,
} from "../../../lib/shared/schemas/share.ts";
import type { State } from "../../../lib/server/http/define.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import {
  changeShare,
  createShare,
  endShare,
  targetAt,
} from "../../../lib/server/http/request/own_shares.ts";
import { audienceIn } from "../../../lib/server/http/request/recipient_requests.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import {
  isShareWithin,
  shareListAt,
  sharesWithTokens,
} from "../../../lib/server/http/request/lists/share_lists.ts";
import { checkParameters } from "../../../lib/server/http/request/query.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, list, schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../lib/server/http/openapi/json_body.ts";
import { listParameters, parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import {
  readShareChange,
  readShareDraft,
} from "../../../lib/server/features/links/shares/read_draft.ts";
import type { Share } from "../../../lib/server/features/links/shares/share.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/share/*?") };

/** Errors in what a share is to be. */
const badShare: ErrorCode[] = [
  ...["invalid_path", "invalid_password", "not_found", "exists", "throttled"] as const,
];

const shareWithToken = schemaNamed("ShareWithToken");

/** The members of a request to create a share. */
const shareBody = {
  ...shareRequestSchema.entries,
  ...shareTermsSchema.entries,
  ...shareAudienceSchema.entries,
};

/** The shares of one entry: listed, made, and, by their hash, changed and ended. */
export const handler = calls({
  GET: {
    id: "listSharesOf",
    tag: "Shares",
    summary: "List the shares of an entry",
    description: "Your own; administrators get those of all users. Each has a `token`. Needs the " +
      "permissions to share and to download.",
    token: "share",
    parameters: [parameterNamed("Path"), ...listParameters("the path")],
    answers: { 200: list("In no particular order.", shareWithToken) },
    refusals: ["invalid_path", "invalid_option", "not_found"],
    examples: `
$ curl -s $CUBBY/api/share/photos -H "X-Auth: $TOKEN" | jq -r .[0].hasPassword
true
`,
    async handle(ctx) {
      const { user } = signedInOf(ctx);
      const place = accessFor(ctx).share(requestPath(ctx, "share").path);
      return await listAnswer(ctx, shareListAt(ctx, user, place));
    },
  },
  POST: {
    id: "share",
    tag: "Shares",
    summary: "Share an entry",
    description:
      "Needs the permissions to share and to download. The members may be in the body or in " +
      "the query. `expires` counts `unit`s, hours by default; 0 or nothing means forever. The " +
      "`hash` is all that a visitor needs. The `token` is for an address of `GET " +
      "/api/public/dl/{path}` that asks for no password, for two hours; it is empty without a " +
      "password.",
    token: "share",
    parameters: [parameterNamed("Path")],
    body: jsonBody(shareBody, []),
    answers: { 200: json("The share.", shareWithToken) },
    refusals: badShare,
    examples: `
$ curl -s $CUBBY/api/share/notes.txt -H "X-Auth: $TOKEN" --json '{"password": "open sesame", "expires": 0}' | jq
{
  "hash": "…",
  "path": "/notes.txt",
  "userID": 1,
  "expire": 0,
  "hasPassword": true,
  "token": "…"
}
`,
    async handle(ctx, body) {
      const { user } = signedInOf(ctx);
      const { path } = requestPath(ctx, "share");
      const target = targetAt(ctx, path);
      checkParameters(ctx.url.searchParams, ["password", "expires", "unit"]);
      const draft = readShareDraft(body, ctx.url.searchParams);
      const audience = await audienceIn(ctx, body);
      if (audience !== undefined) draft.terms = { ...draft.terms, audience };
      const share = await createShare(ctx, path, target, draft);
      const [answer] = await sharesWithTokens(ctx, [share], user);
      return jsonAnswer(answer);
    },
  },
  PATCH: {
    id: "changeShare",
    tag: "Shares",
    summary: "Change a share",
    description:
      "The path is the share's hash. Members that the body leaves out stay as they are. The " +
      "address stays the same; former tokens of visitors stop working. For its owner, who " +
      "needs the permissions to share and to download, and for administrators.",
    token: "share",
    parameters: [parameterNamed("Path")],
    body: jsonBody(shareChangeSchema.entries, [], { required: true }),
    answers: { 200: json("The share as it is now.", shareWithToken) },
    refusals: badShare,
    examples: `
$ curl -s -X PATCH $CUBBY/api/share/$HASH -H "X-Auth: $TOKEN" --json '{"name": "summer", "downloadLimit": 5}' | jq -r .downloadLimit
5
`,
    async handle(ctx, body) {
      const { user } = signedInOf(ctx);
      const share = await shareNamed(ctx, "change");
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
      const changed = await changeShare(ctx, share, { ...change, target });
      const [answer] = await sharesWithTokens(ctx, [changed], user);
      return jsonAnswer(answer);
    },
  },
  DELETE: {
    id: "endShare",
    tag: "Shares",
    summary: "End a share",
    description: "The path is the share's hash. For its owner and administrators.",
    token: "share",
    parameters: [parameterNamed("Path")],
    answers: { 200: text("Removed.", schemaNamed("Empty")) },
    refusals: ["invalid_path", "not_found"],
    examples: `
$ curl -i -X DELETE $CUBBY/api/share/$HASH -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle(ctx) {
      await endShare(ctx, await shareNamed(ctx, "end"));
      return textAnswer();
    },
  },
});

/** The share whose hash stands in the place of the path; of others for administrators alone. */
async function shareNamed(ctx: Context<State>, verb: "change" | "end"): Promise<Share> {
  const { user } = signedInOf(ctx);
  const [hash = "", ...rest] = segmentsOf(requestPath(ctx, "share").path);
  const share = await ctx.state.cubby.shares.get(rest.length === 0 ? hash : "");
  const isOwn = share.userId === user.id && isShareWithin(share, user);
  if (user.perm.admin || isOwn) return share;
  throw new DomainError("forbidden", `Cannot ${verb} the share: it belongs to another user`);
}
