import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { keptPlaceIn } from "../../../shared/named_roots.ts";
import { nameOf } from "../../../shared/path.ts";
import { escapeXml } from "../../features/dav/xml/write_xml.ts";
import { mediaTypeOf } from "../../files/content/types.ts";
import type { TrashedEntry } from "../../files/trash/trash_records.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { refuseAsCode } from "../response/downloads.ts";
import { davMethods } from "./dav_methods.ts";
import {
  destinationBelow,
  listCollection,
  namesBelow,
  notFoundError,
  type Resource,
} from "./own_collections.ts";
import { assertUnbound, restoreKept, sendKept } from "./trashbin_by_dav.ts";

/*
 * The previous versions of files, as clients of Nextcloud have them: by the id of the file, with a
 * MOVE to `restore` to put one in its place.
 */

/** The collection. */
const kind = "versions";

/** What the files and the place to restore to are called in it. */
const [filesName, restoreName] = ["versions", "restore"];

/** The versions of a user's files, below `/remote.php/dav/versions/{user}`. */
export const versionsByDav = davMethods({
  GET: sendVersion,
  PROPFIND: listVersions,
  MOVE: restoreVersion,
});

async function listVersions(ctx: Context<State>): Promise<Response> {
  const [top, fileId, name, ...more] = namesBelow(ctx, kind);
  if (top !== filesName || fileId === undefined || more.length > 0) throw notFoundError();
  const versions = await versionsOf(ctx, fileId);
  const members = versions.map((version) => resourceOf(fileId, version));
  const one = members.find(({ segments }) => segments[2] === name);
  if (name !== undefined && !one) throw notFoundError();
  const itself = one ?? { segments: [filesName, fileId], isCollection: true };
  return await listCollection(ctx, kind, itself, () => Promise.resolve(one ? [] : members));
}

async function sendVersion(ctx: Context<State>): Promise<Response> {
  refuseAsCode(ctx.req);
  return await sendKept(ctx, (await versionAt(ctx)).id);
}

async function restoreVersion(ctx: Context<State>): Promise<Response> {
  const { id } = await versionAt(ctx);
  const [to] = destinationBelow(ctx, kind);
  if (to !== restoreName) {
    throw new DomainError("forbidden", `Cannot restore the version: move it to "${restoreName}"`);
  }
  await restoreKept(ctx, id, true);
  return new Response(null, { status: 201 });
}

/** Versions that are read at a time. */
const maxListed = 200;

async function versionAt(ctx: Context<State>): Promise<TrashedEntry> {
  const [top, fileId, name, ...more] = namesBelow(ctx, kind);
  if (top !== filesName || fileId === undefined || more.length > 0) throw notFoundError();
  const version = (await versionsOf(ctx, fileId)).find(({ id }) => id === name);
  if (version) return version;
  throw notFoundError();
}

/**
 * The versions of a file by its id, the latest first; none for an id of no file that the user
 * reaches.
 */
async function versionsOf(ctx: Context<State>, fileId: string): Promise<TrashedEntry[]> {
  assertUnbound(ctx);
  const { idLookups, trash } = ctx.state.cubby;
  if (!idLookups) throw notFoundError();
  const access = accessFor(ctx);
  const { user } = signedInOf(ctx);
  const path = await idLookups.find(access, String(user.id), fileId, ctx.req.signal);
  if (path === null || !access.stat(path).isFile) return [];
  const versions: TrashedEntry[] = [];
  const of = keptPlaceIn(user, path);
  let before: string | undefined;
  do {
    const { entries, next } = await trash.records.page(user.id, { of, before, limit: maxListed });
    versions.push(...entries);
    before = next ?? undefined;
  } while (before !== undefined);
  return versions;
}

function resourceOf(fileId: string, { id, path, size, at }: TrashedEntry): Resource {
  return {
    segments: [filesName, fileId, id],
    properties: {
      "d:getcontentlength": String(size),
      "d:getcontenttype": escapeXml(mediaTypeOf(nameOf(path))),
      "d:getlastmodified": new Date(at).toUTCString(),
      "d:getetag": `&quot;${id}&quot;`,
      "nc:has-preview": "false",
      "nc:version-label": "",
      "nc:version-author": "",
    },
  };
}
