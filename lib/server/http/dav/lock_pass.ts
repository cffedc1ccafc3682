import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parseUrlPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { DavRefusal } from "../../features/dav/dav_refusal.ts";
import { type EntryState, IfHeader } from "../../features/dav/if_header.ts";
import { type Affected, covers, type LockHolder, type Locks } from "../../features/dav/locks.ts";
import { entryAt } from "../../features/dav/places.ts";
import type { State } from "../define.ts";
import { etagOf } from "../../files/content/open_content.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { davPath, davPrefix, pathOfAddress } from "./dav_address.ts";

/** The longest body with XML, in bytes. */
export const xmlLimits = { bytes: 256 * 1024 };

/** The exceptions of a request from locks. */
export interface LockPass {
  /** The user, with the tokens that the request submits. */
  holder: LockHolder;
  /**
   * Refuses a change that a lock forbids.
   *
   * @param action for the message: `Cannot write "/a"`
   * @throws DavRefusal `locked`
   */
  assertFree(action: string, path: EntryPath, ...affected: Affected[]): Promise<void>;
}

/** The locks; they are there while WebDAV is. */
export function locksOf({ state }: Context<State>): Locks {
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
  if (conditions && !await conditions.holds((address) => stateAt(ctx, access, address))) {
    const message = "Cannot answer the request: the conditions of the If header are not met";
    throw new DavRefusal("condition_failed", "precondition_failed", message);
  }
  return {
    holder,
    assertFree: (action, path, ...affected) => locks.assertFree(holder, affected, action, path),
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
  try {
    const path = address === null ? davPath(ctx).path : pathAt(ctx, address);
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

function pathAt(ctx: Context<State>, address: string): EntryPath {
  const path = pathOfAddress(ctx, address, "an address in the header If");
  return parseUrlPath(path.slice(davPrefix(ctx).length)).path;
}
