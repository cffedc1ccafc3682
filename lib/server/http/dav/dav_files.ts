import { earliestTime, latestTime } from "../../../shared/time.ts";
import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parentOf } from "../../../shared/path.ts";
import { wholeNumber } from "../../../shared/whole_number.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import { isGoneWithEntry } from "../../features/dav/companion_moves.ts";
import { DavRefusal } from "../../features/dav/dav_refusal.ts";
import { assertWhole } from "../../features/dav/depth.ts";
import { entryAt, replacingNothing, requireParent } from "../../features/dav/places.ts";
import { keyOf } from "../../features/dav/propfind.ts";
import type { State } from "../define.ts";
import { contentInfo, etagOf, openContent, statContent } from "../../files/content/open_content.ts";
import { makeFolder } from "../../files/make_folder.ts";
import { removeEntry } from "../../files/remove.ts";
import { saveFile, uploadFile, type Written } from "../../files/upload/upload.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor, rightsConfirmed } from "../request/access_for.ts";
import { hooked } from "../request/hooked.ts";
import { recordCreated, recordDownload } from "../request/activities.ts";
import { recordUse } from "../request/place_requests.ts";
import { evaluateConditions } from "../request/preconditions.ts";
import { uploadOptions } from "../request/transfer_options.ts";
import { wantsTrash } from "../request/trash_requests.ts";
import { textAnswer } from "../response/answers.ts";
import { refuseAsCode } from "../response/downloads.ts";
import { offloadTarget } from "../response/offload.ts";
import { sendFile } from "../response/send_file.ts";
import { checksumText, clientTime, creationTime } from "../../features/dav/client_properties.ts";
import type { Checksums } from "../../features/dav/file_checksums.ts";
import { UploadChecksum } from "../../features/dav/upload_checksum.ts";
import { identityHeaders } from "./client_requests.ts";
import { davPath, isForClients } from "./dav_address.ts";
import { passLocks } from "./dav_locks.ts";

/** Told to a browser that opens a folder: it is no page. */
const FOLDER_TEXT = "This address is for WebDAV: add it to a file manager as a network drive\n";

/** GET and HEAD: a file as a download has it; of a folder a sentence. */
export async function sendEntry(ctx: Context<State>): Promise<Response> {
  const { req } = ctx;
  refuseAsCode(req);
  const access = accessFor(ctx);
  const { path } = davPath(ctx);
  const entry = access.stat(path);
  if (entry.isFolder) {
    const headers = { "content-length": String(FOLDER_TEXT.length) };
    return textAnswer(req.method === "HEAD" ? "" : FOLDER_TEXT, { headers });
  }
  const known = await contentHeaders(ctx, access, entry);
  const content = req.method === "HEAD"
    ? statContent(access, path)
    : await openContent(access, path);
  const answer = await sendFile(req, content, { inline: false, offload: offloadTarget(ctx) });
  if (answer.ok) recordDownload(ctx, access, path);
  // Another file may have got its name meanwhile.
  const isSame = known["oc-etag"] === content.etag;
  for (const [name, value] of isSame ? Object.entries(known) : []) answer.headers.set(name, value);
  if (isForClients(ctx) && answer.headers.has("last-modified")) {
    answer.headers.set("last-modified", clientTime(content.modified).toUTCString());
  }
  return answer;
}

/** PUT: writes a file, as the API does: whole or not at all, and a former one is kept as a version. */
export async function putFile(ctx: Context<State>): Promise<Response> {
  const { req, state } = ctx;
  const { path, folder } = davPath(ctx);
  if (req.headers.has("content-range")) {
    throw new DomainError(
      "invalid_option",
      `Cannot write a part of "${path}": send the whole file`,
    );
  }
  const access = accessFor(ctx);
  const sought = access.seek(path);
  const { there, place } = sought;
  if (folder || there?.isFolder) {
    const message = `Cannot write "${path}": it is a folder, or a folder's path`;
    throw new DavRefusal("is_collection", "is_folder", message);
  }
  checkConditions(ctx, there);
  const first = firstMade(ctx, access, path);
  if (first === path) requireParent(access, path, sought);
  const pass = await passLocks(ctx, access);
  const change = {
    place: first === path ? place : access.placeAt(first),
    isMember: there === null,
  };
  const assertUnlocked = () => pass.assertFree(`Cannot write "${path}"`, change);
  await assertUnlocked();
  const assertStill = () => pass.assertHolds().then(assertUnlocked);

  const isNew = there === null || there.isBroken;
  const modified = modifiedHeader(req);
  const formerFiles = state.cubby.trash.formerFilesOf(signedInOf(ctx).user.id);
  const need = (now: Access) => isNew ? now.create(path) : now.modify(path);
  const confirmRights = rightsConfirmed(ctx, need, assertStill);
  const checksum = UploadChecksum.read(req.headers.get("oc-checksum"));
  let sums: Checksums = {};
  const confirm = async () => {
    if (checksum) sums = checksum.verify(`Cannot write "${path}"`);
    await confirmRights();
  };
  const onPiece = checksum ? checksum.update.bind(checksum) : undefined;
  const options = { ...davUploadOptions(req), modified, formerFiles, onPiece, confirm };
  const override = !wantsNone(req.headers);
  const write = async () =>
    isNew
      ? await uploadFile(access, path, req, { ...options, override })
      : await saveFile(access, path, req, options);
  const file = () => need(access).real;
  const written = await hooked(
    ctx,
    { event: isNew ? "upload" : "save", access, path, file, isLockChecked: true },
    () => override ? write() : replacingNothing(access, path, write),
  );
  recordUse(ctx, path, isNew ? "uploaded" : "changed", written.place);
  return await writtenAnswer(ctx, access, path, { ...written, isNew, sums });
}

