/** Viewers and gates for tests of the rooms that touch the disk. */
import assert from "node:assert/strict";
import type { Permissions } from "../../../../lib/shared/schemas/rights.ts";
import type { Access } from "../../../../lib/server/core/access/access.ts";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { type EntryPath, parsePath } from "../../../../lib/shared/path.ts";
import { allPermissions, type Viewer } from "../../../../lib/server/core/access/viewer.ts";
import { DomainError, type ErrorCode } from "../../../../lib/shared/errors.ts";

/** Every permission but that of an administrator. */
export const userPermissions: Permissions = { ...allPermissions(), admin: false };

/** A viewer of the whole root with every permission and no rules, unless told otherwise. */
export function viewer(
  { perm, ...rest }: Partial<Omit<Viewer, "perm">> & { perm?: Partial<Permissions> } = {},
): Viewer {
  return {
    scope: "/",
    rules: [],
    hideDotfiles: false,
    ...rest,
    perm: { ...userPermissions, ...perm },
  };
}

/** Lets a viewer into a folder. */
export function enter(
  root: string,
  as: Parameters<typeof viewer>[0] = {},
  reserved: string[] = [],
): Access {
  return new Gate({ root, reserved }).enter(viewer(as));
}

/** A path as code would parse it. */
export function at(path: string): EntryPath {
  return parsePath(path).path;
}

/** Asserts that an action is refused with this code, and that its message is one plain sentence. */
export function assertDenied(action: () => unknown, code: ErrorCode, told?: string): void {
  assert.throws(action, (error: unknown) => isRefusal(error, code), told);
}

/** The same for an action that answers later. */
export async function assertDeniedLater(
  action: Promise<unknown>,
  code: ErrorCode,
  told?: string,
): Promise<void> {
  await assert.rejects(action, (error: unknown) => isRefusal(error, code), told);
}

function isRefusal(error: unknown, code: ErrorCode): boolean {
  if (!(error instanceof DomainError)) throw error;
  assert.equal(error.code, code, error.message);
  assert.match(error.message, /^Cannot [^]*[^.\n]$/);
  return true;
}
