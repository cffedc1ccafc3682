import type { Context, RouteConfig } from "fresh";
import { DomainError } from "../../../lib/shared/errors.ts";
import { encodePath, type EntryPath } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/define.ts";
import { describe } from "../../../lib/server/files/listing/describe.ts";
import { makeFolder } from "../../../lib/server/files/make_folder.ts";
import { removeEntry } from "../../../lib/server/files/remove.ts";
import { saveText } from "../../../lib/server/files/content/save_text.ts";
import {
  copyEntry,
  crossesDisks,
  moveEntry,
} from "../../../lib/server/files/transfer/start_transfer.ts";
import { LeftOutNote } from "../../../lib/server/files/transfer/progress.ts";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { jsonTextAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { addLeftOut } from "../../../lib/server/http/response/left_out_headers.ts";
import { accessFor, rightsConfirmed } from "../../../lib/server/http/request/access_for.ts";
import { assertUnlocked, hooked } from "../../../lib/server/http/request/hooked.ts";
import { transferHooks } from "../../../lib/server/hooks/hooks.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import {
  answerByJob,
  notedUpload,
  preferenceOf,
} from "../../../lib/server/http/jobs/job_requests.ts";
import { noteMade } from "../../../lib/server/http/request/activities.ts";
import { noteUse } from "../../../lib/server/http/request/place_requests.ts";
import { wantsTrash } from "../../../lib/server/http/request/trash_requests.ts";
import { recursiveFolder } from "../../../lib/server/http/request/recursive_folder.ts";
import { modifiedOption } from "../../../lib/server/http/request/uploads/tus.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  describeOptions,
  descriptionAnswer,
} from "../../../lib/server/http/response/resource_answers.ts";
import {
  transferOptions,
  uploadOptions,
} from "../../../lib/server/http/request/transfer_options.ts";
import { heldBySearch } from "../../../lib/server/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/resources{/*}?" };

/** Entries: described, made, written, copied, moved and removed. */
export const handler = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "resources");
    const folder = recursiveFolder(ctx, path);
    if (folder) return await treeAnswer(ctx, folder);
    const description = await describe(accessFor(ctx), ctx.state.cubby, path, describeOptions(ctx));
    return await descriptionAnswer(ctx, description);
  },

  async POST(ctx) {
    const { path, folder } = requestPath(ctx, "resources");
    const access = accessFor(ctx);
    const { formerFiles, note, noteFolder } = notedUpload(ctx, path);
    if (folder) {
      if (await makeFolder(access, path)) {
        noteMade(ctx, access, path);
        await noteFolder();
      }
      return textAnswer("OK\n");
    }
    const override = flagOption(ctx.url.searchParams, "override");
    const modified = modifiedOption(ctx.url.searchParams);
    const replaces = override && access.may("modify");
    const file = () => access.create(path).real;
    const upload = { event: "upload", access, path, file } as const;
    const confirm = rightsConfirmed(
      ctx,
      (now) => replaces ? now.replace(path) : now.create(path),
      () => assertUnlocked(ctx, upload),
    );
    const options = { ...uploadOptions(ctx.req), override, modified, formerFiles, confirm };
    const { etag } = await hooked(ctx, upload, () => uploadFile(access, path, ctx.req, options));
    await note(etag);
    noteUse(ctx, path, "uploaded");
    return textAnswer("OK\n", { headers: { etag } });
  },

  async PUT(ctx) {
    const { path, folder } = requestPath(ctx, "resources");
    const access = accessFor(ctx);
    if (folder) {
      // Denied paths are refused as such first, however they are spelled.
      access.create(path);
      const reason = "a path with a slash at its end is a folder's";
      throw new DomainError("invalid_path", `Cannot save "${path}": ${reason}`);
    }
    const file = () => access.modify(path).real;
    const encoding = ctx.url.searchParams.get("encoding");
    const { formerFiles, note } = notedUpload(ctx, path);
    const save = { event: "save", access, path, file } as const;
    const confirm = rightsConfirmed(
      ctx,
      (now) => now.modify(path),
      () => assertUnlocked(ctx, save),
    );
    const options = { ...uploadOptions(ctx.req), formerFiles, confirm };
    const { etag } = await hooked(
      ctx,
      save,
      () =>
        encoding === null
          ? saveFile(access, path, ctx.req, options)
          : saveText(access, path, ctx.req.body, encoding, options),
    );
    await note(etag);
    noteUse(ctx, path, "changed");
    return textAnswer("OK\n", { headers: { etag } });
  },

  async PATCH(ctx) {
    const { path } = requestPath(ctx, "resources");
    const { action, to, ...options } = transferOptions(ctx.url);
    const { transferWorker, observers, trash } = ctx.state.cubby;
    const access = accessFor(ctx);
    const isLong = preferenceOf(ctx.req).isAsync ||
      action === "move" && crossesDisks(access, path, to);
    if (isLong) return await answerByJob(ctx, action, { path, to, ...options });
    const formerFiles = trash.formerFilesOf(signedInOf(ctx).user.id);
    const transfer = action === "copy" ? copyEntry : moveEntry;
    const note = new LeftOutNote();
    const { report } = note;
    const terms = { ...options, observers, formerFiles, report, signal: ctx.req.signal };
    const arrived = await hooked(
      ctx,
      transferHooks(access, action, path, to),
      () => transfer(access, transferWorker, path, to, terms),
    );
    const location = `${ctx.config.basePath}/api/resources${encodePath(arrived)}`;
    const headers = new Headers({ "content-location": location });
    addLeftOut(headers, path, note.leftOut);
    return textAnswer("OK\n", { headers });
  },

  async DELETE(ctx) {
    const { path } = requestPath(ctx, "resources");
    const { config, listingWorker, observers, trash } = ctx.state.cubby;
    const access = accessFor(ctx);
    const { signal } = ctx.req;
    if (preferenceOf(ctx.req).isAsync) {
      return await answerByJob(ctx, wantsTrash(ctx) ? "trash" : "delete", { path, to: null });
    }
    const headers = new Headers();
    const remove = async () => {
      if (!wantsTrash(ctx)) {
        return await removeEntry(access, listingWorker, path, signal, observers);
      }
      const { id } = await trash.discard(access, signedInOf(ctx).user.id, path, signal);
      headers.set("content-location", `${ctx.config.basePath}/api/trash/${id}`);
    };
    const file = () => access.remove(path).real;
    const action = wantsTrash(ctx) ? "trash" : "delete";
    await hooked(ctx, { event: "delete", action, access, path, file }, remove);
    const isEmpty = config.apiCompat === "2.63";
    return isEmpty ? new Response(null, { status: 204, headers }) : textAnswer("OK\n", { headers });
  },
});

/**
 * Answers with all entries below a folder, as one array that is sent while the folder is walked.
 */
async function treeAnswer(ctx: Context<State>, folder: EntryPath): Promise<Response> {
  const access = accessFor(ctx);
  access.folder(folder);
  await reserveMemory(ctx, heldBySearch);
  const { listingWorker } = ctx.state.cubby;
  return jsonTextAnswer(await listingWorker.tree(access, folder, ctx.req.signal));
}
