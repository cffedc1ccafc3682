import type { Context, RouteConfig } from "fresh";
import { encodePath, type EntryPath } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/define.ts";
import { makeFolder } from "../../../lib/server/files/make_folder.ts";
import type { PartBody, UploadState } from "../../../lib/server/files/upload/resumable.ts";
import { accessFor, rightsConfirmed } from "../../../lib/server/http/request/access_for.ts";
import { hooked } from "../../../lib/server/http/request/hooked.ts";
import { notedUpload } from "../../../lib/server/http/jobs/job_requests.ts";
import { noteMade } from "../../../lib/server/http/request/activities.ts";
import { noteUse } from "../../../lib/server/http/request/place_requests.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  bringsBytes,
  byTus,
  metadataTime,
  partBody,
  stateHeaders,
  uploadLength,
} from "../../../lib/server/http/request/uploads/tus.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/tus{/*}?" };

const handle = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "tus");
    const { uploads } = ctx.state.cubby;
    const state = await uploads.state(accessFor(ctx), uploaderOf(ctx), path);
    return new Response(null, { headers: stateHeaders(state) });
  },

  async POST(ctx) {
    const { path, folder } = requestPath(ctx, "tus");
    const access = accessFor(ctx);
    const location = `${ctx.config.basePath}/api/tus${encodePath(path, { folder })}`;
    if (folder) {
      if (await makeFolder(access, path)) noteMade(ctx, access, path);
      return new Response(null, { status: 201, headers: { location } });
    }
    const { uploads } = ctx.state.cubby;
    const draft = {
      userId: signedInOf(ctx).user.id,
      path,
      length: uploadLength(ctx.req),
      override: flagOption(ctx.url.searchParams, "override"),
      lastModified: metadataTime(ctx.req),
    };
    const first = bringsBytes(ctx.req) ? partBody(ctx.req, 0) : { body: null, offset: 0 };
    const begun = await uploads.begin(access, draft, notedUpload(ctx, path).formerFiles);
    const isMore = first.body !== null || draft.length === 0;
    const state = isMore ? await append(ctx, path, first) : begun;
    return new Response(null, { status: 201, headers: { location, ...stateHeaders(state) } });
  },

  async PATCH(ctx) {
    const { path } = requestPath(ctx, "tus");
    const state = await append(ctx, path, partBody(ctx.req));
    return new Response(null, { status: 204, headers: stateHeaders(state) });
  },

  async DELETE(ctx) {
    const { path } = requestPath(ctx, "tus");
    await ctx.state.cubby.uploads.drop(accessFor(ctx), uploaderOf(ctx), path);
    return new Response(null, { status: 204 });
  },
});

/** Resumable uploads, by the tus protocol: one for each user and path. */
export const handler = byTus(handle);

async function append(
  ctx: Context<State>,
  path: EntryPath,
  bytes: PartBody,
): Promise<UploadState> {
  const { formerFiles, note } = notedUpload(ctx, path);
  const access = accessFor(ctx);
  const file = () => access.create(path).real;
  const confirm = rightsConfirmed(ctx, (now) => now.create(path));
  const { uploads } = ctx.state.cubby;
  const state = await uploads.append(
    access,
    uploaderOf(ctx),
    path,
    bytes,
    {
      formerFiles,
      around: async (finish) => {
        await confirm();
        return await hooked(ctx, { event: "upload", access, path, file }, finish);
      },
    },
  );
  if (state.etag !== undefined) {
    await note(state.etag);
    noteUse(ctx, path, "uploaded");
  }
  return state;
}

function uploaderOf(ctx: Context<State>): { userId: number } {
  return { userId: signedInOf(ctx).user.id };
}