/** A file that a client has written. */
interface WrittenFile extends Partial<Written> {
  etag: string;
  isNew: boolean;
  /** Those that came with it, which it has. */
  sums?: Checksums;
}

/**
 * Keeps what a client tells of a file, and answers.
 *
 * @param file without its place if it was written by an earlier request
 */
export async function writtenAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  { etag, place, isNew, sums = {} }: WrittenFile,
): Promise<Response> {
  const headers: Record<string, string> = { etag };
  if (place !== undefined) await keepChecksums(ctx, access, path, { etag, place }, sums);
  if (isForClients(ctx)) {
    const created = place === undefined ? {} : await keepCreationTime(ctx, place);
    const identity = await identityHeaders(ctx, access, path);
    Object.assign(headers, identity, created, { "oc-etag": etag });
  }
  if (modifiedHeader(ctx.req) !== undefined) headers["x-oc-mtime"] = "accepted";
  return new Response(null, { status: isNew ? 201 : 204, headers });
}

/** The headers by which clients of Nextcloud have missing parent folders made on the way. */
const makesParents = ["x-nc-webdav-automkcol", "x-nc-webdav-auto-mkcol"];

/** The outermost entry that a PUT makes: the file, or a folder on its way if the client asks so. */
function firstMade(ctx: Context<State>, access: Access, path: EntryPath): EntryPath {
  const { headers } = ctx.req;
  if (!isForClients(ctx) || !makesParents.some((name) => headers.get(name) === "1")) return path;
  let first = path;
  while (access.seek(first).lacksParent) first = parentOf(first);
  return first;
}

/**
 * DELETE: to the trash where deletions go there, as with the API. Those of clients that sync do, on
 * disks that have one: a client deletes a folder with what came into it since it looked.
 */
export async function deleteEntry(ctx: Context<State>): Promise<Response> {
  const { path } = davPath(ctx);
  const { listingWorker, observers, trash } = ctx.state.cubby;
  const access = accessFor(ctx);
  const { signal, headers } = ctx.req;
  const refusal = `Cannot delete "${path}"`;
  if (!hasConditions(headers) && isGoneWithEntry(access, path)) {
    access.need(refusal, "delete");
    return new Response(null, { status: 204 });
  }
  const { belowRoot } = access.remove(path);
  const there = entryAt(access, path);
  if (there?.isFolder) assertWhole(headers.get("depth"), refusal);
  checkConditions(ctx, there);
  const pass = await passLocks(ctx, access);
  const change = { place: belowRoot, isDeep: true, isMember: true };
  await pass.assertFree(refusal, change);
  const file = () => access.remove(path).real;
  const remove = async (isKept: boolean) => {
    const action = isKept ? "trash" : "delete";
    const about = { event: "delete", action, access, path, file, isLockChecked: true } as const;
    await hooked(ctx, about, async () => {
      if (!isKept) await removeEntry(access, listingWorker, path, signal, observers);
      else await trash.discard(access, signedInOf(ctx).user.id, path, signal);
    });
  };
  try {
    await remove(wantsTrash(ctx, isForClients(ctx)));
  } catch (error) {
    const isNone = error instanceof DomainError && error.code === "no_trash";
    if (!isNone || wantsTrash(ctx)) throw error;
    await remove(false);
  }
  return new Response(null, { status: 204 });
}

function hasConditions(headers: Headers): boolean {
  return ["if", "if-match", "if-unmodified-since"].some((name) => headers.has(name));
}

