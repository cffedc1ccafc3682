import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { encodePath, type EntryPath, ROOT, segmentsOf } from "../../../shared/path.ts";
import { serverPath } from "../../features/audit/server_path.ts";
import type { State } from "../define.ts";
import { saveText } from "../../files/content/save_text.ts";
import { saveFile } from "../../files/upload/upload.ts";
import { makeFolder } from "../../files/make_folder.ts";
import { moveEntry } from "../../files/transfer/start_transfer.ts";
import { type Hooked, transferHooks, withHooks } from "../../features/commands/hooks.ts";
import { refuseLocked } from "../../features/commands/refuse_locked.ts";
import { visitorInLog } from "../../features/audit/record.ts";
import { visitorId } from "../../features/links/shares/share.ts";
import { recordActivity } from "./activities.ts";
import { accessToShareNow, type Changer, type ShareVisit, visitToEdit } from "./share_requests.ts";
import { transferOptions, uploadOptions } from "./transfer_options.ts";

/** Somebody who changes what is shared, and the entry that the address names. */
type Edit = ShareVisit & Changer;

/**
 * Gives a file new content, stored in another encoding if the query names one; the former one is
 * kept as a version of the owner's, as the settings say.
 *
 * @throws DomainError as `visitToEdit()` and `saveFile()`
 */
export async function saveShared(ctx: Context<State>): Promise<{ etag: string }> {
  const edit = await visitToEdit(ctx, "public/share");
  const { access, path, owner, share } = edit;
  const formerFiles = ctx.state.cubby.trash.formerFilesOf(owner.id);
  const file = () => access.modify(path).real;
  const save = { event: "save", access, path, file } as const;
  const confirm = async () => {
    (await accessToShareNow(ctx, share, "edit")).modify(path);
    await refuseLocked(ctx.state.cubby, "save", { ...save, ...actingOf(ctx, edit) });
  };
  const options = { ...uploadOptions(ctx.req), formerFiles, confirm };
  const encoding = ctx.url.searchParams.get("encoding");
  return await hookedByShare(
    ctx,
    edit,
    save,
    () =>
      encoding === null
        ? saveFile(access, path, ctx.req, options)
        : saveText(access, path, ctx.req.body, encoding, options),
  );
}

/** Makes a folder. @throws DomainError as `visitToEdit()` and `makeFolder()` */
export async function makeSharedFolder(ctx: Context<State>): Promise<void> {
  const edit = await visitToEdit(ctx, "public/share");
  const { access, path } = edit;
  if (await makeFolder(access, path)) recordChange(ctx, edit, "mkdir", path);
}

/**
 * Renames or moves an entry within the share. A file may take the place of another, which is kept
 * as {@linkcode saveShared} does; folders are never merged, as what that replaces would be lost.
 *
 * @returns where it is now, in the share
 * @throws DomainError as `visitToEdit()` and `moveEntry()`; `invalid_option` for a copy
 */
export async function moveShared(ctx: Context<State>): Promise<string> {
  const edit = await visitToEdit(ctx, "public/share");
  const { access, path, owner } = edit;
  const { action, to, rename, override } = transferOptions(ctx.url);
  if (action !== "move") {
    throw new DomainError("invalid_option", `Cannot copy "${path}": a share allows only rename`);
  }
  const { observers, transferWorker, trash } = ctx.state.cubby;
  const terms = {
    rename,
    override: override && !access.rename(path).isFolder,
    observers,
    formerFiles: trash.formerFilesOf(owner.id),
    signal: ctx.req.signal,
  };
  const arrived = await hookedByShare(
    ctx,
    edit,
    transferHooks(access, "move", path, to),
    () => moveEntry(access, transferWorker, path, to, terms),
  );
  return placeIn(ctx, edit, arrived);
}

/**
 * Moves an entry to the owner's trash, whatever the settings say: by a share nothing is deleted for
 * good.
 *
 * @returns the address by which the same recipient puts it back, or a visitor who knows it
 * @throws DomainError as `visitToEdit()` and `Trash.discard()`
 */
export async function discardShared(ctx: Context<State>): Promise<string> {
  const edit = await visitToEdit(ctx, "public/share");
  const { access, address, owner, path } = edit;
  const { trash } = ctx.state.cubby;
  const { signal } = ctx.req;
  const file = () => access.remove(path).real;
  const { id } = await hookedByShare(
    ctx,
    edit,
    { event: "delete", action: "trash", access, path, file },
    () => trash.discard(access, owner.id, path, signal, undefined, trashedBy(edit)),
  );
  return `${ctx.config.basePath}/api/public/trash/${encodeURIComponent(address)}/${id}`;
}

/**
 * Puts an entry back that the same recipient, or a visitor, has deleted by the same share. Of what
 * visitors delete, nobody but the one who did has the id, which is random.
 *
 * @returns where it is now, in the share
 * @throws DomainError as `visitToEdit()`; `not_found`, also for what was deleted by others
 */
export async function restoreShared(ctx: Context<State>): Promise<string> {
  const edit = await visitToEdit(ctx, "public/trash");
  const { access, owner } = edit;
  const [id = ""] = segmentsOf(edit.path);
  const path = await ctx.state.cubby.trash.restore(access, owner.id, id, false, trashedBy(edit));
  recordChange(ctx, edit, "restore", path);
  return placeIn(ctx, edit, path);
}

/**
 * Runs a change between the commands that are hooked to it, which run as for the owner; the activity
 * log names the recipient and the share.
 */
async function hookedByShare<T>(
  ctx: Context<State>,
  edit: Edit,
  { event, ...about }: Hooked<T>,
  change: () => Promise<T>,
): Promise<T> {
  return await withHooks(ctx.state.cubby, event, { ...about, ...actingOf(ctx, edit) }, change);
}

function actingOf(
  { state: { address } }: Context<State>,
  { owner, settings, by, visitor, share }: Edit,
) {
  const doer = by ? { by } : { visitor };
  return { signedIn: { user: owner, settings }, ...doer, share: share.hash, address };
}

function trashedBy({ by, share }: Edit) {
  return { userId: by?.id ?? visitorId, share: share.hash };
}

function recordChange(
  ctx: Context<State>,
  { access, by, settings, share, visitor }: Edit,
  action: "mkdir" | "restore",
  path: EntryPath,
): void {
  ctx.state.cubby.notifyChanged(access, path);
  const user = by ? { id: by.id, name: by.username } : visitorInLog(visitor);
  const about = { path: serverPath(access, path), subject: share.hash };
  recordActivity(ctx, action, { ...about, settings, user });
}

function placeIn({ config }: Context<State>, { address }: Edit, path: EntryPath): string {
  const behind = path === ROOT ? "" : encodePath(path);
  return `${config.basePath}/api/public/share/${encodeURIComponent(address)}${behind}`;
}
