import type { Context, RouteConfig } from "fresh";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { encodePath, type EntryPath } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/http/define.ts";
import { makeFolder } from "../../../lib/server/files/make_folder.ts";
import { freePath } from "../../../lib/server/files/upload/free_path.ts";
import type { PartBody } from "../../../lib/server/files/upload/part_file.ts";
import type { Naming } from "../../../lib/server/files/upload/upload_ends.ts";
import type { UploadState } from "../../../lib/server/files/upload/upload_parts.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { notedUpload } from "../../../lib/server/http/jobs/job_requests.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor, rightsConfirmed } from "../../../lib/server/http/request/access_for.ts";
import { recordCreated } from "../../../lib/server/http/request/activities.ts";
import { hooked } from "../../../lib/server/http/request/hooked.ts";
import { recordUse } from "../../../lib/server/http/request/place_requests.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  bringsBytes,
  byTus,
  metadataTime,
  partBody,
  stateHeaders,
  uploadLength,
} from "../../../lib/server/http/request/uploads/tus.ts";
import { begunBy } from "../../../lib/server/http/request/uploads/write_file.ts";
import { headerNamed, headers, nothing } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import {
  badNaming,
  uploadPart,
  uploadState,
} from "../../../lib/server/http/openapi/parts/files.ts";
import type { Parameter } from "../../../lib/server/http/openapi/types.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/tus/*?") };

const ownState = { ...uploadState, ETag: headerNamed("FileTag") };

function headerParameter(
  name: string,
  description: string,
  pattern: string,
  required = false,
): Parameter {
  return { name, in: "header", required, description, schema: { type: "string", pattern } };
}

const version = headerParameter(
  "Tus-Resumable",
  "The version of the protocol: 1.0.0.",
  "^1\\.0\\.0$",
);

const checksum = headerParameter(
  "Upload-Checksum",
  "`md5`, `sha1` or `sha256` and, after a space, the digest of the body in base64.",
  "^(md5|sha1|sha256) [\\w+/]+={0,2}$",
);

/** A header that answers about folders lack. */
function optional(name: "UploadOffset" | "UploadLength") {
  return { ...headers[name], required: false };
}

/** Why an upload that has all its bytes cannot get its name. */
const unnamed: ErrorCode[] = ["exists", "read_only", ...badNaming];

/** Errors of bytes that are sent. */
const badBytes: ErrorCode[] = [
  "invalid_option",
  "invalid_body",
  "checksum_mismatch",
  "body_too_large",
  ...unnamed,
];

