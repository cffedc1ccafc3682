import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath } from "../../../shared/path.ts";
import { wholeNumber } from "../../../shared/whole_number.ts";
import type { Access } from "../../core/access/access.ts";
import type { Checksums } from "../../features/dav/file_checksums.ts";
import { UploadChecksum } from "../../features/dav/upload_checksum.ts";
import { DavRefusal } from "../../features/dav/dav_refusal.ts";
import { entryAt, replacingNothing, requireParent } from "../../features/dav/places.ts";
import { etagOf } from "../../files/content/open_content.ts";
import type { ChunkedUploader } from "../../files/upload/chunked/chunked_uploads.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor, rightsConfirmed } from "../request/access_for.ts";
import { hooked } from "../request/hooked.ts";
import { recordUse } from "../request/place_requests.ts";
import { begunBy } from "../request/uploads/write_file.ts";
import { destinationOf } from "./dav_address.ts";
import { checkConditions, modifiedHeader, wantsNone, writtenAnswer } from "./dav_files.ts";
import { passLocks } from "./dav_locks.ts";
import { davMethods } from "./dav_methods.ts";
import { listCollection, namesBelow, notFoundError, type Resource } from "./own_collections.ts";

/*
 * Uploads in chunks, as clients of Nextcloud and ownCloud send them: MKCOL of a folder with a name
 * of their own, PUT of each chunk into it, MOVE of the `.file` in it, which is all of them, to its
 * place. PROPFIND of the folder tells what has come, to go on after a break.
 */

/** The collection. */
const kind = "uploads";

/** The name of the whole file in the folder of an upload. */
const wholeName = ".file";

/** Names of chunks: their number, their offset, or their first and last offset. */
const chunkNames = /^\d{1,20}(?:-\d{1,20})?$/;

/** The longest name of an upload, in characters: clients use random numbers. */
const maxNameLength = 255;

/** Uploads in chunks, below `/remote.php/dav/uploads/{user}`. */
export const uploadsByDav = davMethods({
  PUT: putChunk,
  DELETE: dropUpload,
  PROPFIND: listChunks,
  MKCOL: beginUpload,
  MOVE: finishUpload,
});

async function beginUpload(ctx: Context<State>): Promise<Response> {
  const [name, ...more] = namesBelow(ctx, kind);
  if (name === undefined || more.length > 0 || name.length > maxNameLength) {
    throw new DomainError("forbidden", "Cannot begin the upload: its name is missing or too long");
  }
  const access = accessFor(ctx);
  const { headers } = ctx.req;
  const path = headers.has("destination") ? await targetOf(ctx, access) : undefined;
  const { chunkedUploads, trash } = ctx.state.cubby;
  const { id: userId } = signedInOf(ctx).user;
  const draft = { userId, chunks: name, path, length: totalLength(headers), begun: begunBy(ctx) };
  if (!await chunkedUploads.begin(access, draft, trash.formerFilesOf(userId))) {
    const message = `Cannot begin the upload "${name}": it has begun`;
    throw new DavRefusal("name_taken", "exists", message);
  }
  return new Response(null, { status: 201 });
}

async function putChunk(ctx: Context<State>): Promise<Response> {
  const [chunks, name = "", ...more] = namesBelow(ctx, kind);
  if (chunks === undefined || more.length > 0 || !chunkNames.test(name)) {
    throw new DomainError("invalid_option", `Cannot write the chunk "${name}": expected a number`);
  }
  const { headers, body, signal } = ctx.req;
  const length = wholeNumber(
    headers.get("content-length") ?? headers.get("x-expected-entity-length") ?? "",
  );
  if (length === undefined) {
    const reason = "its length is missing: send Content-Length";
    throw new DomainError("invalid_option", `Cannot write the chunk "${name}": ${reason}`);
  }
  const offset = lengthIn(headers, "oc-chunk-offset");
  const chunk = { name, body, length, offset, signal };
  const { chunkedUploads } = ctx.state.cubby;
  const isNew = await chunkedUploads.receive(accessFor(ctx), uploaderOf(ctx, chunks), chunk);
  return new Response(null, { status: isNew ? 201 : 204 });
}

async function dropUpload(ctx: Context<State>): Promise<Response> {
  const [chunks, name, ...more] = namesBelow(ctx, kind);
  if (chunks === undefined || more.length > 0) throw notFoundError();
  const { chunkedUploads } = ctx.state.cubby;
  const [access, uploader] = [accessFor(ctx), uploaderOf(ctx, chunks)];
  if (name === undefined || name === wholeName) await chunkedUploads.drop(access, uploader);
  else await chunkedUploads.remove(access, uploader, name);
  return new Response(null, { status: 204 });
}

