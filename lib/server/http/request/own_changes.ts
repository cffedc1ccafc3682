import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { transferHooks } from "../../features/commands/hooks.ts";
import { saveText } from "../../files/content/save_text.ts";
import { makeFolder } from "../../files/make_folder.ts";
import { removeEntry } from "../../files/remove.ts";
import { type LeftOut, LeftOutNote } from "../../files/transfer/progress.ts";
import { copyEntry, moveEntry } from "../../files/transfer/start_transfer.ts";
import { saveFile } from "../../files/upload/upload.ts";
import type { State } from "../define.ts";
import { notedUpload } from "../jobs/job_requests.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor, rightsConfirmed } from "./access_for.ts";
import { recordCreated } from "./activities.ts";
import { assertUnlocked, hooked } from "./hooked.ts";
import { recordUse } from "./place_requests.ts";
import { flagOption } from "./query.ts";
import { requestPath } from "./request_path.ts";
import { type TransferQuery, uploadOptions } from "./transfer_options.ts";
import { wantsTrash } from "./trash_requests.ts";
import { modifiedOption } from "./uploads/tus.ts";
import { writeFile } from "./uploads/write_file.ts";

/**
 * Makes a user's folder, for a path with a slash at its end, or writes the body of the request into
 * a file.
 *
 * @returns the ETag of the file; null for a folder
 * @throws DomainError as `makeFolder()` and `writeFile()`
 */
export async function createOwn(ctx: Context<State>): Promise<string | null> {
  const { path, folder } = requestPath(ctx, "resources");
  const access = accessFor(ctx);
  const { formerFiles, note, recordFolder } = notedUpload(ctx, path);
  if (folder) {
    if (await makeFolder(access, path)) {
      recordCreated(ctx, access, path);
      await recordFolder();
    }
    return null;
  }
  const override = flagOption(ctx.url.searchParams, "override");
  const modified = modifiedOption(ctx.url.searchParams);
  const options = { ...uploadOptions(ctx.req), override, modified };
  return await writeFile(ctx, access, path, ctx.req, { formerFiles, note }, options);
}

/**
 * Gives a user's file the body of the request as its content, stored in another encoding if the
 * query names one.
 *
 * @returns the ETag of the file
 * @throws DomainError as `saveFile()`, `saveText()` and `hooked()`; `invalid_path` for a folder's path
 */
export async function saveOwn(ctx: Context<State>): Promise<string> {
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
  const { etag, place } = await hooked(
    ctx,
    save,
    () =>
      encoding === null
        ? saveFile(access, path, ctx.req, options)
        : saveText(access, path, ctx.req.body, encoding, options),
  );
  await note(etag);
  recordUse(ctx, path, "changed", place);
  return etag;
}

/**
 * Copies or moves a user's entry. A file that is replaced is kept as a previous version.
 *
 * @returns where it is now, and what was left out of a folder
 * @throws DomainError as `copyEntry()`, `moveEntry()` and `hooked()`
 */
export async function transferOwn(
  ctx: Context<State>,
  path: EntryPath,
  { action, to, ...options }: TransferQuery,
): Promise<{ arrived: EntryPath; leftOut: LeftOut | null }> {
  const { transferWorker, observers, trash } = ctx.state.cubby;
  const access = accessFor(ctx);
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
  return { arrived, leftOut: note.leftOut };
}

/**
 * Moves a user's entry to the trash or deletes it permanently, as the query or the settings say.
 *
 * @returns the id of the entry in the trash; null where it was deleted permanently
 * @throws DomainError as `removeEntry()`, `Trash.discard()` and `hooked()`
 */
export async function removeOwn(ctx: Context<State>, path: EntryPath): Promise<string | null> {
  const { listingWorker, observers, trash } = ctx.state.cubby;
  const access = accessFor(ctx);
  const { signal } = ctx.req;
  const isKept = wantsTrash(ctx);
  const action = isKept ? "trash" : "delete";
  const file = () => access.remove(path).real;
  return await hooked(ctx, { event: "delete", action, access, path, file }, async () => {
    if (isKept) return (await trash.discard(access, signedInOf(ctx).user.id, path, signal)).id;
    await removeEntry(access, listingWorker, path, signal, observers);
    return null;
  });
}
