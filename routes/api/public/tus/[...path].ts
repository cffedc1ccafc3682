import type { RouteConfig } from "fresh";
import type { ErrorCode } from "../../../../lib/shared/errors.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";
import { visitorHeaders } from "../../../../lib/server/http/request/uploads/request_uploads.ts";
import {
  appendShared,
  beginShared,
  dropShared,
  sharedState,
  sharedUpload,
} from "../../../../lib/server/http/request/uploads/shared_uploads.ts";
import {
  addFirst,
  bringsBytes,
  byTus,
  partBody,
} from "../../../../lib/server/http/request/uploads/tus.ts";
import { nothing } from "../../../../lib/server/http/openapi/answers.ts";
import {
  closedShare,
  sharedPath,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";
import { visitorName } from "../../../../lib/server/http/openapi/parts/office.ts";
import {
  badNaming,
  uploadPart,
  uploadState,
} from "../../../../lib/server/http/openapi/parts/files.ts";
import type { Header, Parameter } from "../../../../lib/server/http/openapi/types.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/tus/*?") };

function parameter(place: "header" | "query", name: string, description: string): Parameter {
  return { name, in: place, description, schema: { type: "string" } };
}

const uploadParameter = parameter("query", "upload", "The upload, from the address that began it.");

const uploadPlace: Header = {
  description: "The address of the upload, without the share's token.",
  required: true,
  schema: { type: "string", pattern: "/api/public/tus/" },
};

const badBytes: ErrorCode[] = ["invalid_option", "body_too_large", "wrong_content_type"];

/** Files that recipients and visitors of a share add to it, by the tus protocol. */
export const handler = byTus(calls({
  GET: {
    id: "addedState",
    tag: "Shares",
    summary: "Get the offset of an upload to a share",
    description:
      "For HEAD, as tus specifies; GET answers the same. An upload that has all its bytes " +
      "gets its name first, or the call is refused. Uploads of others are 404.",
    who: "anyone",
    parameters: [sharedPath, uploadParameter, ...shareProofs, visitorName],
    answers: { 200: nothing("An unfinished upload.", uploadState) },
    refusals: [...closedShare, "precondition_failed", ...badNaming],
    async handle(ctx) {
      const state = await sharedState(ctx, await sharedUpload(ctx));
      return new Response(null, { headers: visitorHeaders(state) });
    },
  },
  POST: {
    id: "beginAdded",
    tag: "Shares",
    summary: "Create an upload to a shared folder",
    description:
      "By the tus protocol, as `POST /api/tus/{path}`, for a session of a recipient who may " +
      "`upload` or `edit`, and for visitors where `anyoneMay` is one of them. The path is that of a folder; `Upload-Metadata` has the " +
      "`filename`, with the folders that it is in, and `lastModified`. The file gets a free " +
      "name: nothing is replaced. It belongs to the owner, whose permission to create, rules, " +
      "hidden names and quota apply at each call.",
    who: "anyone",
    parameters: [
      sharedPath,
      ...shareProofs,
      visitorName,
      parameter("header", "Upload-Length", "The bytes of the whole file."),
      parameter(
        "header",
        "Upload-Metadata",
        "`filename` with its folders, and `lastModified`, each in base64.",
      ),
    ],
    body: uploadPart,
    answers: { 201: nothing("The upload was created.", { Location: uploadPlace, ...uploadState }) },
    refusals: [...closedShare, ...badBytes, "invalid_name", "precondition_failed", ...badNaming],
    examples: `
$ curl -i $CUBBY/api/public/tus/$HASH -H "X-Auth: $TOKEN" -H "X-SHARE-PASSWORD: open%20sesame" -H 'Upload-Length: 8' -H 'Upload-Metadata: filename c2VhLnR4dA=='
HTTP/1.1 403 Forbidden
content-type: text/plain; charset=utf-8

Cannot add to the share: it is read-only
`,
    async handle(ctx) {
      const first = bringsBytes(ctx.req) ? partBody(ctx.req, 0) : { body: null, offset: 0 };
      const { upload, state, location } = await beginShared(ctx);
      const isMore = first.body !== null || state.length === 0;
      const append = () => appendShared(ctx, upload, first);
      const now = isMore ? await addFirst(append, () => dropShared(ctx, upload)) : state;
      return new Response(null, { status: 201, headers: { location, ...visitorHeaders(now) } });
    },
  },
  PATCH: {
    id: "continueAdded",
    tag: "Shares",
    summary: "Append bytes to an upload to a share",
    description: "As `PATCH /api/tus/{path}`.",
    who: "anyone",
    parameters: [
      sharedPath,
      uploadParameter,
      ...shareProofs,
      visitorName,
      parameter("header", "Upload-Offset", "The number of bytes sent before."),
    ],
    body: uploadPart,
    answers: { 204: nothing("Received. With the last bytes the file gets its name.", uploadState) },
    refusals: [...closedShare, ...badBytes, "wrong_offset", "precondition_failed", ...badNaming],
    async handle(ctx) {
      const upload = await sharedUpload(ctx);
      const state = await appendShared(ctx, upload, partBody(ctx.req));
      return new Response(null, { status: 204, headers: visitorHeaders(state) });
    },
  },
  DELETE: {
    id: "dropAdded",
    tag: "Shares",
    summary: "Discard an upload to a share",
    description: "Deletes its bytes.",
    who: "anyone",
    parameters: [sharedPath, uploadParameter, ...shareProofs, visitorName],
    answers: { 204: nothing("Removed.") },
    refusals: [...closedShare, "precondition_failed"],
    async handle(ctx) {
      await dropShared(ctx, await sharedUpload(ctx));
      return new Response(null, { status: 204 });
    },
  },
}));
