import type { Context } from "fresh";
import { createHash } from "node:crypto";
import { pathIn } from "../../../shared/named_roots.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { escapeXml } from "../../features/dav/xml/write_xml.ts";
import { mediaTypeOf } from "../../files/content/types.ts";
import { listTrashed, type TrashedChild } from "../../files/trash/list_trashed.ts";
import type { TrashedEntry } from "../../files/trash/trash_records.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { recordActivity } from "../request/activities.ts";
import { davMethods } from "./dav_methods.ts";
import {
  assertUnbound,
  keptProperties,
  listCollection,
  namesBelow,
  notFoundError,
  type Resource,
  restoreKept,
  restoreName,
  sendKept,
} from "./own_collections.ts";

/*
 * The trash, as clients of Nextcloud have it: `trash` lists it, DELETE there deletes for good, and
 * a MOVE from there to `restore` puts an entry back where it was.
 */

/** The collection. */
const kind = "trashbin";

/** What the trash is called in it. */
const trashName = "trash";

/** The user's trash, below `/remote.php/dav/trashbin/{user}`. */
export const trashbinByDav = davMethods({
  GET: sendTrashed,
  DELETE: removeTrashed,
  PROPFIND: listTrash,
  MOVE: restoreEntry,
});

async function listTrash(ctx: Context<State>): Promise<Response> {
  assertUnbound(ctx);
  const [top, name, ...more] = namesBelow(ctx, kind);
  if (top === undefined || top === restoreName) {
    const segments = top === undefined ? [] : [restoreName];
    const below = top === undefined ? [trashName, restoreName] : [];
    const members = below.map((each) => ({ segments: [each], isCollection: true }));
    const itself = { segments, isCollection: true };
    return await listCollection(ctx, kind, itself, () => Promise.resolve(members));
  }
  if (top !== trashName) throw notFoundError();
  const access = accessFor(ctx);
  const { viewer } = access;
  const describe = (entry: TrashedEntry) => {
    const path = pathIn(viewer, entry.path);
    return path === null ? [] : resourceOf(entry, path);
  };
  if (name !== undefined) {
    const entry = await trashedNamed(ctx, name);
    const [deleted] = [describe(entry)].flat();
    if (!deleted) throw notFoundError();
    if (!entry.isDir && more.length > 0) throw notFoundError();
    const list = (below: readonly string[]) =>
      listTrashed(access, entry, below).map((child) =>
        childResource(entry, [...deleted.segments, ...below], child)
      );
    const last = more.at(-1);
    const itself = last === undefined
      ? deleted
      : list(more.slice(0, -1)).find(({ segments }) => segments.at(-1) === last);
    if (!itself) throw notFoundError();
    const members = () => Promise.resolve(itself.isCollection ? list(more) : []);
    return await listCollection(ctx, kind, itself, members);
  }
  const { records } = ctx.state.cubby.trash;
  const { id } = signedInOf(ctx).user;
  return await listCollection(
    ctx,
    kind,
    { segments: [trashName], isCollection: true },
    async () => (await records.list(id)).filter(({ isVersion }) => !isVersion).flatMap(describe),
  );
}

async function sendTrashed(ctx: Context<State>): Promise<Response> {
  return await sendKept(ctx, await trashedAt(ctx));
}

async function removeTrashed(ctx: Context<State>): Promise<Response> {
  assertUnbound(ctx);
  const access = accessFor(ctx);
  const { trash } = ctx.state.cubby;
  const [top, name, ...more] = namesBelow(ctx, kind);
  if (top !== trashName || more.length > 0) throw notFoundError();
  access.need("Cannot delete from the trash", "delete");
  const entries = name === undefined
    ? await trash.records.list(signedInOf(ctx).user.id)
    : [await trashedNamed(ctx, name)];
  const { removed, refusal } = await trash.removeWherePossible(entries, access);
  for (const { path } of removed) recordActivity(ctx, "purge", { path });
  if (refusal) throw refusal;
  return new Response(null, { status: 204 });
}

async function restoreEntry(ctx: Context<State>): Promise<Response> {
  const { id } = await trashedAt(ctx);
  return await restoreKept(ctx, kind, id, { what: "entry", replaces: false });
}

/** The deleted entry that an address names. @throws DomainError `not_found`, `forbidden` */
async function trashedAt(ctx: Context<State>): Promise<TrashedEntry> {
  assertUnbound(ctx);
  const [top, name, ...more] = namesBelow(ctx, kind);
  if (top === trashName && name !== undefined && more.length === 0) {
    return await trashedNamed(ctx, name);
  }
  throw notFoundError();
}

/** What is between the name that an entry had and its id. */
const idMark = ".d";

async function trashedNamed(ctx: Context<State>, name: string): Promise<TrashedEntry> {
  const { trash } = ctx.state.cubby;
  const id = name.slice(name.lastIndexOf(idMark) + idMark.length);
  const entry = await trash.records.get(signedInOf(ctx).user.id, id);
  if (!entry.isVersion && name === nameOf(entry.path) + idMark + id) return entry;
  throw notFoundError();
}

function resourceOf(entry: TrashedEntry, path: EntryPath): Resource {
  const { id, isDir, size, at } = entry;
  const name = nameOf(path);
  return {
    segments: [trashName, nameOf(entry.path) + idMark + id],
    isCollection: isDir,
    properties: {
      ...keptProperties(entry),
      "d:displayname": escapeXml(name),
      "oc:size": String(size),
      "oc:fileid": numberOf(id),
      "oc:id": numberOf(id),
      "oc:permissions": "GD",
      "nc:trashbin-filename": escapeXml(name),
      "nc:trashbin-original-location": escapeXml(path.slice(1)),
      "nc:trashbin-title": escapeXml(path.slice(1)),
      "nc:trashbin-deletion-time": String(Math.floor(at / 1000)),
    },
  };
}

/** An entry in a deleted folder, which is restored and deleted with it alone. */
function childResource(
  { id, at }: TrashedEntry,
  above: readonly string[],
  { name, path, isDir, size, modified, ino }: TrashedChild,
): Resource {
  const number = numberOf(`${id} ${ino}`);
  return {
    segments: [...above, name],
    isCollection: isDir,
    properties: {
      ...isDir ? {} : {
        "d:getcontentlength": String(size),
        "d:getcontenttype": escapeXml(mediaTypeOf(name)),
      },
      "d:displayname": escapeXml(name),
      "d:getlastmodified": modified.toUTCString(),
      "d:getetag": `&quot;${number}-${size}&quot;`,
      "oc:size": String(size),
      "oc:fileid": number,
      "oc:id": number,
      "oc:permissions": "G",
      "nc:has-preview": "false",
      "nc:trashbin-filename": escapeXml(name),
      "nc:trashbin-original-location": escapeXml(path.slice(1)),
      "nc:trashbin-title": escapeXml(path.slice(1)),
      "nc:trashbin-deletion-time": String(Math.floor(at / 1000)),
    },
  };
}

/** A number that names an entry in the trash alone, below 2^48: clients want one. */
function numberOf(id: string): string {
  return String(createHash("sha256").update(id).digest().readUIntBE(0, 6));
}
