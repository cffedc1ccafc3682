import type { Context } from "fresh";
import { DomainError } from "../../../../shared/errors.ts";
import { childOf, encodePath, type EntryPath } from "../../../../shared/path.ts";
import type { State } from "../../../define.ts";
import { freePath } from "../../../files/upload/free_path.ts";
import type { PartBody, UploadState } from "../../../files/upload/resumable.ts";
import type { Uploader } from "../../../files/upload/upload_parts.ts";
import { withHooks } from "../../../hooks/hooks.ts";
import { makeCapability } from "../../../requests/requests.ts";
import { accessToShareNow, type ShareVisit, visitToAdd } from "../share_requests.ts";
import { metadataText, metadataTime, uploadLength } from "./tus.ts";

/** A recipient of a share, and the upload that the address names. */
interface SharedUpload {
  visit: ShareVisit & { by: { id: number; username: string } };
  path: EntryPath;
  id: string;
}

/**
 * Begins the upload of a file that a recipient adds to a shared folder. It gets a name that is free
 * by then: nothing that is there is replaced.
 *
 * @throws DomainError as `visitToAdd()` and `ResumableUploads.begin()`; `invalid_option` without a name
 */
export async function beginShared(
  ctx: Context<State>,
): Promise<{ upload: SharedUpload; state: UploadState; location: string }> {
  const visit = await visitToAdd(ctx);
  const { access, address } = visit;
  const names = metadataText(ctx.req, "filename").split("/").filter((name) => name !== "");
  if (names.length === 0) {
    throw new DomainError("invalid_option", "Cannot read Upload-Metadata: the filename is missing");
  }
  const path = freePath(access, names.reduce(childOf, visit.path));
  const upload = { visit, path, id: makeCapability() };
  const draft = {
    ...{ path, length: uploadLength(ctx.req), override: false },
    lastModified: metadataTime(ctx.req),
  };
  const state = await ctx.state.cubby.uploads.begin(access, { ...uploaderOf(upload), ...draft });
  const at = `${ctx.config.basePath}/api/public/tus/${encodeURIComponent(address)}`;
  return { upload, state, location: `${at}${encodePath(path)}?upload=${upload.id}` };
}

/**
 * The upload that an address names, for the one who has begun it.
 *
 * @throws DomainError as `visitToAdd()`
 */
export async function sharedUpload(ctx: Context<State>): Promise<SharedUpload> {
  const visit = await visitToAdd(ctx);
  return { visit, path: visit.path, id: ctx.url.searchParams.get("upload") ?? "" };
}

/** How much of it has come. @throws DomainError `not_found` */
export async function sharedState(
  { state: { cubby } }: Context<State>,
  upload: SharedUpload,
): Promise<UploadState> {
  return await cubby.uploads.state(upload.visit.access, uploaderOf(upload), upload.path);
}

/**
 * Adds bytes. The commands hooked to uploads run as for the owner; the activity log names the
 * recipient.
 *
 * @throws DomainError as `ResumableUploads.append()`
 */
export async function appendShared(
  ctx: Context<State>,
  upload: SharedUpload,
  bytes: PartBody,
): Promise<UploadState> {
  const { cubby, address } = ctx.state;
  const { visit: { access, owner, settings, share, by }, path } = upload;
  const acting = { signedIn: { user: owner, settings }, by, share: share.hash, address };
  const subject = { ...acting, access, path };
  const file = () => access.create(path).real;
  return await cubby.uploads.append(access, uploaderOf(upload), path, bytes, {
    around: async (finish) => {
      (await accessToShareNow(ctx, share, "upload")).create(path);
      return await withHooks(cubby, "upload", { ...subject, file }, finish);
    },
  });
}

/** Drops an upload with all that has come. @throws DomainError `not_found`, `locked` */
export async function dropShared(
  { state: { cubby } }: Context<State>,
  upload: SharedUpload,
): Promise<void> {
  await cubby.uploads.drop(upload.visit.access, uploaderOf(upload), upload.path);
}

/** No other recipient goes on with it, and by no other share. */
function uploaderOf({ visit: { share, by }, id }: SharedUpload): Uploader {
  return { userId: share.userId, upload: `${share.hash} ${by.id} ${id}` };
}
