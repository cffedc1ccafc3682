import type { Context, RouteConfig } from "fresh";
import { encodePath, type EntryPath } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/define.ts";
import { makeFolder } from "../../../lib/server/files/make_folder.ts";
import { freePath } from "../../../lib/server/files/upload/free_path.ts";
import type { Naming, PartBody, UploadState } from "../../../lib/server/files/upload/resumable.ts";
import type { BegunBy } from "../../../lib/server/files/upload/upload_parts.ts";
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
    const naming = namingOf(ctx, path);
    const state = await uploads.state(accessFor(ctx), uploaderOf(ctx), path, naming);
    await naming.noted(state);
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
      ...uploaderOf(ctx),
      ...{ path, begun: begunOf(ctx) },
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

  async PATCH(ctx) {
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

  async DELETE(ctx) {
    const { path } = requestPath(ctx, "tus");
    const isOwn = signedInOf(ctx).token === undefined;
    await ctx.state.cubby.uploads.drop(accessFor(ctx), uploaderOf(ctx), path, isOwn);
    return new Response(null, { status: 204 });
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
      noteUse(ctx, path, "uploaded");
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

function begunOf(ctx: Context<State>): BegunBy {
  const { user: { epoch }, token } = signedInOf(ctx);
  const begun = { address: ctx.state.address, epoch };
  return token ? { ...begun, tokenId: token.id } : begun;
}

function uploaderOf(ctx: Context<State>): { userId: number } {
  return { userId: signedInOf(ctx).user.id };
}
