import { DomainError } from "../../../shared/errors.ts";
import type { DavLock } from "./locks.ts";
import { isDav } from "./propfind.ts";
import { elementsOf, readXml } from "./xml/read_xml.ts";
import { escapeXml, writeXml } from "./xml/write_xml.ts";

/** The shortest and the longest time that a lock lasts, in seconds. */
const minLockSeconds = 1;
const maxLockSeconds = 3_600;

/** The longest element `owner`, in characters. */
const maxOwnerLength = 4_000;

/** The lock that a client asks for. */
export type LockFields = Pick<DavLock, "isShared" | "owner">;

/**
 * Reads the body of a LOCK; null for an empty one, which refreshes a lock.
 *
 * @throws {DomainError} `invalid_body`
 */
export async function readLockBody(bytes: Uint8Array): Promise<LockFields | null> {
  if (bytes.length === 0) return null;
  const action = "Cannot read the lock";
  const root = await readXml(bytes, action);
  const part = (name: string) => elementsOf(root).find((element) => isDav(element, name));
  const scope = part("lockscope");
  const type = part("locktype");
  const scopes = scope ? elementsOf(scope) : [];
  const isShared = scopes.some((element) => isDav(element, "shared"));
  const isExclusive = scopes.some((element) => isDav(element, "exclusive"));
  const isWrite = type && elementsOf(type).some((element) => isDav(element, "write"));
  if (!isDav(root, "lockinfo") || !isWrite || isShared === isExclusive) {
    throw new DomainError("invalid_body", `${action}: expected a write lock, exclusive or shared`);
  }
  const owner = part("owner");
  const text = owner ? writeXml(owner) : "";
  if (text.length > maxOwnerLength) {
    throw new DomainError("invalid_body", `${action}: its owner is too long`);
  }
  return { isShared, owner: text };
}

/** How long a lock is to last, in seconds: at most an hour, which clients refresh in time. */
export function readTimeout(header: string | null): number {
  const [, seconds] = /(?:^|,)\s*Second-(\d{1,12})/i.exec(header ?? "") ?? [];
  const wanted = seconds === undefined ? maxLockSeconds : Number(seconds);
  return Math.min(Math.max(wanted, minLockSeconds), maxLockSeconds);
}

/**
 * A lock in `lockdiscovery`. Its token is sent to its own user alone: with it, another
 * client of that user may end it.
 *
 * @param root the address of what is locked; null where the viewer cannot know it
 */
export function activeLock(
  lock: DavLock,
  { viewerId, root, now }: { viewerId: number; root: string | null; now: number },
): string {
  const { isShared, isDeep, owner, expires, token, userId, office } = lock;
  const left = Math.max(0, Math.ceil((expires - now) / 1000));
  const href = (text: string) => `<D:href>${escapeXml(text)}</D:href>`;
  return "<D:activelock><D:locktype><D:write/></D:locktype>" +
    `<D:lockscope><D:${isShared ? "shared" : "exclusive"}/></D:lockscope>` +
    `<D:depth>${isDeep ? "infinity" : "0"}</D:depth>${owner}` +
    `<D:timeout>Second-${left}</D:timeout>` +
    (userId === viewerId && office === undefined
      ? `<D:locktoken>${href(token)}</D:locktoken>`
      : "") +
    (root === null ? "" : `<D:lockroot>${href(root)}</D:lockroot>`) + "</D:activelock>";
}
