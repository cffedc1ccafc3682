import { DomainError } from "../../../shared/errors.ts";
import { DavRefusal } from "./dav_refusal.ts";

/**
 * How deep a PROPFIND goes. Everything below a folder at once is refused, as RFC 4918 (9.1) allows:
 * one request would walk a whole disk. Of a file that is the file itself.
 *
 * @param header `Depth`; without it a client asks for everything
 * @throws {DomainError} `invalid_option`
 */
export function readListingDepth(header: string | null, isFolder: boolean): 0 | 1 {
  const depth = depthIn(header);
  if (depth === "0") return 0;
  if (depth === "1" || depth === "1,noroot") return 1;
  if (depth === "infinity" && !isFolder) return 0;
  if (depth === "infinity") {
    const message = "Cannot list everything below a folder at once: use Depth 0 or 1";
    throw new DavRefusal("infinite_depth", "forbidden", message);
  }
  throw new DomainError("invalid_option", `Cannot use the depth "${depth}": expected 0 or 1`);
}

/**
 * Whether a lock, or a copy, is of a folder with all that is below it, or of the folder alone.
 *
 * @param action for the message: `Cannot lock "/a"`
 * @throws {DomainError} `invalid_option` for a depth that the method does not have
 */
export function readIsDeep(header: string | null, action: string): boolean {
  const depth = depthIn(header);
  if (depth === "0" || depth === "infinity") return depth === "infinity";
  throw new DomainError(
    "invalid_option",
    `${action}: the method does not have the depth "${depth}"`,
  );
}

/**
 * Refuses to move or delete a folder otherwise than whole: a client that names another depth may
 * mean to spare what is in it (RFC 4918, 9.6.1 and 9.9.2).
 *
 * @throws {DomainError} `invalid_option`
 */
export function assertWhole(header: string | null, action: string): void {
  const depth = depthIn(header);
  if (depth === "infinity") return;
  const reason = `expected the depth infinity, not "${depth}"`;
  throw new DomainError("invalid_option", `${action}: ${reason}`);
}

function depthIn(header: string | null): string {
  return (header ?? "infinity").trim().toLowerCase();
}