const handle = calls({
  GET: {
    id: "uploadState",
    tag: "Resources",
    summary: "Get the offset of an upload",
    description:
      "For HEAD, as tus specifies; GET answers the same. An upload that has all its bytes but " +
      "not its name gets the name first; if that is refused, so is this call, and the bytes " +
      "stay. So an offset equal to the length means that the file is there. That answer is " +
      "given for an hour after the last bytes, while the file keeps its name and is not " +
      "replaced. Otherwise, without such an upload, the call is 404.",
    token: "write",
    parameters: [parameterNamed("Path"), parameterNamed("UploadJob"), version],
    answers: { 200: nothing("An unfinished upload, or one that has its name now.", ownState) },
    refusals: ["invalid_path", "not_found", "precondition_failed", ...unnamed],
    examples: `
$ curl -I $CUBBY/api/tus/lists/plan.txt -H "X-Auth: $TOKEN"
HTTP/1.1 404 Not Found
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "tus");
      const { uploads } = ctx.state.cubby;
      const naming = namingOf(ctx, path);
      const state = await uploads.state(accessFor(ctx), uploaderOf(ctx), path, naming);
      await naming.noted(state);
      return new Response(null, { headers: stateHeaders(state) });
    },
  },

  POST: {
    id: "beginUpload",
    tag: "Resources",
    summary: "Create a resumable upload",
    description:
      "By the protocol [tus](https://tus.io) 1.0.0. There is one upload for each user and " +
      "path: a new one discards the bytes of the former. The body may have the first bytes. A " +
      "path with a slash at the end creates a folder.\n\n" +
      "Needs the permission to create, and to modify where `override` replaces a file.",
    token: "write",
    parameters: [
      parameterNamed("Path"),
      parameterNamed("Override"),
      parameterNamed("UploadJob"),
      version,
      headerParameter("Upload-Length", "The bytes of the whole file.", "^\\d{1,15}$"),
      headerParameter(
        "Upload-Metadata",
        "Pairs of a name and a value in base64; `lastModified` is the time that the file is to " +
          "have, in milliseconds since 1970.",
        "^.*$",
      ),
      checksum,
    ],
    body: uploadPart,
    answers: {
      201: nothing("The upload, or the folder, was created.", {
        Location: headerNamed("UploadPlace"),
        "Upload-Offset": optional("UploadOffset"),
        "Upload-Length": optional("UploadLength"),
        "Upload-Expires": headerNamed("UploadExpires"),
        ETag: headerNamed("FileTag"),
      }),
    },
    refusals: [
      "invalid_path",
      "invalid_name",
      "not_a_file",
      "is_folder",
      "precondition_failed",
      ...badBytes,
    ],
    examples: `
$ curl -i -X POST $CUBBY/api/tus/lists/plan.txt -H "X-Auth: $TOKEN" -H 'Upload-Length: 28'
HTTP/1.1 201 Created
location: /api/tus/lists/plan.txt
tus-resumable: 1.0.0
upload-expires: Tue, 24 Nov 2026 09:00:00 GMT
upload-length: 28
upload-offset: 0
`,
    async handle(ctx) {
      const { path, folder } = requestPath(ctx, "tus");
      const access = accessFor(ctx);
      const location = `${ctx.config.basePath}/api/tus${encodePath(path, { folder })}`;
      if (folder) {
        if (await makeFolder(access, path)) recordCreated(ctx, access, path);
        return new Response(null, { status: 201, headers: { location } });
      }
      const { uploads } = ctx.state.cubby;
      const draft = {
        ...uploaderOf(ctx),
        ...{ path, begun: begunBy(ctx) },
        length: uploadLength(ctx.req),
        override: flagOption(ctx.url.searchParams, "override"),
        lastModified: metadataTime(ctx.req),
      };
      const first = bringsBytes(ctx.req) ? partBody(ctx.req, 0) : { body: null, offset: 0 };
      const begun = await uploads.begin(access, draft, notedUpload(ctx, path).formerFiles);
      const isMore = first.body !== null || draft.length === 0;
      const naming = namingOf(ctx, path);
      const state = isMore ? await append(ctx, path, first, naming) : begun;
      return new Response(null, { status: 201, headers: { location, ...stateHeaders(state) } });
    },
  },

  PATCH: {
    id: "continueUpload",
    tag: "Resources",
    summary: "Append bytes to an upload",
    description:
      "Received bytes count, also if the connection breaks; with `Upload-Checksum`, only " +
      "undamaged parts do, and a damaged one is 460. A request on a new connection takes over " +
      "the upload from one that has stalled, which ends with 423.\n\n" +
      "The last byte gives the file its name. If that is refused (409 the name is taken, 507 " +
      "no space, 403 a missing right or a hook), the bytes stay for 24 hours: send an empty " +
      "part at the end to retry, with `override=true` to replace the file, or with " +
      "`rename=true` to keep both.",
    token: "write",
    parameters: [
      parameterNamed("Path"),
      parameterNamed("Override"),
      {
        name: "rename",
        in: "query",
        description: "`true` keeps both where the name is taken at the end: the new file's has a " +
          "number.",
        schema: { type: "boolean", default: false },
      },
      parameterNamed("UploadJob"),
      version,
      headerParameter("Upload-Offset", "The number of bytes sent before.", "^\\d{1,15}$", true),
      checksum,
    ],
    body: uploadPart,
    answers: {
      204: nothing("Received. With the last bytes the file gets its name.", {
        ...ownState,
        "Content-Location": { ...headers.ContentLocation, required: false },
      }),
    },
    refusals: [
      "invalid_path",
      "not_found",
      "wrong_offset",
      "wrong_content_type",
      "precondition_failed",
      ...badBytes,
    ],
    examples: `
$ echo 'Mend the roof' > list.txt
$ curl -i -X PATCH $CUBBY/api/tus/lists/plan.txt -H "X-Auth: $TOKEN" -H 'Upload-Offset: 0' -H 'Content-Type: application/offset+octet-stream' --data-binary @list.txt
HTTP/1.1 204 No Content
tus-resumable: 1.0.0
upload-expires: Tue, 24 Nov 2026 09:00:00 GMT
upload-length: 28
upload-offset: 14

$ curl -I $CUBBY/api/tus/lists/plan.txt -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
tus-resumable: 1.0.0
upload-expires: Tue, 24 Nov 2026 09:00:00 GMT
upload-length: 28
upload-offset: 14
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "tus");
      const { searchParams } = ctx.url;
      const override = flagOption(searchParams, "override");
      const isRenamed = flagOption(searchParams, "rename");
      const as = isRenamed ? freePath(accessFor(ctx), path) : path;
      const naming = namingOf(ctx, as, override);
      const state = await append(
        ctx,
        path,
        partBody(ctx.req),
        isRenamed ? { ...naming, as } : naming,
      );
      const named = isRenamed && state.etag !== undefined && {
        "content-location": `${ctx.config.basePath}/api/resources${encodePath(state.path ?? as)}`,
      };
      return new Response(null, { status: 204, headers: { ...stateHeaders(state), ...named } });
    },
  },

  DELETE: {
    id: "dropUpload",
    tag: "Resources",
    summary: "Discard an upload",
    description:
      "Deletes its bytes. The user who started it can do so without the permissions and the " +
      "access to the path that it needed; an API token needs both.",
    token: "write",
    parameters: [parameterNamed("Path"), version],
    answers: { 204: nothing("Removed.") },
    refusals: ["invalid_path", "not_found", "precondition_failed", "locked"],
    examples: `
$ curl -i -X DELETE $CUBBY/api/tus/lists/plan.txt -H "X-Auth: $TOKEN"
HTTP/1.1 204 No Content
tus-resumable: 1.0.0
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "tus");
      const isOwn = signedInOf(ctx).token === undefined;
      await ctx.state.cubby.uploads.drop(accessFor(ctx), uploaderOf(ctx), path, isOwn);
      return new Response(null, { status: 204 });
    },
  },
});

/** Resumable uploads, by the tus protocol: one for each user and path. */
export const handler = byTus(handle);

type TusNaming = Naming & { noted(state: UploadState): Promise<void> };

/** Gives an upload its name. @param path the one that it gets */
function namingOf(ctx: Context<State>, path: EntryPath, override = false): TusNaming {
  const { formerFiles, note } = notedUpload(ctx, path);
  const access = accessFor(ctx);
  const file = () => access.create(path).real;
  const confirm = rightsConfirmed(ctx, (now) => now.create(path));
  return {
    ...{ formerFiles, override },
    async around(finish) {
      await confirm();
      return await hooked(ctx, { event: "upload", access, path, file }, finish);
    },
    async noted({ etag }) {
      if (etag === undefined) return;
      await note(etag);
      recordUse(ctx, path, "uploaded");
    },
  };
}

async function append(
  ctx: Context<State>,
  path: EntryPath,
  bytes: PartBody,
  naming: TusNaming,
): Promise<UploadState> {
  const { uploads } = ctx.state.cubby;
  const state = await uploads.append(accessFor(ctx), uploaderOf(ctx), path, bytes, naming);
  await naming.noted(state);
  return state;
}

function uploaderOf(ctx: Context<State>): { userId: number } {
  return { userId: signedInOf(ctx).user.id };
}