/** MKCOL: makes one folder, and none on the way. */
export async function makeCollection(ctx: Context<State>): Promise<Response> {
  const { path } = davPath(ctx);
  const access = accessFor(ctx);
  if (await hasBody(ctx.req)) {
    const message = `Cannot make the folder "${path}": this method takes no body`;
    throw new DavRefusal("unknown_body", "wrong_content_type", message);
  }
  const there = entryAt(access, path);
  if (!there) requireParent(access, path);
  if (there?.isFolder && there.isLink && isForClients(ctx)) {
    // Listings leave it out. After "the name is taken", a client would take it for its own folder,
    // and replace files in another one that it has not seen there.
    const message = `Cannot make the folder "${path}": the name is that of a linked folder`;
    throw new DomainError("forbidden", message);
  }
  const pass = await passLocks(ctx, access);
  const change = { place: access.placeAt(path), isMember: true };
  await pass.assertFree(`Cannot create "${path}"`, change);
  if (there || !await makeFolder(access, path)) {
    const message = `Cannot make the folder "${path}": the name is taken`;
    throw new DavRefusal("name_taken", "exists", message);
  }
  recordCreated(ctx, access, path);
  return new Response(null, { status: 201, headers: await identityHeaders(ctx, access, path) });
}

/** The headers that clients read with the content of a file, besides those of a download. */
async function contentHeaders(
  ctx: Context<State>,
  access: Access,
  entry: EntryHandle,
): Promise<Record<string, string>> {
  const headers = await identityHeaders(ctx, access, entry.path);
  const { fileChecksums } = ctx.state.cubby;
  if (headers["oc-etag"] !== etagOf(entry.info)) return {};
  const place = access.placeOf(entry);
  const [sums = null] = await fileChecksums?.known([{ place, info: entry.info }]) ?? [];
  const checksum = sums ? checksumText(sums).split(" ")[0] : undefined;
  return { ...headers, ...checksum && { "oc-checksum": checksum } };
}

/**
 * Keeps the time at which a file was made, as apps for phones tell it of photos.
 *
 * @param place the file below the server root
 * @returns the header by which they know
 */
async function keepCreationTime(
  ctx: Context<State>,
  place: EntryPath,
): Promise<Record<string, string>> {
  const time = clientsTime(ctx.req.headers.get("x-oc-ctime"));
  if (time === undefined || time < 0) return {};
  const property = creationTime(time);
  const { deadProperties } = ctx.state.cubby;
  await deadProperties.change(place, (before) => [
    ...before.filter((each) => keyOf(each) !== keyOf(property)),
    property,
  ]);
  return { "x-oc-ctime": "accepted" };
}

/** Keeps the checksum of a file that has come, unless another one has its name by now. */
async function keepChecksums(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  { etag, place }: Written,
  sums: Checksums,
): Promise<void> {
  const { fileChecksums } = ctx.state.cubby;
  if (!fileChecksums || Object.keys(sums).length === 0) return;
  const entry = entryAt(access, path);
  if (entry && etagOf(entry.info) === etag) await fileChecksums.note(place, entry.info, sums);
}

/**
 * The preconditions of a change (RFC 9110, 13): `If-Match`, `If-None-Match` and the like.
 *
 * @param there the entry as it is now; null for none
 * @throws DavRefusal `condition_failed`
 */
export function checkConditions(
  { req: { headers } }: Context<State>,
  there: EntryHandle | null,
): void {
  const file = there?.isFile ? contentInfo(there.name, there.info) : null;
  const holds = file
    ? evaluateConditions(headers, file) === "proceed"
    : !headers.has("if-match") && !(there && wantsNone(headers));
  if (holds) return;
  const message = "Cannot change the entry: it has changed";
  throw new DavRefusal("condition_failed", "precondition_failed", message);
}

/** Whether a request may replace nothing (RFC 9110, 13.1.2). */
export function wantsNone(headers: Headers): boolean {
  return headers.get("if-none-match")?.trim() === "*";
}

/**
 * Finder and clients of ownCloud send bodies without `Content-Length` but with a header of their
 * own: so a body that breaks off, or has no room, is noticed.
 */
function davUploadOptions(req: Request) {
  const options = uploadOptions(req);
  const announced = req.headers.get("x-expected-entity-length") ??
    req.headers.get("oc-total-length") ?? "";
  return { ...options, expectedLength: options.expectedLength ?? wholeNumber(announced) };
}

/** The time that clients of ownCloud, and rclone, give a file: in seconds since 1970. */
export function modifiedHeader({ headers }: Request): number | undefined {
  return clientsTime(headers.get("x-oc-mtime"));
}

/** A time as clients send it: in seconds since 1970; undefined for what is none. */
export function clientsTime(text: string | null | undefined): number | undefined {
  const seconds = /^(-?\d{1,12})(?:\.\d*)?$/.exec(text?.trim() ?? "")?.[1];
  const time = Number(seconds) * 1000;
  return time >= earliestTime && time <= latestTime ? time : undefined;
}

async function hasBody({ headers, body }: Request): Promise<boolean> {
  const length = headers.get("content-length");
  if (length !== null) return length !== "0";
  if (!body) return false;
  const reader = body.getReader();
  const { done, value } = await reader.read();
  await reader.cancel();
  return !done && value.length > 0;
}
