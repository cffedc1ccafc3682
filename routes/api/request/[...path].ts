import type { Context, RouteConfig } from "fresh";
import { DomainError } from "../../../lib/shared/errors.ts";
import { keptPlaceIn, pathIn } from "../../../lib/shared/named_roots.ts";
import type { EntryPath } from "../../../lib/shared/path.ts";
import { requestChangeSchema } from "../../../lib/shared/schemas/request.ts";
import type { State } from "../../../lib/server/http/define.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import {
  requestInfos,
  requestListAt,
  requestNamed,
} from "../../../lib/server/http/request/file_requests.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { checkParameters } from "../../../lib/server/http/request/query.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../../lib/server/http/openapi/json_body.ts";
import { listParameters, parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { fileRequests } from "../../../lib/server/http/openapi/parts/links.ts";
import { readRequestChange } from "../../../lib/server/features/links/requests/read_request.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/request/*?") };

/** The requests for files into one folder: listed, made, and, by their hash, changed and ended. */
export const handler = calls({
  GET: {
    id: "listRequestsOf",
    tag: "Shares",
    summary: "List the requests for files of a folder",
    description:
      "Your own; administrators get those of all users. Needs the permissions to share and to " +
      "create.",
    parameters: [parameterNamed("Path"), ...listParameters("the path and the title")],
    answers: { 200: fileRequests },
    refusals: ["invalid_path", "invalid_option", "not_found"],
    examples: `
$ curl -s $CUBBY/api/request/photos -H "X-Auth: $TOKEN" | jq -r .[0].files
1
`,
    async handle(ctx) {
      const { user } = signedInOf(ctx);
      const place = placeOf(ctx, requestPath(ctx, "request").path);
      return await listAnswer(ctx, await requestListAt(ctx, user, place));
    },
  },
  POST: {
    id: "requestFiles",
    tag: "Shares",
    summary: "Request files for a folder",
    description:
      "Needs the permissions to share and to create. All members may be left out. An upload " +
      "in progress counts like a received file, for an hour after its last part began. The " +
      "answer also has how many `files` and `bytes` were received, and when the last one was " +
      "(`lastReceived`).",
    parameters: [parameterNamed("Path")],
    body: jsonBody(requestChangeSchema.entries, []),
    answers: { 200: json("The request.", schemaNamed("FileRequest")) },
    refusals: ["invalid_path", "invalid_password", "not_found"],
    examples: `
$ curl -s $CUBBY/api/request/photos -H "X-Auth: $TOKEN" --json '{"title": "More photos"}' | jq -r .path
/photos
`,
    async handle(ctx, body) {
      const { user } = signedInOf(ctx);
      const { path } = requestPath(ctx, "request");
      const place = placeOf(ctx, path);
      checkParameters(ctx.url.searchParams, []);
      const draft = readRequestChange(body);
      const of = { userId: user.id, path: keptPlaceIn(user, path), place };
      const request = await ctx.state.cubby.requests.create(of, draft);
      recordActivity(ctx, "request_add", { path: request.path, subject: request.hash });
      const [answer] = await requestInfos(ctx, [request], user);
      return jsonAnswer(answer);
    },
  },
  PATCH: {
    id: "changeRequest",
    tag: "Shares",
    summary: "Change a request",
    description:
      "The path is the request's hash. Members that the body leaves out stay as they are. " +
      "Former tokens of visitors stop working. For its owner and administrators.",
    parameters: [parameterNamed("Path")],
    body: jsonBody(requestChangeSchema.entries, [], { required: true }),
    answers: { 200: json("The request as it is now.", schemaNamed("FileRequest")) },
    refusals: ["invalid_path", "invalid_password", "not_found"],
    examples: `
$ curl -s -X PATCH $CUBBY/api/request/$REQUEST -H "X-Auth: $TOKEN" --json '{"note": "Thank you!"}' | jq -r .note
Thank you!
`,
    async handle(ctx, body) {
      const { user } = signedInOf(ctx);
      const request = await requestNamed(ctx, "change");
      // The links of a user who lacks the permission by now are dead.
      if (request.userId === user.id) {
        const access = accessFor(ctx);
        access.need("Cannot change the request", "share", "create");
        const path = pathIn(user, request.path);
        if (path !== null) access.needWritable(path, "Cannot change the request");
      }
      const change = readRequestChange(body);
      const changed = await ctx.state.cubby.requests.change(request.hash, change);
      recordActivity(ctx, "request_change", { path: changed.path, subject: changed.hash });
      const [answer] = await requestInfos(ctx, [changed], user);
      return jsonAnswer(answer);
    },
  },
  DELETE: {
    id: "endRequest",
    tag: "Shares",
    summary: "End a request",
    description:
      "The path is the request's hash. Received files stay. For its owner and administrators.",
    parameters: [parameterNamed("Path")],
    answers: { 200: text("Removed.", schemaNamed("Empty")) },
    refusals: ["invalid_path", "not_found"],
    examples: `
$ curl -i -X DELETE $CUBBY/api/request/$REQUEST -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle(ctx) {
      const request = await requestNamed(ctx, "end");
      await ctx.state.cubby.requests.remove(request);
      recordActivity(ctx, "request_remove", { path: request.path, subject: request.hash });
      return textAnswer();
    },
  },
});

/** The place of a folder for which the user may ask for files. */
function placeOf(ctx: Context<State>, path: EntryPath): EntryPath {
  const access = accessFor(ctx);
  access.need(`Cannot request files for "${path}"`, "share", "create");
  access.needWritable(path, `Cannot request files for "${path}"`);
  const entry = access.stat(path);
  if (entry.isFolder) return access.placeOf(entry);
  throw new DomainError("not_found", `Cannot request files for "${path}": it is not a folder`);
}