async function listChunks(ctx: Context<State>): Promise<Response> {
  const [chunks, name, ...more] = namesBelow(ctx, kind);
  const { chunkedUploads } = ctx.state.cubby;
  if (more.length > 0) throw notFoundError();
  if (chunks === undefined) {
    const names = await chunkedUploads.names(uploaderOf(ctx, ""));
    const members = names.map((each) => ({ segments: [each], isCollection: true }));
    const itself = { segments: [], isCollection: true };
    return await listCollection(ctx, kind, itself, () => Promise.resolve(members));
  }
  const come = await chunkedUploads.list(accessFor(ctx), uploaderOf(ctx, chunks));
  const members = come.map((chunk): Resource => ({
    segments: [chunks, chunk.name],
    properties: {
      "d:getcontentlength": String(chunk.length),
      "d:getlastmodified": new Date(chunk.at).toUTCString(),
    },
  }));
  const one = members.find(({ segments }) => segments[1] === name);
  if (name !== undefined && !one) throw notFoundError();
  const itself = one ?? { segments: [chunks], isCollection: true };
  return await listCollection(ctx, kind, itself, () => Promise.resolve(one ? [] : members));
}

/** MOVE: 201 for a new file, 204 where another was replaced, or has its name already. */
async function finishUpload(ctx: Context<State>): Promise<Response> {
  const [chunks, name, ...more] = namesBelow(ctx, kind);
  if (chunks === undefined || name !== wholeName || more.length > 0) {
    const reason = `only "${wholeName}" in an upload can be moved`;
    throw new DomainError("forbidden", `Cannot move "${name ?? ""}": ${reason}`);
  }
  const { req, state: { cubby } } = ctx;
  const { headers } = req;
  const access = accessFor(ctx);
  const uploader = uploaderOf(ctx, chunks);
  const { path } = destinationOf(ctx);
  const done = await cubby.chunkedUploads.findDone(access, uploader, path);
  if (done !== null) return await writtenAnswer(ctx, access, path, { etag: done, isNew: false });

  const check = () => targetOf(ctx, access);
  await check();
  const there = entryAt(access, path);
  const isNew = there === null || there.isBroken;
  const need = (now: Access) => isNew ? now.create(path) : now.modify(path);
  const confirm = rightsConfirmed(ctx, need, async () => void await check());
  const about = {
    event: isNew ? "upload" : "save",
    ...{ access, path, file: () => need(access).real, isLockChecked: true },
  } as const;
  let sums: Checksums = {};
  const sent = UploadChecksum.read(headers.get("oc-checksum"));
  const checksum = sent && {
    adopt: sent.adopt.bind(sent),
    update: (piece: Uint8Array<ArrayBuffer>) => sent.update(piece),
    verify: (action: string) => void (sums = sent.verify(action)),
  };
  const hasCondition = headers.has("if") || headers.has("if-match");
  const end = {
    ...{ path, length: totalLength(headers), checksum },
    modified: modifiedHeader(req),
    mayReplace: mayOverwrite(headers) && access.may("modify"),
    ifMatch: hasCondition && there?.isFile ? etagOf(there.info) : undefined,
    formerFiles: cubby.trash.formerFilesOf(uploader.userId),
    async around<T>(finish: () => Promise<T>) {
      await confirm();
      return await hooked(ctx, about, finish);
    },
  };
  const finish = () => cubby.chunkedUploads.finish(access, uploader, end);
  const { etag, written } =
    await (mayOverwrite(headers) ? finish() : replacingNothing(access, path, finish));
  if (written) recordUse(ctx, path, isNew ? "uploaded" : "changed", written.place);
  return await writtenAnswer(ctx, access, path, { ...written, etag, isNew, sums });
}

/**
 * The target of an upload, by `Destination`, with all that may refuse it.
 *
 * @throws DavRefusal `is_collection`, `not_overwritten`, `no_parent`, `condition_failed`, `locked`
 * @throws DomainError `forbidden`, `read_only`
 */
async function targetOf(ctx: Context<State>, access: Access): Promise<EntryPath> {
  const { path, folder } = destinationOf(ctx);
  const action = `Cannot write "${path}"`;
  const there = entryAt(access, path);
  if (folder || there?.isFolder) {
    const message = `${action}: it is a folder, or a folder's path`;
    throw new DavRefusal("is_collection", "is_folder", message);
  }
  if (there && !mayOverwrite(ctx.req.headers)) {
    throw new DavRefusal("not_overwritten", "exists", `${action}: the name is taken`);
  }
  if (there && !there.isBroken) access.modify(path);
  else access.create(path);
  checkConditions(ctx, there);
  if (!there) requireParent(access, path);
  const pass = await passLocks(ctx, access);
  await pass.assertFree(action, { place: access.placeAt(path), isMember: there === null });
  return path;
}

function mayOverwrite(headers: Headers): boolean {
  return !wantsNone(headers) && (headers.get("overwrite") ?? "T").trim().toUpperCase() !== "F";
}

function uploaderOf(ctx: Context<State>, chunks: string): ChunkedUploader {
  const { user, token } = signedInOf(ctx);
  return { userId: user.id, chunks, tokenId: token?.id };
}

/** The length of the whole file, in bytes, if the client tells it. */
function totalLength(headers: Headers): number | undefined {
  return lengthIn(headers, "oc-total-length");
}

function lengthIn(headers: Headers, name: string): number | undefined {
  return wholeNumber(headers.get(name)?.trim() ?? "");
}
