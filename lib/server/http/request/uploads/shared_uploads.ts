import type { Context } from "fresh";
import { DomainError } from "../../../../shared/errors.ts";
import { childOf, encodePath, type EntryPath, joinPaths } from "../../../../shared/path.ts";
import type { State } from "../../define.ts";
import { freePath } from "../../../files/upload/free_path.ts";
import type { PartBody } from "../../../files/upload/part_file.ts";
import type { Naming } from "../../../files/upload/upload_ends.ts";
import type { Uploader, UploadState } from "../../../files/upload/upload_parts.ts";
import { withHooks } from "../../../features/commands/hooks.ts";
import { receivedPath } from "../../../features/links/requests/received_path.ts";
import { makeCapability } from "../../../features/links/link_terms.ts";
import { recipientUpload } from "../../../features/links/shares/recipient_uploads.ts";
import { visitorId } from "../../../features/links/shares/share.ts";
import { accessToShareNow, type Changer, type ShareVisit, visitToAdd } from "../share_requests.ts";
import { metadataText, metadataTime, uploadLength } from "./tus.ts";

/** Somebody who adds to a share, and the upload that the address names. */
interface SharedUpload {
  visit: ShareVisit & Changer;
  path: EntryPath;
  id: string;
}

/**
 * Begins the upload of a file that somebody adds to a shared folder. It gets a name that is free
 * by then: nothing that is there is replaced.
 *
 * @throws DomainError as `visitToAdd()`, `RecipientUploads.admitVisitor()` and `ResumableUploads.begin()`; `invalid_option` without a name
 */
export async function beginShared(
  ctx: Context<State>,
): Promise<{ upload: SharedUpload; state: UploadState; location: string }> {
  const visit = await visitToAdd(ctx);
  const { access, address } = visit;
  if (!visit.by) await ctx.state.cubby.recipientUploads.admitVisitor(visit.share);
  const name = metadataText(ctx.req, "filename");
  const names = name.split("/").filter((part) => part !== "");
  if (names.length === 0) {
    throw new DomainError("invalid_option", "Cannot read Upload-Metadata: the filename is missing");
  }
  // What the owner has denied or hidden is refused, not renamed.
  access.check(names.reduce(childOf, visit.path), "Cannot add to the share");
  const path = freePath(access, joinPaths(visit.path, receivedPath(name, "", Date.now())));
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

/**
 * How much of it has come. One that has all its bytes gets its name first.
 *
 * @throws DomainError as `ResumableUploads.state()`
 */
export async function sharedState(
  ctx: Context<State>,
  upload: SharedUpload,
): Promise<UploadState> {
  const { visit: { access }, path } = upload;
  return await ctx.state.cubby.uploads.state(
    access,
    uploaderOf(upload),
    path,
    namingShared(ctx, upload),
  );
}

/** Adds bytes. @throws DomainError as `ResumableUploads.append()` */
export async function appendShared(
  ctx: Context<State>,
  upload: SharedUpload,
  bytes: PartBody,
): Promise<UploadState> {
  const { visit: { access }, path } = upload;
  const naming = namingShared(ctx, upload);
  return await ctx.state.cubby.uploads.append(access, uploaderOf(upload), path, bytes, naming);
}

/**
 * The commands hooked to uploads run as for the owner; the activity log names the one who adds.
 */
function namingShared(
  ctx: Context<State>,
  { visit: { access, owner, settings, share, by, visitor }, path: wanted }: SharedUpload,
): Naming {
  const { cubby, address } = ctx.state;
  const doer = by ? { by } : { visitor };
  const acting = { signedIn: { user: owner, settings }, ...doer, share: share.hash, address };
  return {
    async around(finish) {
      const path = freePath(access, wanted);
      (await accessToShareNow(ctx, share, "upload")).create(path);
      const file = () => access.create(path).real;
      return await withHooks(cubby, "upload", { ...acting, access, path, file }, finish);
    },
  };
}

/** Drops an upload with all that has come. @throws DomainError `not_found`, `locked` */
export async function dropShared(
  { state: { cubby } }: Context<State>,
  upload: SharedUpload,
): Promise<void> {
  await cubby.uploads.drop(upload.visit.access, uploaderOf(upload), upload.path);
}

/** No other recipient goes on with it, no visitor without its random id, and by no other share. */
function uploaderOf({ visit: { share, by }, id }: SharedUpload): Uploader {
  return { userId: share.userId, upload: recipientUpload(share.hash, by?.id ?? visitorId, id) };
}
