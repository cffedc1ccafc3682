import { pathIn } from "../../../shared/named_roots.ts";
import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { childOf, encodePath, type EntryPath, isInside } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { DavEntry } from "../../features/dav/live_properties.ts";
import { readIsDeep } from "../../features/dav/depth.ts";
import { activeLock, readLockBody, readTimeout } from "../../features/dav/lock_request.ts";
import { covers, type DavLock } from "../../features/dav/locks.ts";
import { entryAt, requireParent } from "../../features/dav/places.ts";
import { xmlDeclaration } from "../../features/dav/xml/write_xml.ts";
import type { State } from "../define.ts";
import { uploadFile } from "../../files/upload/upload.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { readBody } from "../request/body.ts";
import { hooked } from "../request/hooked.ts";
import { davPath, davPrefix } from "./dav_address.ts";
import { locksOf, passLocks, xmlLimits } from "./lock_pass.ts";

/**
 * LOCK: locks an entry, or has a lock last longer. At a free name an empty file is made, so that
 * no other client takes the name (RFC 4918, 7.3).
 */
export async function lockEntry(ctx: Context<State>): Promise<Response> {
  const { headers } = ctx.req;
  const access = accessFor(ctx);
  const { path } = davPath(ctx);
  const action = `Cannot lock "${path}"`;
  const locks = locksOf(ctx);
  const fields = await readLockBody(await readBody(ctx, xmlLimits));
  const [isDeep, seconds] = [
    readIsDeep(headers.get("depth"), action),
    readTimeout(headers.get("timeout")),
  ];
  const pass = await passLocks(ctx, access);
  const there = entryAt(access, path);
  if (!fields) {
    const lock = await locks.refresh(pass.holder, access.placeAt(path), seconds, action);
    return lockAnswer(ctx, access, lock, 200);
  }

  if (there) access.modify(path);
  else {
    access.create(path);
    requireParent(access, path);
    await pass.assertFree(action, path, { place: access.placeAt(path), isMember: true });
  }
  const { userId } = pass.holder;
  const place = access.placeAt(path);
  const lock = await locks.create({ ...fields, userId, place, isDeep, seconds }, action);
  if (there) return lockAnswer(ctx, access, lock, 200);
  try {
    const file = () => access.create(path).real;
    const about = { event: "upload" as const, access, path, file, isLockChecked: true };
    const options = { override: false, expectedLength: 0 };
    await hooked(ctx, about, () => uploadFile(access, path, null, options));
  } catch (error) {
    await locks.remove(userId, lock.token, place, action);
    throw error;
  }
  return lockAnswer(ctx, access, lock, 201);
}

/** UNLOCK: ends a lock of the user. */
export async function unlockEntry(ctx: Context<State>): Promise<Response> {
  const access = accessFor(ctx);
  const { path } = davPath(ctx);
  const action = `Cannot unlock "${path}"`;
  const [, token] = /^\s*<([^<>\s]+)>\s*$/.exec(ctx.req.headers.get("lock-token") ?? "") ?? [];
  if (token === undefined) {
    throw new DomainError("invalid_option", `${action}: the token of the lock is missing`);
  }
  access.stat(path);
  const userId = signedInOf(ctx).user.id;
  await locksOf(ctx).remove(userId, token, access.placeAt(path), action);
  return new Response(null, { status: 204 });
}

/**
 * Prepares to tell of the locks on an entry and on those in it.
 *
 * @param path of the entry
 * @returns also the most characters that one entry's locks have
 */
export async function lockDescriber(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
): Promise<{ of: (entry: DavEntry) => string; maxLength: number }> {
  const top = access.placeAt(path);
  const near = (await locksOf(ctx).all()).filter((lock) =>
    covers(lock, top) || isInside(lock.place, top)
  );
  if (near.length === 0) return { of: () => "", maxLength: 0 };
  const write = lockWriter(ctx, access);
  return {
    of(entry) {
      const place = entry.path === path ? top : childOf(top, entry.name);
      return near.filter((lock) => covers(lock, place)).map(write).join("");
    },
    maxLength: near.reduce((sum, lock) => sum + write(lock).length, 0),
  };
}

function lockAnswer(
  ctx: Context<State>,
  access: Access,
  lock: DavLock,
  status: 200 | 201,
): Response {
  const xml = lockWriter(ctx, access)(lock);
  const body = `${xmlDeclaration}<D:prop xmlns:D="DAV:"><D:lockdiscovery>${xml}</D:lockdiscovery>` +
    "</D:prop>\n";
  const headers = {
    "content-type": "application/xml; charset=utf-8",
    "lock-token": `<${lock.token}>`,
  };
  return new Response(body, { status, headers });
}

/** Writes locks as the user may know them. */
function lockWriter(ctx: Context<State>, access: Access): (lock: DavLock) => string {
  const viewerId = signedInOf(ctx).user.id;
  const now = Date.now();
  return (lock) => {
    const path = pathIn(access.viewer, lock.place);
    const root = path === null ? null : davPrefix(ctx) + encodePath(path);
    return activeLock(lock, { viewerId, root, now });
  };
}
