import type { Context } from "fresh";
import { pathInView } from "../../features/dav/paths_in_view.ts";
import { DomainError } from "../../../shared/errors.ts";
import { childOf, encodePath, type EntryPath, isInside } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { DavEntry } from "../../features/dav/live_properties.ts";
import { readIsDeep } from "../../features/dav/depth.ts";
import { activeLock, readLockBody, readTimeout } from "../../features/dav/lock_request.ts";
import {
  type Affected,
  covers,
  type DavLock,
  type LockHolder,
  type Locks,
} from "../../features/dav/locks.ts";
import { entryAt, requireParent } from "../../features/dav/places.ts";
import { xmlDeclaration } from "../../features/dav/xml/write_xml.ts";
import type { State } from "../define.ts";
import { uploadFile } from "../../files/upload/upload.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { readBody } from "../request/body.ts";
import { hooked } from "../request/hooked.ts";
import { davPath, davPrefix, entryAtAddress } from "./dav_address.ts";
import { DavRefusal } from "../../features/dav/dav_refusal.ts";
import { type EntryState, IfHeader } from "../../features/dav/if_header.ts";
import { etagOf } from "../../files/content/open_content.ts";

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
  const seconds = readTimeout(headers.get("timeout"));
  const pass = await passLocks(ctx, access);
  const there = entryAt(access, path);
  if (!fields) {
    const lock = await locks.refresh(pass.holder, access.placeAt(path), seconds, action);
    // Without the header, which tells clients of a new lock (RFC 4918, 9.10.2).
    return lockAnswer(ctx, access, lock, 200, {});
  }

  const isDeep = readIsDeep(headers.get("depth"), action);
  if (there) access.modify(path);
  else {
    access.create(path);
    requireParent(access, path);
    await pass.assertFree(action, { place: access.placeAt(path), isMember: true });
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
  headers: Record<string, string> = { "lock-token": `<${lock.token}>` },
): Response {
  const xml = lockWriter(ctx, access)(lock);
  const body = `${xmlDeclaration}<D:prop xmlns:D="DAV:"><D:lockdiscovery>${xml}</D:lockdiscovery>` +
    "</D:prop>\n";
  const type = { "content-type": "application/xml; charset=utf-8" };
  return new Response(body, { status, headers: { ...type, ...headers } });
}

/** Writes locks as the user may know them. */
function lockWriter(ctx: Context<State>, access: Access): (lock: DavLock) => string {
  const viewerId = signedInOf(ctx).user.id;
  const now = Date.now();
  return (lock) => {
    const path = pathInView(access.viewer, lock.place);
    const root = path === null ? null : davPrefix(ctx) + encodePath(path);
    return activeLock(lock, { viewerId, root, now });
  };
}

/** The longest body with XML, in bytes. */
export const xmlLimits = { bytes: 256 * 1024 };

/** The exceptions of a request from locks. */
interface LockPass {
  /** The user, with the tokens that the request submits. */
  holder: LockHolder;
  /**
   * Asks again whether the conditions of `If` hold for the entries as they are by now.
   *
   * @throws DavRefusal `condition_failed`
   */
  assertHolds(): Promise<void>;
  /**
   * Refuses a change that a lock forbids.
   *
   * @param action for the message: `Cannot write "/a"`
   * @throws DavRefusal `locked`
   */
  assertFree(action: string, ...affected: Affected[]): Promise<void>;
}

/** The locks; they are there while WebDAV is. */
function locksOf({ state }: Context<State>): Locks {
  const { locks } = state.cubby;
  if (locks) return locks;
  throw new DomainError("not_found", "Cannot answer the request: not found");
}

/**
 * Reads the header `If` of a request and evaluates its conditions.
 *
 * @throws DavRefusal `condition_failed` when none of its lists holds
 * @throws DomainError `invalid_option` when it is malformed
 */
export async function passLocks(ctx: Context<State>, access: Access): Promise<LockPass> {
  const locks = locksOf(ctx);
  const userId = signedInOf(ctx).user.id;
  const text = ctx.req.headers.get("if");
  const conditions = text === null ? null : new IfHeader(text);
  const holder: LockHolder = { userId, tokens: conditions?.tokens ?? new Set() };
  const tokensAt = new Map<string | null, ReadonlySet<string>>();
  async function stateOf(address: string | null): Promise<EntryState | null> {
    const state = await stateAt(ctx, access, address);
    if (!state) return null;
    // A body may take longer than a lock lasts. It counts for it all the same, unless another locks.
    const tokens = tokensAt.get(address) ?? state.tokens;
    tokensAt.set(address, tokens);
    return { ...state, tokens };
  }
  async function assertHolds(): Promise<void> {
    if (!conditions || await conditions.holds(stateOf)) return;
    const message = "Cannot answer the request: the conditions of the If header are not met";
    throw new DavRefusal("condition_failed", "precondition_failed", message);
  }
  await assertHolds();
  return {
    holder,
    assertHolds,
    assertFree: (action, ...affected) => locks.assertFree(holder, affected, action),
  };
}

/**
 * The conditions that hold for the entry at an address; null for one that the user may not know, or
 * not here.
 */
async function stateAt(
  ctx: Context<State>,
  access: Access,
  address: string | null,
): Promise<EntryState | null> {
  const noun = "an address in the header If";
  try {
    const path = address === null ? davPath(ctx).path : entryAtAddress(ctx, address, noun).path;
    const entry = entryAt(access, path);
    const place = access.placeAt(path);
    const userId = signedInOf(ctx).user.id;
    const held = (await locksOf(ctx).all()).filter((lock) =>
      lock.userId === userId && covers(lock, place)
    );
    return {
      tokens: new Set(held.map(({ token }) => token)),
      etag: entry?.isFile ? etagOf(entry.info) : null,
    };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
