import { calls } from "../../../../../../lib/server/http/calls.ts";
import { visitByToken } from "../../../../../../lib/server/http/request/file_requests.ts";
import {
  appendReceived,
  namingReceived,
  visitorHeaders,
} from "../../../../../../lib/server/http/request/uploads/request_uploads.ts";
import { byTus, partBody } from "../../../../../../lib/server/http/request/uploads/tus.ts";
import { nothing } from "../../../../../../lib/server/http/openapi/answers.ts";
import {
  headerParameter,
  inPath,
  requestParameter,
  requestToken,
} from "../../../../../../lib/server/http/openapi/parts/links.ts";
import {
  badNaming,
  uploadPart,
  uploadState,
} from "../../../../../../lib/server/http/openapi/parts/files.ts";

const uploadParameter = inPath(
  "id",
  "The upload's id, which only its sender knows.",
  "Zb3cQ9yZ1tq7vL2Akf8Xn0",
);

/** The upload of a visitor, which its id alone leads to: how much has come, more of it, its end. */
export const handler = byTus(calls({
  GET: {
    id: "receivedState",
    tag: "Shares",
    summary: "Get the offset of a visitor's upload",
    description:
      "For HEAD, as tus specifies; GET answers the same. An upload that has all its bytes " +
      "gets its name first, or the call is refused. Uploads of other senders are 404.",
    who: "anyone",
    parameters: [requestParameter, uploadParameter, requestToken],
    answers: { 200: nothing("An unfinished upload.", uploadState) },
    refusals: ["password_required", "not_found", "precondition_failed", "forbidden", ...badNaming],
    examples: `
$ curl -i $CUBBY/api/public/request/$REQUEST/files/none -H "X-Request-Token: $PASS"
HTTP/1.1 404 Not Found
content-type: text/plain; charset=utf-8

Cannot resume the upload: no upload has this address
`,
    async handle(ctx) {
      const visit = await visitByToken(ctx);
      const { received } = ctx.state.cubby;
      const naming = namingReceived(ctx, visit);
      const state = await received.state(visit, ctx.params.id ?? "", naming);
      return new Response(null, { headers: visitorHeaders(state) });
    },
  },
  PATCH: {
    id: "continueReceived",
    tag: "Shares",
    summary: "Append bytes to a visitor's upload",
    description: "As `PATCH /api/tus/{path}`.",
    who: "anyone",
    parameters: [
      requestParameter,
      uploadParameter,
      requestToken,
      headerParameter("Upload-Offset", "The number of bytes sent before."),
    ],
    body: uploadPart,
    answers: { 204: nothing("Received. With the last bytes the file gets its name.", uploadState) },
    refusals: [
      "invalid_option",
      "password_required",
      "not_found",
      "wrong_offset",
      "precondition_failed",
      "body_too_large",
      "wrong_content_type",
      "forbidden",
      ...badNaming,
    ],
    examples: `
$ curl -i -X PATCH $CUBBY/api/public/request/$REQUEST/files/none -H "X-Request-Token: other"
HTTP/1.1 401 Unauthorized
content-type: text/plain; charset=utf-8

Cannot send files: open the request first
`,
    async handle(ctx) {
      const visit = await visitByToken(ctx);
      const state = await appendReceived(ctx, visit, ctx.params.id ?? "", partBody(ctx.req));
      return new Response(null, { status: 204, headers: visitorHeaders(state) });
    },
  },
  DELETE: {
    id: "dropReceived",
    tag: "Shares",
    summary: "Discard a visitor's upload",
    description: "Deletes its bytes.",
    who: "anyone",
    parameters: [requestParameter, uploadParameter, requestToken],
    answers: { 204: nothing("Removed.") },
    refusals: ["password_required", "not_found", "precondition_failed"],
    examples: `
$ curl -i -X DELETE $CUBBY/api/public/request/$REQUEST/files/none -H "X-Request-Token: $PASS"
HTTP/1.1 404 Not Found
content-type: text/plain; charset=utf-8

Cannot resume the upload: no upload has this address
`,
    async handle(ctx) {
      const visit = await visitByToken(ctx);
      await ctx.state.cubby.received.drop(visit, ctx.params.id ?? "");
      return new Response(null, { status: 204 });
    },
  },
}));
