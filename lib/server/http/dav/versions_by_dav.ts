import type { Context } from "fresh";
import { keptPlaceIn } from "../../../shared/named_roots.ts";
import type { TrashedEntry } from "../../files/trash/trash_records.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { pathOfId } from "./client_requests.ts";
import { davMethods } from "./dav_methods.ts";
import {
  assertUnbound,
  keptProperties,
  listCollection,
  namesBelow,
  notFoundError,
  type Resource,
  restoreKept,
  sendKept,
} from "./own_collections.ts";

/*
 * The previous versions of files, as clients of Nextcloud have them: by the id of the file, with a
 * MOVE to `restore` to put one in its place.
 */

/** The collection. */
const kind = "versions";

/** What the files are called in it. */
const filesName = "versions";

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
  return await sendKept(ctx, await versionAt(ctx));
}

async function restoreVersion(ctx: Context<State>): Promise<Response> {
  const { id } = await versionAt(ctx);
  return await restoreKept(ctx, kind, id, { what: "version", replaces: true });
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
  const { trash } = ctx.state.cubby;
  const access = accessFor(ctx);
  const { user } = signedInOf(ctx);
  const path = await pathOfId(ctx, access, fileId);
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

function resourceOf(fileId: string, version: TrashedEntry): Resource {
  return {
    segments: [filesName, fileId, version.id],
    properties: { ...keptProperties(version), "nc:version-label": "", "nc:version-author": "" },
  };
}
